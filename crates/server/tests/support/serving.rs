//! `selvedge serve` as a process of its own, before the real Codex and the scripted model.
#![allow(clippy::disallowed_methods, reason = "a test's child ends with it")]

use std::{fs, path::PathBuf, process::Stdio, sync::Arc};

use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};

use super::{
    http::Http,
    stage::{codex, judge, selvedge},
};

const TOKEN: &str = "the-owner's-token";

/// Where gateways live one after another.
pub(crate) struct Place {
    pub(crate) directory: TempDir,
    pub(crate) model: ModelServer,
}

impl Place {
    pub(crate) async fn new() -> Self {
        Self::playing(Scenario::load(judge()).unwrap()).await
    }

    /// With a model that plays something else than the judge.
    pub(crate) async fn playing(scenario: Scenario) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for made in ["work", "home", "data"] {
            fs::create_dir(directory.path().join(made)).unwrap();
        }
        let (scenario, home) = (Arc::new(scenario), directory.path().join("home"));
        let model = ModelServer::in_home(scenario, &home, &CodexSettings::default()).await.unwrap();
        Self { directory, model }
    }

    pub(crate) fn inside(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
}

/// A gateway that runs.
pub(crate) struct Serving {
    pub(crate) http: Http,
    child: Child,
}

impl Serving {
    /// With app-servers that go on without it.
    pub(crate) async fn start(place: &Place) -> Self {
        Self::with(place, "--relay").await
    }

    /// With app-servers that end with it.
    pub(crate) async fn alone(place: &Place) -> Self {
        Self::with(place, "--no-relay").await
    }

    async fn with(place: &Place, option: &str) -> Self {
        let mut command = Command::new(selvedge());
        command.args(["serve", "--listen", "127.0.0.1:0", option]).env("SELVEDGE_TOKEN", TOKEN);
        command.arg("--data-dir").arg(place.inside("data")).arg("--codex-home").arg(place.inside("home"));
        command.arg("--codex").arg(codex()).kill_on_drop(true);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        Self::of(command, TOKEN).await
    }

    /// What this starts, and takes this token. Waits until it says where it is.
    pub(crate) async fn of(mut command: Command, token: &str) -> Self {
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).await.unwrap();
        let address = line.strip_prefix("listening on http://").and_then(|rest| rest.split(' ').next());
        let address = address.expect("it says where it is").parse().unwrap();
        Self { http: Http::at(address).with("authorization", format!("Bearer {token}")), child }
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// As the system does it when there is no memory left.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// As a person ends it, with all it has begun.
    pub(crate) async fn stop(mut self) {
        let pid =
            i32::try_from(self.child.id().unwrap()).ok().and_then(rustix::process::Pid::from_raw).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        assert!(self.child.wait().await.unwrap().success());
    }
}
