//! A gateway on loopback, on the stand-in or on the real Codex behind the scripted model.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
};
use selvedge_runtime::{Config, Runtime};
use selvedge_server::{Gateway, Options};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::http::Http;

/// Plays a case on the stand-in and on the real Codex.
#[macro_export]
macro_rules! on_both {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_stand_in() {
                $crate::support::stage::in_time(super::$case($crate::support::stage::Stage::rehearsal().await)).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_real_codex() {
                $crate::support::stage::in_time(super::$case($crate::support::stage::Stage::real().await)).await;
            }
        }
    )+};
}

/// A case that waits for what never comes fails, instead of keeping everybody waiting.
pub(crate) async fn in_time(case: impl Future<Output = ()>) {
    tokio::time::timeout(std::time::Duration::from_secs(90), case).await.expect("the case ends in time");
}

pub(crate) struct Stage {
    pub(crate) http: Http,
    pub(crate) runtime: Runtime,
    directory: TempDir,
    model: Option<ModelServer>,
    _scenario: Option<tempfile::NamedTempFile>,
    _serving: tokio::task::JoinSet<()>,
}

impl Stage {
    pub(crate) async fn rehearsal() -> Self {
        let mut config = Config { codex: Some("rehearsal".into()), ..Config::default() };
        config.rehearsal.program = Some(selvedge());
        Self::open(config, false).await
    }

    /// The stand-in, playing something else than the judge.
    pub(crate) async fn playing(scenario: &str) -> Self {
        let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
        fs::write(file.path(), scenario).unwrap();
        let mut config = Config { codex: Some("rehearsal".into()), ..Config::default() };
        config.rehearsal.program = Some(selvedge());
        config.rehearsal.scenario = Some(file.path().to_owned());
        let mut stage = Self::open(config, false).await;
        stage._scenario = Some(file);
        stage
    }

    pub(crate) async fn real() -> Self {
        Self::open(Config { codex: Some(codex()), ..Config::default() }, true).await
    }

    /// The real one of another version.
    #[allow(dead_code, reason = "only some of the programs that share this ask for one")]
    pub(crate) async fn real_of(version: &str) -> Self {
        let variable = format!("SELVEDGE_CODEX_{}", version.replace('.', "_"));
        let codex =
            env::var_os(&variable).unwrap_or_else(|| panic!("{variable}: `cargo xtask test` sets it"));
        Self::open(Config { codex: Some(codex.into()), ..Config::default() }, true).await
    }

    /// The last request to the scripted model.
    #[allow(dead_code, reason = "only some of the programs that share this look at it")]
    pub(crate) fn last_asked(&self) -> Value {
        let requests = self.model.as_ref().expect("a model").requests();
        serde_json::from_slice(&requests.last().expect("it was asked").body).unwrap()
    }

    /// A Codex of one's own, by its path.
    #[allow(dead_code, reason = "only some of the programs that share this look at it")]
    pub(crate) async fn of(codex: &Path) -> Self {
        Self::open(Config { codex: Some(codex.to_owned()), ..Config::default() }, false).await
    }

    /// The stand-in; sessions work under this directory of the working directory alone.
    #[allow(dead_code, reason = "only some of the programs that share this look at it")]
    pub(crate) async fn under(root: &str) -> Self {
        let mut config = Config { codex: Some("rehearsal".into()), ..Config::default() };
        config.rehearsal.program = Some(selvedge());
        config.allow_roots = vec![root.into()];
        Self::open(config, false).await
    }

    async fn open(mut config: Config, real: bool) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().join("home");
        for made in [directory.path().join("work"), home.clone()] {
            fs::create_dir_all(made).unwrap();
        }
        let model = if real { Some(model(&home).await) } else { None };
        for root in &mut config.allow_roots {
            *root = directory.path().join("work").join(&*root);
        }
        config.data_dir = directory.path().join("data");
        config.codex_home = Some(home);
        config.keep_warm = false;
        config.restarts.first_delay_seconds = 0.01;
        config.rehearsal.scenario.get_or_insert_with(judge);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let http = Http::at(listener.local_addr().unwrap());
        config.tools_at = Some(format!("http://{}/mcp/", http.address));
        let runtime = Runtime::open(config).await.unwrap();
        let router = selvedge_server::router(Gateway::new(runtime.clone(), Options::default()));
        let mut serving = tokio::task::JoinSet::new();
        serving.spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { http, runtime, directory, model, _scenario: None, _serving: serving }
    }

    /// A file or directory in the sessions' working directory.
    pub(crate) fn work(&self, file: &str) -> PathBuf {
        self.directory.path().join("work").join(file)
    }

    /// Makes a session with these fields beside `cwd`, and answers its id.
    pub(crate) async fn session(&self, mut fields: Value) -> String {
        fields["cwd"] = json!(self.work(""));
        let made = self.http.post("/v1/sessions", fields).await.expect(201);
        made["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn close(self) {
        self.runtime.shut_down().await;
    }
}

/// The real one.
pub(crate) fn codex() -> PathBuf {
    env::var_os("SELVEDGE_CODEX_0_166_0").expect("`cargo xtask test` says where Codex is").into()
}

/// The scripted model, with a configuration in Codex's home that leads to it.
pub(crate) async fn model(home: &Path) -> ModelServer {
    let scenario = Arc::new(Scenario::load(judge()).unwrap());
    ModelServer::in_home(scenario, home, &CodexSettings::default()).await.unwrap()
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

pub(crate) fn judge() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/judge.toml"))
}
