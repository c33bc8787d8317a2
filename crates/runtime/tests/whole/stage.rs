//! A runtime on a directory of its own, with the stand-in or the real Codex behind it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
};
use selvedge_runtime::{
    Clock, Config, Message, MessageView, NewSession, Runtime, SessionHandle, session::Settings,
};
use serde_json::Value;
use tempfile::TempDir;

/// Plays a case on the stand-in and on the real Codex.
macro_rules! on_both {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            use crate::stage::{Setup, in_time};

            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_stand_in() {
                in_time(super::$case(Setup::rehearsal())).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_real_codex() {
                in_time(super::$case(Setup::real())).await;
            }
        }
    )+};
}

/// Plays a case on the real Codex only: the stand-in cannot.
macro_rules! on_the_real {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            use crate::stage::{Setup, in_time};

            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_real_codex() {
                in_time(super::$case(Setup::real())).await;
            }
        }
    )+};
}

/// Plays a case on the stand-in only: the real Codex cannot be made to.
macro_rules! on_the_stand_in {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            use crate::stage::{Setup, in_time};

            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_stand_in() {
                in_time(super::$case(Setup::rehearsal())).await;
            }
        }
    )+};
}

pub(crate) use {on_both, on_the_real, on_the_stand_in};

/// A case that waits for what never comes fails, instead of keeping everybody waiting.
pub(crate) async fn in_time(case: impl Future<Output = ()>) {
    let limit = std::time::Duration::from_secs(90);
    tokio::time::timeout(limit, case).await.expect("the case ends in time");
}

/// What a stage is to be made with.
pub(crate) struct Setup {
    pub(crate) real: bool,
    codex: CodexSettings,
    config: Config,
    clock: Clock,
    scenario: Option<String>,
}

impl Setup {
    /// With the stand-in.
    pub(crate) fn rehearsal() -> Self {
        let mut config = Config::default();
        config.codex = Some("rehearsal".into());
        config.rehearsal.program = Some(selvedge());
        Self::new(false, config)
    }

    /// With the real Codex, and the scripted model behind it.
    pub(crate) fn real() -> Self {
        let codex = env::var_os("SELVEDGE_CODEX_0_166_0").expect("`cargo xtask test` says where Codex is");
        let mut config = Config::default();
        config.codex = Some(codex.into());
        Self::new(true, config)
    }

    fn new(real: bool, mut config: Config) -> Self {
        config.restarts.first_delay_seconds = 0.01;
        config.restarts.max = 100;
        config.keep_warm = false;
        Self { real, codex: CodexSettings::default(), config, clock: Clock::system(), scenario: None }
    }

    /// With another configuration of the runtime.
    pub(crate) fn config(mut self, change: impl FnOnce(&mut Config)) -> Self {
        change(&mut self.config);
        self
    }

    /// With another configuration of Codex.
    pub(crate) fn codex(mut self, settings: CodexSettings) -> Self {
        self.codex = settings;
        self
    }

    /// With a clock that is turned by hand.
    pub(crate) fn clock(mut self, clock: &Clock) -> Self {
        self.clock = clock.clone();
        self
    }

    /// With rules of its own before the judge's.
    pub(crate) fn rules(mut self, rules: &str) -> Self {
        let judge = fs::read_to_string(judge()).unwrap();
        let judge = judge.replace("name = \"judge\"", "");
        self.scenario = Some(format!("name = \"whole\"\n{rules}\n{judge}"));
        self
    }

    /// Opens it.
    pub(crate) async fn open(mut self) -> Stage {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().join("home");
        for made in [directory.path().join("work"), home.clone()] {
            fs::create_dir_all(made).unwrap();
        }
        let scenario = match &self.scenario {
            Some(text) => {
                let file = directory.path().join("scenario.toml");
                fs::write(&file, text).unwrap();
                file
            }
            None => judge(),
        };
        let model = if self.real { Some(self.model(&scenario, &home).await) } else { None };
        self.config.data_dir = directory.path().join("data");
        self.config.codex_home = Some(home);
        self.config.rehearsal.scenario = Some(scenario);
        let runtime = Runtime::open_at(self.config.clone(), self.clock.clone()).await.unwrap();
        Stage { runtime, directory, model, config: self.config, clock: self.clock }
    }

