//! A gateway as `selvedge serve` has it: behind its guard, with tokens, until it is told to stop.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use selvedge_runtime::{Config, Runtime};
use selvedge_server::{Ended, Listening, Secret, Settings, Stop};
use selvedge_session::Price;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use tokio::{sync::watch, task::JoinHandle};

use crate::support::{
    http::Http,
    stage::{judge, selvedge},
};

/// The token of whoever started it.
pub(crate) const OWN: &str = "the-owner's-token";

pub(crate) struct Gate {
    /// Somebody without a token.
    pub(crate) stranger: Http,
    pub(crate) runtime: Runtime,
    pub(crate) directory: TempDir,
    pub(crate) stop: watch::Sender<Stop>,
    pub(crate) running: JoinHandle<Ended>,
}

/// What a gateway of these tests is told.
pub(crate) fn settings() -> Settings {
    Settings {
        listen: "127.0.0.1:0".parse().unwrap(),
        token: Some(Secret::new(OWN)),
        host: vec!["agents.example".into()],
        ..Settings::default()
    }
}

impl Gate {
    pub(crate) async fn open() -> Self {
        Self::with(settings()).await
    }

    pub(crate) async fn with(settings: Settings) -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self::at(directory, settings).await
    }

    pub(crate) async fn at(directory: TempDir, settings: Settings) -> Self {
        let config = config(directory.path().join("data"));
        Self::on(directory, settings, config).await
    }

    pub(crate) async fn on(directory: TempDir, settings: Settings, config: Config) -> Self {
        let listening = Box::pin(Listening::open(settings, config)).await.unwrap();
        let (stop, stopped) = watch::channel(Stop::No);
        let stranger = Http::at(listening.address());
        let runtime = listening.runtime().clone();
        let running = tokio::spawn(listening.run(stopped));
        Self { stranger, runtime, directory, stop, running }
    }

    /// With named tokens: `name`, `scopes`; the token is the name and 16 letters.
    pub(crate) async fn with_tokens(named: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("data");
        fs::create_dir(&data).unwrap();
        write_tokens(&data, named);
        Self::at(directory, settings()).await
    }

    /// From now on these are named.
    pub(crate) fn name_tokens(&self, named: &[(&str, &str)]) {
        write_tokens(&self.directory.path().join("data"), named);
    }

    /// Whoever started it.
    pub(crate) fn owner(&self) -> Http {
        self.as_one_with(OWN)
    }

    pub(crate) fn as_one_with(&self, token: &str) -> Http {
        self.stranger.clone().with("authorization", format!("Bearer {token}"))
    }

    /// The secret of a session's agent, as whoever may read the data directory can make it.
    pub(crate) fn agents_secret(&self, session: &str) -> String {
        let key = fs::read(self.directory.path().join("data/secrets/endpoints.key")).unwrap();
        let part = |data: &[u8]| {
            Sha256::new().chain_update(b"selvedge tools\0").chain_update(&key).chain_update(data).finalize()
        };
        part(&part(session.as_bytes())).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Where sessions work.
    pub(crate) fn work(&self) -> PathBuf {
        let work = self.directory.path().join("work");
        fs::create_dir_all(&work).unwrap();
        work
    }

    pub(crate) async fn close(self) -> Ended {
        self.stop.send_replace(Stop::Drain);
        self.running.await.unwrap()
    }
}

/// As a careful person does it: a whole file takes the place of another.
fn write_tokens(data: &Path, named: &[(&str, &str)]) {
    let entry = |(name, scopes): &(&str, &str)| {
        format!("[[tokens]]\nname = '{name}'\ntoken = '{}'\nscopes = [{scopes}]\n", token_of(name))
    };
    let (new, file) = (data.join("tokens.new"), data.join("tokens.toml"));
    fs::write(&new, named.iter().map(entry).collect::<String>()).unwrap();
    fs::set_permissions(&new, fs::Permissions::from_mode(0o600)).unwrap();
    fs::rename(new, file).unwrap();
}

pub(crate) fn token_of(name: &str) -> String {
    format!("{name}-0123456789abcdef")
}

/// On the stand-in, with the scenario of all tests.
pub(crate) fn config(data_dir: PathBuf) -> Config {
    let mut config = Config { data_dir, codex: Some("rehearsal".into()), ..Config::default() };
    config.keep_warm = false;
    config.restarts.first_delay_seconds = 0.01;
    let price = Price { input: 10.0, cached_input: 1.0, cache_write_input: 12.5, output: 100.0 };
    config.prices.insert("gpt-5.5".into(), price);
    config.rehearsal.program = Some(selvedge());
    config.rehearsal.scenario = Some(judge());
    config
}
