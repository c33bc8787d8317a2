//! The runtime on this machine's data directory: opened for a command, and put to rest after it.

use std::{future::Future, process::ExitCode};

use selvedge_runtime::{Config, Runtime};

use crate::{failure::Failure, record};

/// What every surface says when the stand-in answers.
pub(crate) const REHEARSAL: &str = "rehearsal: the stand-in answers, no Codex and no model";

/// Runs something that waits.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = selvedge_runtime::executor().map_err(Failure::start)?;
    runtime.block_on(work)
}

/// Opens the runtime, does the work, and puts it to rest however the work ended.
pub(crate) fn with_runtime<F>(config: Config, work: impl FnOnce(Runtime) -> F) -> Result<ExitCode, Failure>
where
    F: Future<Output = Result<ExitCode, Failure>>,
{
    block_on(async {
        if config.is_rehearsal() {
            eprintln!("{REHEARSAL}");
        }
        let runtime = Runtime::open_quietly(config).await?;
        let ended = Box::pin(work(runtime.clone())).await;
        // What a gateway had begun, and relays hold, goes on; what was started for this command ends.
        runtime.leave().await;
        record::warn(runtime.recorded());
        ended
    })
}
