//! A runtime on a directory of its own, with the stand-in or the real Codex behind it.

use std::{env, fs, path::PathBuf, sync::Arc, time::Duration};

use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
};
use selvedge_runtime::{Config, Events, Message, MessageView, NewSession, Runtime, SessionHandle};
use selvedge_runtime::session::{ApprovalPolicy, Event, MessageId, Sandbox, What};
use tempfile::TempDir;
use tokio::time::timeout;

/// How long a test waits for what has to come.
const PATIENCE: Duration = Duration::from_secs(40);

/// A runtime, and everything it stands on.
pub(crate) struct Stage {
    pub(crate) runtime: Runtime,
    pub(crate) directory: TempDir,
    pub(crate) model: Option<ModelServer>,
    config: Config,
}

impl Stage {
    /// With the stand-in behind it.
    pub(crate) async fn rehearsal() -> Self {
        Self::with(|_| {}).await
    }

    /// With the stand-in behind it, and something configured.
    pub(crate) async fn with(configure: impl FnOnce(&mut Config)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut config = Config::new(directory.path().join("data"));
        config.codex = Some("rehearsal".into());
        config.codex_home = Some(directory.path().join("home"));
        config.rehearsal.program = Some(selvedge());
        config.rehearsal.scenario = Some(scenario());
        quick(&mut config);
        configure(&mut config);
        Self::open(directory, config, None).await
    }

    /// With the real Codex behind it, and the scripted model behind that.
    pub(crate) async fn real() -> Self {
        let codex = env::var_os("SELVEDGE_CODEX_0_166_0").expect("`cargo xtask test` says where Codex is");
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().join("home");
        fs::create_dir_all(&home).unwrap();
        let scenario = Arc::new(Scenario::load(&scenario()).unwrap());
        let model = ModelServer::start(scenario, "127.0.0.1:0".parse().unwrap()).await.unwrap();
        fs::write(home.join("config.toml"), model.codex_config_with(&CodexSettings::default())).unwrap();
        let mut config = Config::new(directory.path().join("data"));
        config.codex = Some(codex.into());
        config.codex_home = Some(home);
        quick(&mut config);
        Self::open(directory, config, Some(model)).await
    }

    async fn open(directory: TempDir, config: Config, model: Option<ModelServer>) -> Self {
        fs::create_dir_all(directory.path().join("work")).unwrap();
        fs::create_dir_all(directory.path().join("home")).unwrap();
        let runtime = Runtime::open(config.clone()).await.unwrap();
        Self { runtime, directory, model, config }
    }

    pub(crate) async fn session(&self) -> SessionHandle {
        self.runtime.create(self.new_session()).await.unwrap()
    }

    /// A session whose commands run as they are: not every machine can make a sandbox.
    pub(crate) async fn unsandboxed(&self) -> SessionHandle {
        let mut new = self.new_session();
        new.settings.sandbox = Some(Sandbox::DangerFullAccess);
        new.settings.approval_policy = Some(ApprovalPolicy::Never);
        self.runtime.create(new).await.unwrap()
    }

    /// SIGKILL for every app-server of this stage; the one that waits for its first use too.
    pub(crate) fn kill_app_servers(&self) {
        let home = format!("CODEX_HOME={}", self.directory.path().join("home").display());
        let mut killed = 0;
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let ours = environment.split(|byte| *byte == 0).any(|one| one == home.as_bytes());
            if ours && command.split(|byte| *byte == 0).any(|word| word == b"app-server") {
                let pid = rustix::process::Pid::from_raw(pid).unwrap();
                // One that has ended meanwhile is as dead as we want it.
                let _gone = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
                killed += 1;
            }
        }
        assert!(killed > 0, "no app-server runs");
    }

    pub(crate) fn new_session(&self) -> NewSession {
        NewSession::in_directory(self.directory.path().join("work").to_str().unwrap())
    }

    /// The same directory, opened again after everything rested.
    pub(crate) async fn again(self) -> Self {
        self.runtime.shut_down().await;
        let runtime = Runtime::open(self.config.clone()).await.unwrap();
        Self { runtime, ..self }
    }

    pub(crate) async fn close(self) {
        self.runtime.shut_down().await;
        if let Some(model) = self.model {
            model.stop().await.unwrap();
        }
    }
}

/// A test does not wait for a process to be replaced.
fn quick(config: &mut Config) {
    config.restarts.first_delay_seconds = 0.01;
    config.restarts.max = 100;
}

/// Sends words and waits for their end.
pub(crate) async fn say(session: &SessionHandle, text: &str) -> MessageView {
    let sent = session.send(Message::text(text)).await.unwrap();
    end(session, sent.message_id).await
}

/// Reads on until an event is the one that is waited for. A test that would wait for ever says what it saw.
pub(crate) async fn until(events: &mut Events, mut is_it: impl FnMut(&What) -> bool) -> Event {
    let mut seen = Vec::new();
    let found = timeout(PATIENCE, async {
        loop {
            for written in events.next(1).await.unwrap() {
                let event = written.read().unwrap();
                if is_it(&event.what) {
                    return event;
                }
                seen.push(event.what);
            }
        }
    });
    found.await.ok().unwrap_or_else(|| panic!("it did not come; what came instead: {seen:#?}"))
}

/// A message's end.
pub(crate) async fn end(session: &SessionHandle, id: MessageId) -> MessageView {
    match timeout(PATIENCE, session.finished(id)).await {
        Ok(view) => view.unwrap(),
        Err(_elapsed) => panic!("it did not end; what was told: {:#?}", told(session).await),
    }
}

/// Everything that was told so far.
pub(crate) async fn told(session: &SessionHandle) -> Vec<What> {
    let mut events = session.events(0).await.unwrap();
    let written = events.there(1000).await.unwrap();
    written.iter().map(|written| written.read().unwrap().what).collect()
}

/// The `selvedge` that plays the stand-in: `cargo xtask test` says which, else the one beside this test.
fn selvedge() -> PathBuf {
    env::var_os("SELVEDGE_BIN").map_or_else(
        || {
            let test = env::current_exe().unwrap();
            test.parent().and_then(|deps| deps.parent()).unwrap().join("selvedge")
        },
        PathBuf::from,
    )
}

fn scenario() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/judge.toml"))
}
