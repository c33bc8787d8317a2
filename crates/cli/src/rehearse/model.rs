//! `selvedge rehearse model`: serves a scenario to a real Codex until it is told to stop.

use std::{
    io::{self, Write},
    net::SocketAddr,
    path::PathBuf,
    sync::Arc,
};

use clap::Args;
use selvedge_rehearsal::{
    model::{CLASSIC_MODEL, CodexSettings, ModelServer},
    scenario::Scenario,
};
use tokio::signal::unix::{SignalKind, signal};

use crate::failure::Failure;

/// Options of `rehearse model`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Where to listen: a loopback address; port 0 takes a free one
    #[arg(long, value_name = "ADDR", env = "SELVEDGE_LISTEN")]
    listen: SocketAddr,
    /// The scenario (TOML); without it the built-in demonstration plays
    #[arg(long, value_name = "FILE", env = "SELVEDGE_SCENARIO")]
    scenario: Option<PathBuf>,
    /// The model's name in the printed configuration
    #[arg(long, value_name = "SLUG", default_value = CLASSIC_MODEL, env = "SELVEDGE_MODEL")]
    model: String,
    /// The approval policy in the printed configuration
    #[arg(long, default_value = "on-request", env = "SELVEDGE_APPROVAL_POLICY")]
    approval_policy: String,
    /// The sandbox in the printed configuration
    #[arg(long, default_value = "workspace-write", env = "SELVEDGE_SANDBOX")]
    sandbox: String,
}

pub(crate) async fn run(options: Options) -> Result<(), Failure> {
    if !options.listen.ip().is_loopback() {
        let what = format!("{} is not a loopback address", options.listen);
        return Err(Failure::bad_input(what, "a scripted model is for this machine only: use 127.0.0.1:0"));
    }
    let scenario = match &options.scenario {
        Some(file) => Scenario::load(file)?,
        None => Scenario::demo()?,
    };
    let scenario = Arc::new(scenario);
    let server = ModelServer::start(Arc::clone(&scenario), options.listen).await.map_err(|error| {
        let what = format!("cannot listen on {}: {error}", options.listen);
        Failure::bad_input(what, "choose another port; port 0 takes a free one")
    })?;
    introduce(&server, &scenario, &settings(options)).map_err(|error| {
        Failure::failed(format!("cannot print: {error}"), "stdout was closed before the address was printed")
    })?;
    until_told().await.map_err(Failure::start)?;
    server.stop().await.map_err(|error| Failure::failed(error, "a Codex still holds its connection; end it"))
}

fn settings(options: Options) -> CodexSettings {
    CodexSettings {
        model: options.model,
        approval_policy: options.approval_policy,
        sandbox_mode: options.sandbox,
        ..CodexSettings::default()
    }
}

fn introduce(server: &ModelServer, scenario: &Scenario, settings: &CodexSettings) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let url = server.base_url();
    writeln!(out, "listening on {url} (scenario: {})\n", scenario.name)?;
    writeln!(out, "# config.toml in an empty CODEX_HOME:\n{}", settings.config_toml(&url))?;
    let flags: Vec<String> = settings.flags(&url).iter().map(|flag| in_shell(flag)).collect();
    writeln!(out, "# or the same as flags:\ncodex {}", flags.join(" "))?;
    out.flush()
}

/// Quoted for a shell, where it needs to be.
fn in_shell(word: &str) -> String {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_=./:".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

async fn until_told() -> io::Result<()> {
    let mut terminated = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminated.recv() => Ok(()),
    }
}
