//! The `selvedge` command: arguments, printing, exit codes.

mod failure;
mod rehearse;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    let Command::Rehearse(what) = Arguments::parse().command;
    rehearse::run(what).unwrap_or_else(|failure| failure.report())
}
