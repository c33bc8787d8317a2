//! `selvedge attach ID`: follow a session live, send messages, answer what is asked.

mod editor;
mod talk;
mod words;

use std::process::ExitCode;

use clap::Args;

use crate::{common::Common, failure::Failure, local};

/// Options of `attach`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Any ending of the session's id that only one has
    id: String,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let Options { id, common } = options;
    let config = common.config()?;
    let remembered = config.data_dir.join("attach-history");
    local::with_runtime(config, |runtime| async move {
        let session = runtime.find(&id).await?;
        local::same_backend(&runtime, &session).await?;
        let editor = editor::start(remembered)?;
        talk::Talk::begin(session, editor).await?.until_left().await?;
        Ok(ExitCode::SUCCESS)
    })
}
