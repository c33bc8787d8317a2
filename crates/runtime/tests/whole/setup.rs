//! What a stage is to be made with, and on which backends a case is played.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
};
use selvedge_runtime::{Clock, Config, Relay, Runtime};
use tempfile::TempDir;

use crate::stage::Stage;

/// Plays a case on the stand-in and on the real Codex.
macro_rules! on_both {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            use crate::{report::on_the_judged, setup::{Setup, in_time}};

            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_stand_in() {
                in_time(super::$case(Setup::rehearsal())).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_real_codex() {
                on_the_judged(stringify!($case), super::$case(Setup::real())).await;
            }
        }
    )+};
}

/// Plays a case on the real Codex only: the stand-in cannot.
macro_rules! on_the_real {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            use crate::{report::on_the_judged, setup::Setup};

            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_real_codex() {
                on_the_judged(stringify!($case), super::$case(Setup::real())).await;
            }
        }
    )+};
}

/// Plays a case on the stand-in only: the real Codex cannot be made to.
macro_rules! on_the_stand_in {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            use crate::setup::{Setup, in_time};

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

/// What a runtime stands on.
pub(crate) struct Scene {
    pub(crate) directory: TempDir,
    pub(crate) model: Option<ModelServer>,
    pub(crate) config: Config,
}

/// What a stage is to be made with.
pub(crate) struct Setup {
    pub(crate) real: bool,
    codex: CodexSettings,
    config: Config,
    clock: Clock,
    scenario: Option<String>,
    /// What happens between us and the app-servers.
    faults: Option<String>,
}

impl Setup {
    /// With the stand-in.
    pub(crate) fn rehearsal() -> Self {
        let mut config = Config { codex: Some("rehearsal".into()), ..Config::default() };
        config.rehearsal.program = Some(selvedge());
        Self::new(false, config)
    }

    /// With a file that runs some real Codex, and may run another one later.
    pub(crate) fn real_at(program: &Path) -> Self {
        Self::new(true, Config { codex: Some(program.to_owned()), ..Config::default() })
    }

    /// With the real Codex, and the scripted model behind it.
    pub(crate) fn real() -> Self {
        Self::new(true, Config { codex: Some(codex(&judged())), ..Config::default() })
    }

    fn new(real: bool, mut config: Config) -> Self {
        config.restarts.first_delay_seconds = 0.01;
        config.restarts.max = 100;
        config.keep_warm = false;
        if env::var_os("SELVEDGE_BEHIND_RELAYS").is_some() {
            config.relay = Some(behind_relays());
        }
        Self {
            real,
            codex: CodexSettings::default(),
            config,
            clock: Clock::system(),
            scenario: None,
            faults: None,
        }
    }

    /// With app-servers that outlive the runtime.
    pub(crate) fn behind_relays(self) -> Self {
        self.config(|config| config.relay = Some(behind_relays()))
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

    /// With a proxy before each app-server that does this to the conversation.
    pub(crate) fn faults(mut self, faults: impl Into<String>) -> Self {
        self.faults = Some(faults.into());
        self
    }

    /// Opens it.
    pub(crate) async fn open(self) -> Stage {
        let clock = self.clock.clone();
        let Scene { directory, model, config } = self.furnish().await;
        let runtime = Runtime::open_at(config.clone(), clock.clone()).await.unwrap();
        Stage { runtime, directory, model, config, clock }
    }

    /// Everything that a runtime stands on, without one.
    pub(crate) async fn furnish(mut self) -> Scene {
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
        if let Some(faults) = &self.faults {
            stand_between(&mut self.config, faults, &directory.path().join("codex"));
        }
        Scene { directory, model, config: self.config }
    }

    async fn model(&self, scenario: &Path, home: &Path) -> ModelServer {
        let scenario = Arc::new(Scenario::load(scenario).unwrap());
        ModelServer::in_home(scenario, home, &self.codex).await.unwrap()
    }
}

/// A turn that lasts until there is a file `go` where it works, for a session without a sandbox.
pub(crate) const UNTIL_GO: &str = r#"
[[rule]]
contains = "[until go]"
step = [
  { do = [ { run = { command = "until [ -e go ]; do echo tick; sleep 0.1; done", wait_ms = 30000 } } ] },
  { do = [ { say = { text = "It is there.", phase = "final_answer" } } ] },
]
"#;

/// Puts a proxy before each app-server that does this to the conversation, and tells it in a log beside the script.
pub(crate) fn stand_between(config: &mut Config, faults: &str, script: &Path) {
    let program = if config.is_rehearsal() { &mut config.rehearsal.program } else { &mut config.codex };
    let (selvedge, codex) = (selvedge(), program.take().unwrap());
    let (selvedge, codex, log) = (selvedge.display(), codex.display(), script.with_extension("log"));
    let proxy = format!("'{selvedge}' rehearse proxy --faults '{faults}' --log '{}'", log.display());
    let text = format!("#!/bin/sh\nexec {proxy} -- '{codex}' \"$@\"\n");
    fs::write(script, text).unwrap();
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
    *program = Some(script.to_owned());
}

/// Which Codex is judged.
pub(crate) fn judged() -> String {
    env::var("JUDGE_VERSION").unwrap_or_else(|_| "0.166.0".to_owned())
}

/// The real Codex of a version.
pub(crate) fn codex(version: &str) -> PathBuf {
    let variable = format!("SELVEDGE_CODEX_{}", version.replace(['.', '-'], "_"));
    env::var_os(&variable)
        .unwrap_or_else(|| panic!("{variable}: `cargo xtask test` says where Codex is"))
        .into()
}

/// The `selvedge` that plays the stand-in: `cargo xtask test` says which, else the one beside this test.
pub(crate) fn selvedge() -> PathBuf {
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

fn behind_relays() -> Relay {
    Relay { program: selvedge(), idle: Some(Duration::from_secs(300)) }
}
