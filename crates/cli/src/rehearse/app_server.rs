//! `selvedge rehearse app-server`: a simulated `codex app-server` on stdin and stdout.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use selvedge_rehearsal::{
    app_server::{self, Faults},
    scenario::Scenario,
};

use crate::failure::Failure;

/// Options of `rehearse app-server`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The scenario (TOML); without it the built-in demonstration plays
    #[arg(long, value_name = "FILE", env = "SELVEDGE_SCENARIO")]
    scenario: Option<PathBuf>,
    /// How it misbehaves, as words with commas: docs/rehearsal.md lists them
    #[arg(long, value_name = "SPEC", env = "SELVEDGE_FAULTS", default_value = "", hide_default_value = true)]
    faults: Faults,
    /// Threads are kept under rehearsal/ in here; without it they live as long as the process
    #[arg(long, value_name = "DIR", env = "CODEX_HOME")]
    codex_home: Option<PathBuf>,
}

/// Runs to the end of stdin; the exit code is the simulated process's.
pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let scenario = match &options.scenario {
        Some(file) => Scenario::load(file)?,
        None => Scenario::demo()?,
    };
    Ok(app_server::run(app_server::Options {
        scenario,
        faults: options.faults,
        home: options.codex_home,
        env: Vec::new(),
    }))
}