    async fn model(&self, scenario: &Path, home: &Path) -> ModelServer {
        let scenario = Arc::new(Scenario::load(scenario).unwrap());
        let model = ModelServer::start(scenario, "127.0.0.1:0".parse().unwrap()).await.unwrap();
        // No login shell of this machine's user: what its files start is not what is tried here, and may take long.
        let own_home = serde_json::json!(home).to_string();
        let settings = self.codex.clone().with("features.shell_snapshot", "false");
        let settings = settings.with("shell_environment_policy.set.HOME", &own_home);
        fs::write(home.join("config.toml"), model.codex_config_with(&settings)).unwrap();
        model
    }
}

/// A runtime, and everything it stands on.
pub(crate) struct Stage {
    pub(crate) runtime: Runtime,
    pub(crate) directory: TempDir,
    model: Option<ModelServer>,
    config: Config,
    clock: Clock,
}

impl Stage {
    pub(crate) async fn session(&self) -> SessionHandle {
        self.session_with(|_| {}).await
    }

    /// A session with settings of its own.
    pub(crate) async fn session_with(&self, change: impl FnOnce(&mut Settings)) -> SessionHandle {
        let mut new = self.new_session();
        change(&mut new.settings);
        self.runtime.create(new).await.unwrap()
    }

    pub(crate) fn new_session(&self) -> NewSession {
        NewSession::in_directory(self.work("").to_str().unwrap())
    }

    /// A file in the directory where sessions work.
    pub(crate) fn work(&self, file: &str) -> PathBuf {
        self.directory.path().join("work").join(file)
    }

    /// Whether the model can be asked what it saw.
    pub(crate) fn is_real(&self) -> bool {
        self.model.is_some()
    }

    /// What the model was asked, oldest first; nothing on the stand-in, which has no model.
    pub(crate) fn asked(&self) -> Vec<Value> {
        let requests = self.model.iter().flat_map(ModelServer::requests);
        requests.map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
    }

    /// The last request to the model, as text.
    pub(crate) fn last_asked(&self) -> String {
        self.asked().last().expect("the model was asked").to_string()
    }

    /// The same directory, opened again after everything rested.
    pub(crate) async fn again(self) -> Self {
        self.runtime.shut_down().await;
        self.nothing_lives();
        let runtime = Runtime::open_at(self.config.clone(), self.clock.clone()).await.unwrap();
        Self { runtime, ..self }
    }

    /// Lets everything rest; nothing that was started is left.
    pub(crate) async fn close(self) {
        self.runtime.shut_down().await;
        self.nothing_lives();
        if let Some(model) = self.model {
            model.stop().await.unwrap();
        }
    }

    /// SIGKILL for every app-server of this stage, also for one that waits for its first use.
    pub(crate) fn kill_app_servers(&self) {
        let servers = self.processes().into_iter().filter(|process| process.contains("app-server"));
        let mut killed = 0;
        for process in servers {
            let pid = process.strip_prefix("/proc/").and_then(|rest| rest.split(' ').next());
            let pid = rustix::process::Pid::from_raw(pid.unwrap().parse().unwrap()).unwrap();
            // One that has ended meanwhile is as dead as we want it.
            let _gone = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            killed += 1;
        }
        assert!(killed > 0, "no app-server runs");
    }

    fn nothing_lives(&self) {
        assert_eq!(self.processes(), Vec::<String>::new(), "left running");
    }

    /// What runs with this stage's directory in its environment: app-servers and everything they started.
    pub(crate) fn processes(&self) -> Vec<String> {
        let mark = self.directory.path().as_os_str().as_encoded_bytes().to_owned();
        let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let ours = processes.filter(|process| {
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            environment.windows(mark.len()).any(|part| part == mark)
        });
        let command = |process: PathBuf| {
            let words = fs::read(process.join("cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            format!("{} {words}", process.display())
        };
        ours.map(command).collect()
    }
}

/// Sends words and waits for their end.
pub(crate) async fn say(session: &SessionHandle, text: &str) -> MessageView {
    let sent = session.send(Message::text(text)).await.unwrap();
    session.finished(sent.message_id).await.unwrap()
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

fn judge() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/judge.toml"))
}
