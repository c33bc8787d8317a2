//! `selvedge serve` as a process of its own, with an agent on the real Codex that relays hold.

use std::fs;

use serde_json::{Value, json};
use tokio::process::Command;

use crate::{
    stage::{rpc, words},
    support::{
        http::Http,
        serving::{self, Place},
    },
};

/// Where gateways with an agent live one after another.
pub(crate) async fn place() -> Place {
    let place = Place::new().await;
    let agent = format!(
        "[agents.helper]\ncwd = {:?}\napproval_policy = \"on-request\"\npush_to_private = true\npush_retry_seconds = 0.05\n",
        place.inside("work")
    );
    fs::write(place.inside("data/selvedge.toml"), agent).unwrap();
    place
}

/// A gateway that runs.
pub(crate) struct Serving {
    pub(crate) http: Http,
    process: serving::Serving,
}

impl Serving {
    /// Waits until it says where it is.
    pub(crate) async fn start(place: &Place) -> Self {
        Self::before(serving::Serving::start(place).await)
    }

    /// What this starts, and takes this token.
    pub(crate) async fn of(command: Command, token: &str) -> Self {
        Self::before(serving::Serving::of(command, token).await)
    }

    fn before(process: serving::Serving) -> Self {
        Self { http: process.http.clone().with("a2a-version", "1.0"), process }
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

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) async fn kill(self) {
        self.process.kill().await;
    }

    pub(crate) async fn stop(self) {
        self.process.stop().await;
    }
}
