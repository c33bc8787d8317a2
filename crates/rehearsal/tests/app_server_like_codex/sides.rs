//! The two sides: a real Codex on the scripted model, and the simulated one, both on the judge's scenario.

#![expect(clippy::unwrap_used, clippy::panic, reason = "this is a test, though clippy cannot see it")]

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
};

use selvedge_rehearsal::{
    app_server::{Options, serve},
    model::ModelServer,
    scenario::Scenario,
};
use serde_json::{Value, json};
use tokio::{
    process::{Child, Command},
    task::JoinSet,
};

use super::client::Client;

const CODEX: &str = "SELVEDGE_CODEX_0_166_0";

/// One app-server, its client, and where it works.
pub(crate) struct Side {
    pub(crate) client: Client,
    pub(crate) work: PathBuf,
    home: Arc<tempfile::TempDir>,
    server: Server,
}

/// What runs behind a client.
enum Server {
    Real { child: Child, model: Arc<ModelServer> },
    Simulated { _task: JoinSet<std::io::Result<selvedge_rehearsal::app_server::End>> },
}

/// The judge's scenario, and one rule more: a message that stops in its middle. (A request that was interrupted before
/// its first word is another story, and in Codex a race.)
fn scenario() -> Scenario {
    let judge = include_str!("../../../../scenarios/judge.toml");
    let more = r#"
        [[rule]]
        contains = "[stop short]"
        step = [{ do = [{ say = { text = "Half of a", deltas = 1, open = true } }, { hang = {} }] }]
    "#;
    Scenario::parse(&format!("{judge}{more}")).unwrap()
}

/// Both sides, fresh.
pub(crate) async fn both() -> [Side; 2] {
    let model = ModelServer::start(Arc::new(scenario()), "127.0.0.1:0".parse().unwrap()).await.unwrap();
    let real_home = home();
    std::fs::write(real_home.path().join("config.toml"), model.codex_config()).unwrap();
    [real(real_home, Arc::new(model)).await, simulated(home()).await]
}

/// Codex does not like its home under the usual place for temporary files.
fn home() -> Arc<tempfile::TempDir> {
    let home = tempfile::tempdir_in("/var/tmp").unwrap();
    std::fs::create_dir(home.path().join("work")).unwrap();
    Arc::new(home)
}

#[expect(clippy::disallowed_methods, reason = "the owner is this test; the child ends with it")]
async fn real(home: Arc<tempfile::TempDir>, model: Arc<ModelServer>) -> Side {
    let codex = std::env::var_os(CODEX).unwrap_or_else(|| {
        panic!("{CODEX} is not set to the native Codex 0.166.0 binary: run `cargo xtask setup`, it prints it")
    });
    let mut child = Command::new(codex)
        .arg("app-server")
        .current_dir(home.path())
        .env("CODEX_HOME", home.path())
        // Codex runs commands in a login shell; what a person's profile does is no part of this.
        .env("HOME", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let client = Client::new(child.stdin.take().unwrap(), child.stdout.take().unwrap());
    Side::new(client, home, Server::Real { child, model }).await
}

async fn simulated(home: Arc<tempfile::TempDir>) -> Side {
    let (to_server, server_in) = tokio::io::duplex(64 * 1024);
    let (server_out, from_server) = tokio::io::duplex(64 * 1024);
    let faults = "".parse().unwrap();
    let options =
        Options { scenario: scenario(), faults, home: Some(home.path().to_owned()), env: Vec::new() };
    let mut task = JoinSet::new();
    task.spawn(serve(options, server_in, server_out));
    Side::new(Client::new(to_server, from_server), home, Server::Simulated { _task: task }).await
}

impl Side {
    async fn new(mut client: Client, home: Arc<tempfile::TempDir>, server: Server) -> Self {
        client.initialize().await;
        client.until("remoteControl/status/changed").await;
        client.forget();
        let work = home.path().join("work");
        Self { client, work, home, server }
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Starts a thread in the working directory.
    pub(crate) async fn thread(&mut self, more: Value) -> String {
        let mut params = json!({ "cwd": self.work });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let thread = self.client.start_thread(params).await;
        self.client.until("thread/started").await;
        thread
    }

    /// Kills the process, or what stands for it, and starts another with the same home.
    pub(crate) async fn killed(self) -> Self {
        let Self { home, server, client, .. } = self;
        match server {
            Server::Real { mut child, model } => {
                child.kill().await.unwrap();
                drop(client);
                real(home, model).await
            }
            Server::Simulated { _task: mut task } => {
                task.shutdown().await;
                drop(client);
                simulated(home).await
            }
        }
    }
}
