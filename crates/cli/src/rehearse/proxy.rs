//! `selvedge rehearse proxy`: faults between a client and any app-server.

use std::{ffi::OsString, path::PathBuf, process::ExitCode};

use clap::Args;
use selvedge_rehearsal::proxy::{self, ProxyFaults};

use crate::failure::Failure;

/// Options of `rehearse proxy`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// What happens to the conversation, as words with commas: docs/rehearsal.md lists them
    // Its variable is another one than that of `rehearse app-server`, which may stand behind it.
    #[arg(long, value_name = "SPEC", env = "SELVEDGE_PROXY_FAULTS")]
    faults: ProxyFaults,
    /// Also add what was done to this file; stderr gets it anyway
    #[arg(long, value_name = "FILE", env = "SELVEDGE_PROXY_LOG")]
    log: Option<PathBuf>,
    /// The app-server: a program and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

/// Runs until the app-server ends; its exit code is ours.
pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let program = options.command.first().cloned().unwrap_or_default();
    let Options { faults, log, command } = options;
    proxy::run(proxy::Options { faults, command, log }).map_err(|error| {
        let what = format!("{} cannot run behind the proxy: {error}", program.to_string_lossy());
        Failure::bad_input(what, "name the app-server after `--`, for example: -- codex app-server")
    })
}
