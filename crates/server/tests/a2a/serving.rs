//! `selvedge serve` as a process of its own, with an agent on the real Codex that relays hold.

use std::{fs, path::PathBuf, process::Stdio};

use selvedge_rehearsal::model::ModelServer;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};

use crate::{
    stage::{rpc, words},
    support::{
        http::Http,
        stage::{codex, model, selvedge},
    },
};

const TOKEN: &str = "the-owner's-token";

/// Where gateways live one after another.
pub(crate) struct Place {
    directory: TempDir,
    _model: ModelServer,
}

impl Place {
    pub(crate) async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        for made in ["work", "home", "data"] {
            fs::create_dir(directory.path().join(made)).unwrap();
        }
        let model = model(&directory.path().join("home")).await;
        let place = Self { directory, _model: model };
        let agent = format!(
            "[agents.helper]\ncwd = {:?}\napproval_policy = \"on-request\"\npush_to_private = true\npush_retry_seconds = 0.05\n",
            place.inside("work")
        );
        fs::write(place.inside("data/selvedge.toml"), agent).unwrap();
        place
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
    /// Waits until it says where it is.
    pub(crate) async fn start(place: &Place) -> Self {
        let mut command = Command::new(selvedge());
        command.args(["serve", "--listen", "127.0.0.1:0"]).env("SELVEDGE_TOKEN", TOKEN);
        command.arg("--data-dir").arg(place.inside("data")).arg("--codex-home").arg(place.inside("home"));
        command.arg("--codex").arg(codex()).kill_on_drop(true);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).await.unwrap();
        let address = line.strip_prefix("listening on http://").and_then(|rest| rest.split(' ').next());
        let address = address.expect("it says where it is").parse().unwrap();
        let http = Http::at(address).with("authorization", format!("Bearer {TOKEN}"));
        Self { http: http.with("a2a-version", "1.0"), child }
    }

    /// What a call gives.
    pub(crate) async fn call(&self, method: &str, params: Value) -> Value {
        let answer = self.http.post("/a2a", rpc(method, params)).await.expect(200);
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// Says these words, and waits or not; the task.
    pub(crate) async fn say(&self, text: &str, configuration: Value) -> Value {
        let params = json!({"message": words(text), "configuration": configuration});
        self.call("SendMessage", params).await["task"].clone()
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
