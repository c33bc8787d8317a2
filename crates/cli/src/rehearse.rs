//! `selvedge rehearse …`: one file for each stand-in.

mod model;

use clap::Subcommand;

use crate::failure::Failure;

/// The stand-ins, by name only.
#[derive(Debug, Subcommand)]
pub(crate) enum Rehearse {
    /// A scripted model for the real Codex: the Responses API on loopback
    Model(model::Options),
    // `app-server` and `proxy` stand here, each with a file of its own beside `model`.
}

pub(crate) async fn run(what: Rehearse) -> Result<(), Failure> {
    match what {
        Rehearse::Model(options) => model::run(options).await,
    }
}
