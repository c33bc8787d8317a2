//! The `selvedge` command: arguments, printing, exit codes.

mod ask;
mod common;
#[cfg(test)]
mod errors_page;
mod exit;
mod failure;
mod ids;
mod local;
mod rehearse;
mod run;
mod show;
mod tty;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// The durable edge around OpenAI's Codex.
#[derive(Debug, Parser)]
#[command(name = "selvedge", version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// One message, shown as it is answered
    Run(Box<run::Options>),
    /// Stand-ins for the model and for Codex: for tests, demonstrations and practice
    #[command(subcommand)]
    Rehearse(rehearse::Rehearse),
}

impl Command {
    fn execute(self) -> Result<ExitCode, Failure> {
        match self {
            Self::Run(options) => run::run(&options),
            Self::Rehearse(what) => rehearse::run(what),
        }
    }
}

fn main() -> ExitCode {
    Arguments::parse().command.execute().unwrap_or_else(|failure| failure.report())
}
