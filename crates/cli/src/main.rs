//! The `selvedge` command: arguments, printing, exit codes.

mod failure;
mod rehearse;

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
    /// Stand-ins for the model and for Codex: for tests, demonstrations and practice
    #[command(subcommand)]
    Rehearse(rehearse::Rehearse),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::start)?;
    match command {
        Command::Rehearse(what) => runtime.block_on(rehearse::run(what)),
    }
}
