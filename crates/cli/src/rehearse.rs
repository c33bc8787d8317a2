//! `selvedge rehearse …`: one file for each stand-in.

mod app_server;
mod model;
mod proxy;
mod recording;

use std::process::ExitCode;

use clap::Subcommand;

pub(crate) use recording::Speed;

use crate::failure::Failure;

/// The stand-ins, by name only.
#[derive(Debug, Subcommand)]
pub(crate) enum Rehearse {
    /// A scripted model for the real Codex: the Responses API on loopback
    Model(model::Options),
    /// A simulated `codex app-server` on stdin and stdout: for machines without Codex, and for faults
    AppServer(app_server::Options),
    /// Faults between a client and any app-server: a proxy on stdin and stdout
    Proxy(proxy::Options),
    /// A recording in the place of an app-server, on stdin and stdout: it says again what was said
    Recording(recording::Options),
}

pub(crate) fn run(what: Rehearse) -> Result<ExitCode, Failure> {
    match what {
        Rehearse::AppServer(options) => app_server::run(options),
        Rehearse::Proxy(options) => proxy::run(options),
        Rehearse::Recording(options) => recording::run(options),
        Rehearse::Model(options) => {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::start)?;
            runtime.block_on(model::run(options)).map(|()| ExitCode::SUCCESS)
        }
    }
}
