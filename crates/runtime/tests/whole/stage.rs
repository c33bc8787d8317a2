//! A runtime on a directory of its own, with the stand-in or the real Codex behind it.

use std::{env, fs, path::PathBuf, sync::Arc};

use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
};
use selvedge_runtime::{Config, Events, Message, MessageView, NewSession, Runtime, SessionHandle};
use selvedge_runtime::session::{Event, What};
use tempfile::TempDir;

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
        let directory = tempfile::tempdir().unwrap();
        let mut config = Config::new(directory.path().join("data"));
        config.codex = Some("rehearsal".into());
        config.codex_home = Some(directory.path().join("home"));
        config.rehearsal.program = Some(selvedge());
        config.rehearsal.scenario = Some(scenario());
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
        Self::open(directory, config, Some(model)).await
    }

    async fn open(directory: TempDir, mut config: Config, model: Option<ModelServer>) -> Self {
        fs::create_dir_all(directory.path().join("work")).unwrap();
        fs::create_dir_all(directory.path().join("home")).unwrap();
        config.restarts.first_delay_seconds = 0.01;
        config.restarts.max = 100;
        let runtime = Runtime::open(config.clone()).await.unwrap();
        Self { runtime, directory, model, config }
    }

    pub(crate) async fn session(&self) -> SessionHandle {
        self.runtime.create(self.new_session()).await.unwrap()
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

/// Sends words and waits for their end.
pub(crate) async fn say(session: &SessionHandle, text: &str) -> MessageView {
    let sent = session.send(Message::text(text)).await.unwrap();
    session.finished(sent.message_id).await.unwrap()
}

/// Reads on until an event is the one that is waited for.
pub(crate) async fn until(events: &mut Events, mut is_it: impl FnMut(&What) -> bool) -> Event {
    loop {
        for written in events.next(1).await.unwrap() {
            let event = written.read().unwrap();
            if is_it(&event.what) {
                return event;
            }
        }
    }
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
