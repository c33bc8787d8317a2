//! `selvedge attach ID`: follow a session live, send messages, answer what is asked.

mod editor;
mod talk;
mod words;

use std::process::ExitCode;

use clap::Args;

use crate::{
    failure::Failure,
    place::{self, Reach},
};

/// Options of `attach`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Any ending of the session's id that only one has
    id: String,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let Options { id, reach } = options;
    place::with_place(&reach, |place| async move {
        let session = place.find(&id).await?;
        place.same_backend(&session).await?;
        let editor = editor::start(place.config().data_dir.join("attach-history"))?;
        talk::Talk::begin(session, editor).await?.until_left().await?;
        Ok(ExitCode::SUCCESS)
    })
}
