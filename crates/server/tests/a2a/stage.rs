//! A gateway with agents, which can be ended and opened again on the same data.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use hyper::Method;
use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
};
use selvedge_runtime::{Config, Runtime};
use selvedge_server::{Agents, Gateway, Options};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    http::{Answer, Http},
    stage::{codex, selvedge},
};

pub(crate) struct Stage {
    pub(crate) http: Http,
    pub(crate) runtime: Runtime,
    config: Config,
    directory: TempDir,
    _model: Option<ModelServer>,
    serving: tokio::task::JoinSet<()>,
}

/// The agents of a stage, without where they work.
const AGENTS: &str = r#"
    [helper]
    name = "Helper"
    description = "Helps."
    default = true
    approval_policy = "on-request"
    skills = [{ id = "help", name = "Help", description = "It helps.", tags = ["help"] }]
    extended_skills = [{ id = "secret", name = "Secret", description = "Only for some.", tags = ["secret"] }]
    push_to_private = true
    push_retry_seconds = 0.01

    [plain]
    answers = "message"

    [hasty]
    busy_policy = "interrupt"

    [strict]
    busy_policy = "reject"
    input_modes = ["text/plain"]
    push = false
"#;

impl Stage {
    pub(crate) async fn rehearsal() -> Self {
        Self::with(AGENTS, false).await
    }

    pub(crate) async fn real() -> Self {
        Self::with(AGENTS, true).await
    }

    /// With these agents on the stand-in, at this address.
    pub(crate) async fn at(address: SocketAddr, agents: &str) -> Self {
        Self::open(configured(agents, false), false, Some(address)).await
    }

    /// With these agents, on the stand-in or on the real Codex.
    pub(crate) async fn with(agents: &str, real: bool) -> Self {
        Self::open(configured(agents, real), real, None).await
    }

    async fn open(mut config: Config, real: bool, address: Option<SocketAddr>) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (work, home) = (directory.path().join("work"), directory.path().join("home"));
        for made in [&work, &home] {
            fs::create_dir_all(made).unwrap();
        }
        let model = if real { Some(model(&home).await) } else { None };
        config.data_dir = directory.path().join("data");
        config.codex_home = Some(home);
        config.keep_warm = false;
        config.restarts.first_delay_seconds = 0.01;
        config.cwd = Some(work);
        let (runtime, http, serving) = serve(&config, address).await;
        Self { http, runtime, config, directory, _model: model, serving }
    }

    /// The gateway ends, and another one takes its place.
    pub(crate) async fn restarted(mut self) -> Self {
        self.serving.shutdown().await;
        self.runtime.shut_down().await;
        (self.runtime, self.http, self.serving) = serve(&self.config, None).await;
        self
    }

    pub(crate) fn work(&self, file: &str) -> PathBuf {
        self.directory.path().join("work").join(file)
    }

    /// Where everything durable lies.
    pub(crate) fn data(&self) -> &std::path::Path {
        &self.config.data_dir
    }

    pub(crate) async fn close(self) {
        self.runtime.shut_down().await;
    }

    /// What a call gives.
    pub(crate) async fn call(&self, method: &str, params: Value) -> Value {
        let answer = self.ask("/a2a", method, params).await;
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// Why a call was refused: its code, and the reason it names.
    pub(crate) async fn refused(&self, method: &str, params: Value) -> (i64, String) {
        let answer = self.ask("/a2a", method, params).await;
        let error = &answer["error"];
        assert_eq!(error.as_object().unwrap().len(), 3, "{answer}");
        assert_eq!(error["data"][0]["@type"], "type.googleapis.com/google.rpc.ErrorInfo", "{answer}");
        (error["code"].as_i64().unwrap(), error["data"][0]["reason"].as_str().unwrap().to_owned())
    }

    /// The whole answer to a call, at an address.
    pub(crate) async fn ask(&self, path: &str, method: &str, params: Value) -> Value {
        let answer = self.http.post(path, rpc(method, params)).await.expect(200);
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)));
        answer
    }

    /// Says these words in a new context, and waits; the task.
    pub(crate) async fn say(&self, text: &str) -> Value {
        self.call("SendMessage", json!({"message": words(text)})).await["task"].clone()
    }

    /// Says these words, and does not wait.
    pub(crate) async fn begin(&self, text: &str) -> Value {
        let params = json!({"message": words(text), "configuration": {"returnImmediately": true}});
        self.call("SendMessage", params).await["task"].clone()
    }

    /// A task as it stands.
    pub(crate) async fn task(&self, id: &Value) -> Value {
        self.call("GetTask", json!({"id": id})).await
    }

    /// Over the other binding.
    pub(crate) async fn rest(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.http.ask(method, &format!("/a2a/rest{path}"), body).await
    }
}

/// The judge's rules, and some for what only agents do.
fn scenario() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/a2a/scenario.toml"))
}

/// The scripted model, with a configuration in Codex's home that leads to it.
async fn model(home: &Path) -> ModelServer {
    let scenario = Arc::new(Scenario::load(scenario()).unwrap());
    ModelServer::in_home(scenario, home, &CodexSettings::default()).await.unwrap()
}

pub(crate) fn configured(agents: &str, real: bool) -> Config {
    let codex = if real { codex() } else { "rehearsal".into() };
    let mut config = Config { codex: Some(codex), ..Config::default() };
    config.rehearsal.program = Some(selvedge());
    config.rehearsal.scenario = Some(scenario());
    config.agents = toml::from_str(agents).unwrap();
    config
}

/// An address that nobody had a moment ago.
pub(crate) fn free_address() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

async fn serve(config: &Config, address: Option<SocketAddr>) -> (Runtime, Http, tokio::task::JoinSet<()>) {
    let runtime = Runtime::open(config.clone()).await.unwrap();
    let listener = tokio::net::TcpListener::bind(address.unwrap_or_else(free_address)).await.unwrap();
    let http = Http::at(listener.local_addr().unwrap()).with("a2a-version", "1.0");
    let options = Options { agents: Agents::of(config).unwrap(), ..Options::default() };
    let gateway = Gateway::new(runtime.clone(), options);
    gateway.resume().await.unwrap();
    let router = selvedge_server::router(gateway);
    let mut serving = tokio::task::JoinSet::new();
    serving.spawn(async move { axum::serve(listener, router).await.unwrap() });
    (runtime, http, serving)
}

pub(crate) fn rpc(method: &str, params: Value) -> Value {
    let mut call = json!({"jsonrpc": "2.0", "id": 7, "method": method});
    call["params"] = params;
    call
}

/// The rest of an answer, to its end.
pub(crate) async fn whole(answer: hyper::Response<hyper::body::Incoming>) -> bytes::Bytes {
    http_body_util::BodyExt::collect(answer.into_body()).await.unwrap().to_bytes()
}

/// What a stream that has ended said, and with which numbers.
pub(crate) fn said(body: &[u8]) -> Vec<(Option<u64>, Value)> {
    let frames = std::str::from_utf8(body).unwrap().split("\n\n");
    let read = |frame: &str| {
        let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
        let data = serde_json::from_str(field("data: ")?).unwrap();
        Some((field("id: ").map(|id| id.parse().unwrap()), data))
    };
    frames.filter_map(read).collect()
}

/// A message of these words.
pub(crate) fn words(text: &str) -> Value {
    json!({"messageId": uuid::Uuid::now_v7(), "role": "ROLE_USER", "parts": [{"text": text}]})
}
