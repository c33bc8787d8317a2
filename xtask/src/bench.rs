//! `cargo xtask bench`: measurements in release builds, each number printed beside its limit.

mod a2a;
mod agent;
mod client;
mod figures;
mod gateway;
mod journal;
mod page;
mod relay;
mod runtime;
mod table;

use clap::ValueEnum;

use crate::failure::Failure;
use table::Table;

/// What to measure.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Options {
    #[arg(value_name = "SUITE")]
    suite: Suite,
}

/// One set of measurements.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Suite {
    /// One conversation with one app-server.
    Client,
    /// Appending to the journal and reading it, beside bare SQLite.
    Journal,
    /// From an app-server's write to a reader, with all that lies between.
    Runtime,
    /// From an app-server's write to a reader of the gateway's stream; requests, crowds, memory.
    Gateway,
    /// A long session in a browser: opened, and scrolled through.
    Page,
    /// What a relay adds to a line, how much goes through it, and what it holds in memory.
    Relay,
    /// What an evaluation costs beside the client alone, and what a shared Codex spares.
    Agent,
    /// An agent as other agents meet it, beside the same with a journal in memory.
    A2a,
}

/// Measures, prints the table, and fails if a number misses its limit.
pub(crate) fn run(options: Options) -> Result<(), Failure> {
    let mut table = Table::default();
    match options.suite {
        Suite::Client => client::measure(&mut table)?,
        Suite::Journal => journal::measure(&mut table)?,
        Suite::Runtime => runtime::measure(&mut table)?,
        Suite::Gateway => gateway::measure(&mut table)?,
        Suite::Page => page::measure(&mut table)?,
        Suite::Relay => relay::measure(&mut table)?,
        Suite::Agent => agent::measure(&mut table)?,
        Suite::A2a => a2a::measure(&mut table)?,
    }
    println!("\n{table}");
    let missed = table.missed();
    if missed.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("missed its limit: {}", missed.join(", "))))
}
