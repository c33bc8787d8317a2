//! `selvedge backup FILE`: everything the journal holds, as of one moment.

use std::{fs, path::PathBuf, process::ExitCode};

use clap::Args;

use crate::{common::Common, failure::Failure, local, show::amounts};

/// Options of `backup`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// A new file; restored by putting it in the place of journal.db in the data directory
    file: PathBuf,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let Options { file, common } = options;
    local::with_runtime(common.config()?, |runtime| async move {
        runtime.backup(&file).await?;
        let size = fs::metadata(&file).map_or(0, |metadata| metadata.len());
        println!("{} written ({})", file.display(), amounts::bytes(size));
        Ok(ExitCode::SUCCESS)
    })
}
