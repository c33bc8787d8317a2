//! The runtime on this machine's data directory: opened for a command, and put to rest after it.

use std::{future::Future, process::ExitCode};

use selvedge_runtime::{Config, Runtime, SessionHandle};

use crate::{failure::Failure, ids};

/// What every surface says when the stand-in answers.
pub(crate) const REHEARSAL: &str = "rehearsal: the stand-in answers, no Codex and no model";

/// Runs something that waits.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = selvedge_runtime::executor().map_err(Failure::start)?;
    runtime.block_on(work)
}

/// A session goes on with whoever it was made with: the stand-in never answers for Codex, nor Codex for it.
pub(crate) async fn same_backend(runtime: &Runtime, session: &SessionHandle) -> Result<(), Failure> {
    let kind = session.summary().await?.backend.kind;
    let now = if runtime.config().is_rehearsal() { "rehearsal" } else { "codex" };
    if kind == now {
        return Ok(());
    }
    let what = format!("session {} was made with {kind}, and this is {now}", ids::short(&session.id()));
    let hint = if kind == "rehearsal" { "say --codex rehearsal" } else { "leave `--codex rehearsal` away" };
    Err(Failure::bad_input(what, hint))
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
        runtime.shut_down().await;
        ended
    })
}
