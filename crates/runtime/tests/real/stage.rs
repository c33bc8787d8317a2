//! A real Codex in a home of its own, a scripted model, and what a test does with them.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use selvedge_client::{
    Abilities, AppServer, Client, Inbox, Introduction, Launch, Line, Message, process::Process,
};
use selvedge_protocol::{
    calls,
    frame::RequestId,
    say::{AskForApproval, SandboxMode, ThreadStartParams, TurnStartParams},
    see::{Notification, ThreadStartResponse},
};
use selvedge_rehearsal::{model::ModelServer, scenario::Scenario};
use selvedge_runtime::{
    examine::Whom,
    to_codex::{ThreadNow, TurnStart, turn_start},
};
use selvedge_session::{InputPart, MessageId, Options, Settings};
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::timeout;
use uuid::Uuid;

const VARIABLE: &str = "SELVEDGE_CODEX_0_166_0";
/// Longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// One test's Codex and model.
pub(crate) struct Stage {
    root: TempDir,
    pub(crate) workspace: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) model: ModelServer,
    launch: Launch,
    pub(crate) client: Client,
    pub(crate) process: Process,
    inbox: Inbox,
    can: Abilities,
}

impl Stage {
    pub(crate) async fn open() -> Self {
        let root = tempfile::Builder::new().prefix("runtime-").tempdir_in("/var/tmp").unwrap();
        let path = root.path().canonicalize().unwrap();
        let [home, workspace] = ["home", "workspace"].map(|name| path.join(name));
        fs::create_dir(&home).unwrap();
        fs::create_dir(&workspace).unwrap();
        let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/judge.toml");
        let scenario = Arc::new(Scenario::load(scenario).unwrap());
        let model = ModelServer::start(scenario, "127.0.0.1:0".parse().unwrap()).await.unwrap();
        fs::write(home.join("config.toml"), model.codex_config()).unwrap();
        let codex = std::env::var_os(VARIABLE).unwrap_or_else(|| {
            panic!("{VARIABLE} is not set\n  `cargo xtask setup` installs the real Codex")
        });
        let launch = Launch::find(Some(Path::new(&codex))).unwrap();
        let launch = launch.codex_home(&home).env("HOME", &home).directory(&workspace);
        let AppServer { client, inbox, process } = start(&launch).await;
        let can = client.abilities().await.unwrap();
        Self { root, workspace, home, model, launch, client, process, inbox, can }
    }

    /// Who is asked what became of something.
    pub(crate) fn whom(&self) -> Whom<'_> {
        (&self.client, &self.can)
    }

    /// A second process beside the first, in the same home.
    pub(crate) async fn another(&self) -> AppServer {
        let mut launch = self.launch.clone();
        launch.marker = Uuid::now_v7();
        start(&launch).await
    }

    /// Kills the process as the kernel would, and puts another in its place.
    pub(crate) async fn kill_and_start_again(&mut self) {
        self.process.kill().await;
        let AppServer { client, inbox, process } = self.another().await;
        (self.client, self.inbox, self.process) = (client, inbox, process);
    }

    pub(crate) async fn close(self) {
        self.process.shut_down().await;
        self.model.stop().await.unwrap();
        self.root.close().unwrap();
    }

    /// Starts a thread; its id and its rollout.
    pub(crate) async fn thread(&self, mut params: ThreadStartParams) -> (String, PathBuf) {
        params.cwd = Some(self.workspace.display().to_string());
        let answer = self.client.call::<calls::ThreadStart>(&params).await.expect("a thread");
        let reply: ThreadStartResponse<'_> = answer.read().unwrap();
        let thread = reply.thread().unwrap();
        (thread.id.clone().into_owned(), PathBuf::from(thread.path().unwrap_or_default().as_ref()))
    }

    /// Starts a turn with a message of ours; its id.
    pub(crate) async fn turn(&self, thread: &str, message: MessageId, words: &str) -> String {
        let answer = self.client.call::<calls::TurnStart>(&said(thread, message, words)).await;
        answer.expect("a turn").read().unwrap().turn().unwrap().id.into_owned()
    }

    /// A whole turn; its last line.
    pub(crate) async fn play(&mut self, thread: &str, words: &str) -> (String, Value) {
        let turn = self.turn(thread, fresh(), words).await;
        let end = self.until(|told| match told {
            Notification::TurnCompleted(it) => {
                let end = it.turn().filter(|end| end.id == turn)?;
                Some(serde_json::from_str(end.as_raw().get()).unwrap())
            }
            _ => None,
        });
        let end = end.await;
        (turn, end)
    }

    /// Hears on until `find` finds something.
    pub(crate) async fn until<T>(&mut self, mut find: impl FnMut(&Notification<'_>) -> Option<T>) -> T {
        loop {
            let line: Line = timeout(PATIENCE, self.inbox.next()).await.expect("a word").expect("no end");
            if let Message::Notification(told) = line.message()
                && let Some(found) = find(&told)
            {
                return found;
            }
        }
    }

    /// The next request of Codex: its id and its parameters.
    pub(crate) async fn next_ask(&mut self) -> (RequestId<'static>, Value) {
        loop {
            let line: Line = timeout(PATIENCE, self.inbox.next()).await.expect("a word").expect("no end");
            if let Message::Request { id, request } = line.message() {
                let params = request.params().map(|raw| serde_json::from_str(raw.get()).unwrap());
                return (id.into_owned(), params.unwrap_or_default());
            }
        }
    }

    pub(crate) async fn until_method(&mut self, method: &str) {
        self.until(|told| (told.method() == method).then_some(())).await;
    }
}

async fn start(launch: &Launch) -> AppServer {
    let server = AppServer::spawn(launch.clone()).expect("an app-server");
    server.client.initialize(&Introduction::new("runtime-test", "1.0.0")).await.expect("a handshake");
    server
}

/// An id nobody has.
pub(crate) fn fresh() -> MessageId {
    MessageId(Uuid::now_v7())
}

/// `turn/start` with a text.
pub(crate) fn said(thread: &str, message_id: MessageId, words: &str) -> TurnStartParams {
    let input = [InputPart::Text { text: words.to_owned() }];
    let (options, settings, now) = (Options::default(), Settings::default(), ThreadNow::default());
    let start = TurnStart {
        thread_id: thread,
        message_id,
        input: &input,
        options: &options,
        after: None,
        settings: &settings,
        now: &now,
    };
    turn_start(&start, &|_| PathBuf::new())
}

/// A thread that asks nobody and may do everything.
pub(crate) fn unsandboxed() -> ThreadStartParams {
    ThreadStartParams {
        approval_policy: Some(AskForApproval::Never),
        sandbox: Some(SandboxMode::DangerFullAccess),
        ..Default::default()
    }
}
