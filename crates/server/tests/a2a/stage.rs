//! A gateway with agents, which can be ended and opened again on the same data.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use hyper::Method;
use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
};
use selvedge_runtime::{Clock, Config, Runtime};
use selvedge_server::{Agents, Gateway, Options};
use selvedge_session::SessionId;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::{
    door::Door,
    support::{
        http::{Answer, Http},
        stage::{codex, selvedge},
    },
};

/// Who plays.
enum Play {
    StandIn,
    /// The real Codex, with the scripted model.
    Model,
    /// The same, where only who is logged in is answered.
    LockedModel,
}

pub(crate) struct Stage {
    pub(crate) http: Http,
    pub(crate) runtime: Runtime,
    config: Config,
    directory: TempDir,
    clock: Clock,
    model: Option<ModelServer>,
    _door: Option<Door>,
    serving: (Gateway, tokio::task::JoinSet<()>),
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

    [picky]
    extensions = [{ uri = "https://example.org/known", required = true }]

    [small]
    max_file_bytes = 8

    [told]
    model = "gpt-5.5"
    effort = "low"
    sandbox = "read-only"
    instructions = "Speak like a lighthouse."
    busy_policy = "steer"
    on_lost = "hold"
    deadline_seconds = 60
    stall_seconds = 90
"#;

impl Stage {
    pub(crate) async fn rehearsal() -> Self {
        Self::with(AGENTS, false).await
    }

    pub(crate) async fn real() -> Self {
        Self::with(AGENTS, true).await
    }

    /// With these agents on the stand-in, at an address that is known before.
    pub(crate) async fn at(listener: TcpListener, agents: &str) -> Self {
        Self::open(configured(agents, false), Play::StandIn, Some(listener)).await
    }

    /// With these agents, on the stand-in or on the real Codex.
    pub(crate) async fn with(agents: &str, real: bool) -> Self {
        let play = if real { Play::Model } else { Play::StandIn };
        Self::open(configured(agents, real), play, None).await
    }

    /// On the stand-in, in a time that passes when it is told to.
    pub(crate) async fn timed(clock: &Clock) -> Self {
        let config = configured(AGENTS, false);
        Self::open_at(config, Play::StandIn, None, clock.clone()).await
    }

    /// On the real Codex, whose model wants to know who asks; nobody is logged in.
    pub(crate) async fn locked() -> Self {
        Self::open(configured(AGENTS, true), Play::LockedModel, None).await
    }

    async fn open(config: Config, play: Play, listener: Option<TcpListener>) -> Self {
        Self::open_at(config, play, listener, Clock::system()).await
    }

    async fn open_at(mut config: Config, play: Play, listener: Option<TcpListener>, clock: Clock) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (work, home) = (directory.path().join("work"), directory.path().join("home"));
        for made in [&work, &home] {
            fs::create_dir_all(made).unwrap();
        }
        let (model, door) = match play {
            Play::StandIn => (None, None),
            Play::Model => (Some(model(&home, &CodexSettings::default()).await), None),
            Play::LockedModel => {
                let door = Door::closed().await;
                let model = model(&home, &door.settings()).await;
                (Some(model), Some(door))
            }
        };
        if let (Some(model), Some(door)) = (&model, &door) {
            door.leads_to(model.addr());
        }
        config.data_dir = directory.path().join("data");
        config.codex_home = Some(home);
        config.keep_warm = false;
        config.restarts.first_delay_seconds = 0.01;
        config.cwd = Some(work);
        let (runtime, http, serving) = serve(&config, listener, &clock).await;
        Self { http, runtime, config, directory, clock, model, _door: door, serving }
    }

    /// The gateway ends, and another one takes its place.
    pub(crate) async fn restarted(mut self) -> Self {
        self.serving.0.close();
        self.serving.1.shutdown().await;
        self.runtime.shut_down().await;
        (self.runtime, self.http, self.serving) = serve(&self.config, None, &self.clock).await;
        self
    }

    pub(crate) fn work(&self, file: &str) -> PathBuf {
        self.directory.path().join("work").join(file)
    }

    /// Codex's own directory.
    pub(crate) fn home(&self) -> PathBuf {
        self.directory.path().join("home")
    }

    /// The words that the model was asked with last; nothing on the stand-in.
    pub(crate) fn asked_last(&self) -> Option<String> {
        self.model.as_ref()?.requests().pop().map(|request| request.user_text)
    }

    /// How often the model was asked; nothing on the stand-in.
    pub(crate) fn asked_times(&self) -> Option<usize> {
        self.model.as_ref().map(|model| model.requests().len())
    }

    /// As whom the model was asked last; nothing on the stand-in.
    pub(crate) fn asked_by(&self) -> Option<String> {
        self.model.as_ref()?.requests().pop()?.authorization
    }

    /// What the model was asked last, as it came; nothing on the stand-in.
    pub(crate) fn last_request(&self) -> Option<String> {
        let request = self.model.as_ref()?.requests().pop()?;
        Some(String::from_utf8(request.body.to_vec()).unwrap())
    }

    /// Waits until a task is in the middle of its turn: something has begun in it.
    pub(crate) async fn until(&self, task: &Value, name: &str) {
        let session = SessionId(task["contextId"].as_str().unwrap().parse().unwrap());
        let mut events = self.runtime.session(session).await.unwrap().events(0).await.unwrap();
        while !events.next(100).await.unwrap().iter().any(|event| event.name() == name) {}
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
pub(crate) async fn model(home: &Path, settings: &CodexSettings) -> ModelServer {
    let scenario = Arc::new(Scenario::load(scenario()).unwrap());
    ModelServer::in_home(scenario, home, settings).await.unwrap()
}

pub(crate) fn configured(agents: &str, real: bool) -> Config {
    let codex = if real { codex() } else { "rehearsal".into() };
    let mut config = Config { codex: Some(codex), ..Config::default() };
    config.rehearsal.program = Some(selvedge());
    config.rehearsal.scenario = Some(scenario());
    config.agents = toml::from_str(agents).unwrap();
    config
}

/// A place of its own. It is kept: an address that was only free a moment ago may be another test's by now.
pub(crate) async fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

async fn serve(
    config: &Config,
    listening: Option<TcpListener>,
    clock: &Clock,
) -> (Runtime, Http, (Gateway, tokio::task::JoinSet<()>)) {
    let runtime = Runtime::open_at(config.clone(), clock.clone()).await.unwrap();
    let listener = match listening {
        Some(listener) => listener,
        None => listener().await,
    };
    let http = Http::at(listener.local_addr().unwrap()).with("a2a-version", "1.0");
    let options = Options { agents: Agents::of(config).unwrap(), ..Options::default() };
    let gateway = Gateway::new(runtime.clone(), options);
    gateway.resume().await.unwrap();
    let router = selvedge_server::router(gateway.clone());
    let mut serving = tokio::task::JoinSet::new();
    serving.spawn(async move { axum::serve(listener, router).await.unwrap() });
    (runtime, http, (gateway, serving))
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
