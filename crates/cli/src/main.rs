//! The `selvedge` command: arguments, printing, exit codes.

mod approvals;
mod ask;
mod attach;
mod backup;
mod common;
mod doctor;
#[cfg(test)]
mod errors_page;
mod exit;
mod export;
mod failure;
mod gateway;
mod history;
mod ids;
mod local;
mod place;
mod record;
mod rehearse;
mod relay;
mod replay;
mod run;
mod serve;
mod sessions;
mod show;
mod stop;
mod table;
mod tty;
mod usage;

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
    /// The gateway: sessions over HTTP
    Serve(Box<serve::Options>),
    /// Let the gateway end, and wait until it has
    Stop(Box<stop::Options>),
    /// One message, shown as it is answered
    Run(Box<run::Options>),
    /// What the journal holds: list, show, fork, archive, rm, prune
    Sessions(Box<sessions::Options>),
    /// What Codex asks: list, accept, decline
    Approvals(Box<approvals::Options>),
    /// Follow a session live, send messages, answer what is asked
    Attach(Box<attach::Options>),
    /// A whole session on stdout
    Export(Box<export::Options>),
    /// Everything the journal holds, into a new file
    Backup(Box<backup::Options>),
    /// What is installed, whether it works, and what to do
    Doctor(Box<doctor::Options>),
    /// A recording, played as if it were live
    Replay(Box<replay::Options>),
    /// A program that outlives whoever watches it: serve-attach, attach, stop
    #[command(subcommand)]
    Relay(relay::Relay),
    /// Stand-ins for the model and for Codex: for tests, demonstrations and practice
    #[command(subcommand)]
    Rehearse(rehearse::Rehearse),
}

impl Command {
    fn execute(self) -> Result<ExitCode, Failure> {
        match self {
            Self::Serve(options) => serve::run(&options),
            Self::Stop(options) => stop::run(&options),
            Self::Run(options) => run::run(&options),
            Self::Sessions(options) => sessions::run(*options),
            Self::Approvals(options) => approvals::run(*options),
            Self::Attach(options) => attach::run(*options),
            Self::Export(options) => export::run(*options),
            Self::Backup(options) => backup::run(*options),
            Self::Doctor(options) => doctor::run(&options),
            Self::Replay(options) => replay::run(&options),
            Self::Relay(what) => relay::run(what),
            Self::Rehearse(what) => rehearse::run(what),
        }
    }
}

fn main() -> ExitCode {
    // First of all: a relay's daemon lives for long, and shall not hold what is only for commands.
    if let Some(ended) = selvedge_relay::daemon::run() {
        return ended;
    }
    match Arguments::try_parse() {
        Ok(arguments) => arguments.command.execute().unwrap_or_else(|failure| failure.report()),
        Err(said) => usage::tell(&said),
    }
}

#[cfg(test)]
mod docs_tests;
