//! A directory to work in, with the stand-in or the real Codex behind it, and what plays there.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use selvedge_agent::{Codex, CodexBuilder, RuntimeConfig, Sandbox, testing::Rehearsal};
use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
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

pub(crate) use {on_both, on_the_real};

/// A case that waits for what never comes fails, instead of keeping everybody waiting.
pub(crate) async fn in_time(case: impl Future<Output = ()>) {
    tokio::time::timeout(Duration::from_secs(90), case).await.expect("the case ends in time");
}

/// What a stage is to be made with.
pub(crate) struct Setup {
    real: bool,
    codex: CodexSettings,
}

impl Setup {
    pub(crate) fn rehearsal() -> Self {
        Self { real: false, codex: CodexSettings::default() }
    }

    pub(crate) fn real() -> Self {
        note_version();
        Self { real: true, codex: CodexSettings::default() }
    }

    /// With another configuration of Codex.
    pub(crate) fn codex(mut self, settings: CodexSettings) -> Self {
        self.codex = settings;
        self
    }

    /// With these rules before the judge's.
    pub(crate) async fn play(self, rules: &str) -> Stage {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().join("home");
        for made in ["work", "home"] {
            fs::create_dir(directory.path().join(made)).unwrap();
        }
        let judge = fs::read_to_string(judge()).unwrap().replace("name = \"judge\"", "");
        let scenario = format!("name = \"agent\"\n{rules}\n{judge}");
        let (mut config, model) = if self.real {
            let scenario = Arc::new(Scenario::parse(&scenario).unwrap());
            let model = ModelServer::in_home(scenario, &home, &self.codex).await.unwrap();
            let codex = Some(real_codex());
            (RuntimeConfig { keep_warm: false, codex, ..RuntimeConfig::default() }, Some(model))
        } else {
            (Rehearsal::scenario(&scenario).unwrap().config(), None)
        };
        config.codex_home = Some(home);
        Stage { directory, model, config }
    }
}

/// Where prompts are evaluated.
pub(crate) struct Stage {
    directory: TempDir,
    model: Option<ModelServer>,
    config: RuntimeConfig,
}

impl Stage {
    /// A Codex that works here. Commands run as they are: not every machine can make a sandbox.
    pub(crate) fn builder(&self) -> CodexBuilder {
        let builder = Codex::builder().runtime(self.config.clone());
        builder.cwd(self.work("")).sandbox(Sandbox::DangerFullAccess)
    }

    pub(crate) async fn codex(&self) -> Codex {
        self.builder().build().await.unwrap()
    }

    /// A file where Codex works.
    pub(crate) fn work(&self, file: &str) -> PathBuf {
        self.directory.path().join("work").join(file)
    }

    /// A directory for the journal.
    pub(crate) fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// What the runtime of a builder is told, for a reader of the same data directory.
    pub(crate) fn config(&self) -> RuntimeConfig {
        RuntimeConfig { data_dir: self.data(), ..self.config.clone() }
    }

    /// What the model was asked, oldest first; nothing on the stand-in, which has no model.
    pub(crate) fn asked(&self) -> Option<Vec<Value>> {
        let requests = self.model.as_ref()?.requests();
        Some(requests.iter().map(|request| serde_json::from_slice(&request.body).unwrap()).collect())
    }

    /// What the model was told of the last call, in the last request.
    pub(crate) fn told_last(&self) -> String {
        let request = self.asked().and_then(|mut asked| asked.pop()).expect("the model was asked");
        let items = request["input"].as_array().expect("a conversation");
        let output = items.iter().rfind(|item| item["type"] == "function_call_output");
        output.map(|output| output["output"].to_string()).unwrap_or_default()
    }

    /// By what each request to the model was authorized; nothing on the stand-in.
    pub(crate) fn authorized(&self) -> Option<Vec<String>> {
        let requests = self.model.as_ref()?.requests();
        Some(requests.into_iter().map(|request| request.authorization.unwrap_or_default()).collect())
    }

    /// Where everything of it lies.
    pub(crate) fn root(&self) -> &Path {
        self.directory.path()
    }

    /// The last request to the model, as text.
    pub(crate) fn last_asked(&self) -> Option<String> {
        self.asked().map(|asked| asked.last().expect("the model was asked").to_string())
    }

    /// Whether the Codex behind it is one from before code mode.
    pub(crate) fn is_old(&self) -> bool {
        self.model.is_some() && judged() != NEWEST
    }

    /// Whether the Codex behind it is one from before this version.
    pub(crate) fn is_before(&self, version: &str) -> bool {
        let number =
            |text: &str| text.split('.').map(|part| part.parse::<u32>().unwrap()).collect::<Vec<_>>();
        self.model.is_some() && number(&judged()) < number(version)
    }

    /// Ends what was started.
    pub(crate) async fn close(self, codex: Codex) {
        codex.close().await;
        self.leave().await;
    }

    /// Ends what was started, where nobody evaluates any more.
    pub(crate) async fn leave(self) {
        if let Some(model) = self.model {
            model.stop().await.unwrap();
        }
    }
}

/// The version that is judged unless somebody says otherwise.
const NEWEST: &str = "0.166.0";

fn judged() -> String {
    env::var("JUDGE_VERSION").unwrap_or_else(|_| NEWEST.to_owned())
}

/// Notes for `cargo xtask judge` that this version was judged; what was found is whether the tests passed.
fn note_version() {
    if let Some(report) = env::var_os("JUDGE_REPORT") {
        fs::create_dir_all(PathBuf::from(report).join("agent").join(judged())).unwrap();
    }
}

/// The real Codex that is judged.
fn real_codex() -> PathBuf {
    let variable = format!("SELVEDGE_CODEX_{}", judged().replace(['.', '-'], "_"));
    let codex = env::var_os(&variable);
    codex.unwrap_or_else(|| panic!("{variable}: `cargo xtask test` says where Codex is")).into()
}

fn judge() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/judge.toml"))
}
