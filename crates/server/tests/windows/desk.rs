//! A gateway behind its guard, before the real Codex and a model that says what it is told, under a mark.

use std::{
    env,
    path::{Path, PathBuf},
};

use selvedge_rehearsal::{
    model::{ModelServer, RecordedRequest},
    scenario::Scenario,
};
use selvedge_runtime::Config;
use selvedge_server::{Settings, Stop};
use serde_json::{Value, json};

use crate::{
    gate::{Gate, settings},
    support::{http::Http, serving::Place, stage::codex},
};

/// What the model does: it says its mark, calls a tool with it, or begins and never ends.
const MARKED: &str = r#"
name = "windows"
[[rule]]
regex = '\[call (\w+)\]'
step = [
  { do = [ { mcp = { server = "selvedge", tool = "look", arguments = { mark = "$1" }, fill = true } } ] },
  { do = [ { say = { text = "called as $1", phase = "final_answer" } } ] },
]
[[rule]]
regex = '\[hold (\w+)\]'
step = [ { do = [ { say = { text = "begun as $1", open = true } }, { hang = {} } ] } ]
[[rule]]
regex = '\[name (\w+)\]'
step = [ { do = [ { say = { text = "named $1", phase = "final_answer" } } ] } ]
"#;

/// Where gateways live one after another, with that model.
pub(crate) async fn place() -> Place {
    Place::playing(Scenario::parse(MARKED).unwrap()).await
}

/// A gateway in this program.
pub(crate) struct Desk {
    pub(crate) gate: Gate,
    pub(crate) http: Http,
    model: ModelServer,
}

impl Desk {
    pub(crate) async fn open() -> Self {
        Self::with(settings()).await
    }

    pub(crate) async fn with(settings: Settings) -> Self {
        Self::on(place().await, settings, codex()).await
    }

    /// On another Codex than the newest, as the environment names it.
    pub(crate) async fn of_version(version: &str) -> Self {
        let codex = env::var_os(format!("SELVEDGE_CODEX_{version}"));
        Self::on(place().await, settings(), codex.expect("`cargo xtask test` says where it is").into()).await
    }

    async fn on(Place { directory, model }: Place, settings: Settings, codex: PathBuf) -> Self {
        let config = config(directory.path(), codex);
        let gate = Gate::on(directory, Settings { drain: 0, ..settings }, config).await;
        let http = gate.owner();
        Self { gate, http, model }
    }

    /// The next gateway on the same directory, at whatever address is free.
    pub(crate) async fn again(self) -> Self {
        let Self { gate: Gate { directory, stop, running, .. }, model, .. } = self;
        stop.send_replace(Stop::Drain);
        running.await.unwrap();
        Self::on(Place { directory, model }, settings(), codex()).await
    }

    /// Makes a session with the tool `look` by MCP.
    pub(crate) async fn session(&self) -> String {
        made(&self.http, &self.gate.work(), json!({})).await
    }

    /// What the model was asked, with this in the last that a person said.
    pub(crate) fn asked(&self, said: &str) -> Vec<RecordedRequest> {
        let requests = self.model.requests().into_iter();
        requests.filter(|request| request.user_text.contains(said)).collect()
    }

    pub(crate) async fn close(self) {
        self.gate.close().await;
    }
}

fn config(directory: &Path, codex: PathBuf) -> Config {
    let (data_dir, home) = (directory.join("data"), directory.join("home"));
    let mut config = Config { data_dir, codex: Some(codex), codex_home: Some(home), ..Config::default() };
    config.keep_warm = false;
    config.restarts.first_delay_seconds = 0.01;
    config
}

/// Makes a session with the tool `look` by MCP, and these fields.
pub(crate) async fn made(http: &Http, work: &Path, mut fields: Value) -> String {
    let look = json!({
        "name": "look", "description": "Looks.",
        "input_schema": {"type": "object", "properties": {"mark": {"type": "string"}}},
    });
    let both = json!({"cwd": work, "tools": [look], "tools_via": "mcp", "approval_policy": "on-request"});
    for (name, value) in both.as_object().unwrap() {
        fields.as_object_mut().unwrap().entry(name).or_insert_with(|| value.clone());
    }
    http.post("/v1/sessions", fields).await.expect(201)["id"].as_str().unwrap().to_owned()
}
