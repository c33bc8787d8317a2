//! `selvedge backup FILE`: everything the journal holds, as of one moment.

use std::{fs, path::PathBuf, process::ExitCode};

use clap::Args;

use crate::{failure::Failure, local, place::Reach, show::amounts};

/// Options of `backup`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// A new file; restored by putting it in the place of journal.db in the data directory
    file: PathBuf,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let Options { file, reach } = options;
    let config = reach.common.config()?;
    if let Some(address) = reach.elsewhere(&config)? {
        let what = format!("the sessions of {address} are not kept here");
        return Err(Failure::bad_input(
            what,
            "make the backup where the gateway runs; --local makes one of what lies on this machine",
        ));
    }
    local::with_runtime(config, |runtime| async move {
        runtime.backup(&file).await?;
        let size = fs::metadata(&file).map_or(0, |metadata| metadata.len());
        println!("{} written ({})", file.display(), amounts::bytes(size));
        Ok(ExitCode::SUCCESS)
    })
}
