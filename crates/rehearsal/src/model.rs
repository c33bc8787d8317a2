//! The scripted model: the Responses API on loopback, so that a real Codex can be rehearsed offline.
//!
//! It keeps no state. What it says is a function of the request: the rule is the last user text, the step is the
//! number of tool outputs after it. So a retry, a resume in another process and a fork play on correctly.

mod config;
mod failure;
mod follow_up;
mod http;
mod ids;
mod injected;
mod offered;
mod play;
mod record;
mod request;
mod response;
mod script;
mod speech;
mod stream;
mod wire;

use std::{
    fs,
    future::IntoFuture,
    io,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    sync::Arc,
    time::Duration,
};

use tokio::{net::TcpListener, sync::watch, task::JoinSet, time::timeout};

pub use config::{CLASSIC_MODEL, CODE_MODE_MODEL, CodexSettings};
pub use record::RecordedRequest;

use crate::scenario::Scenario;

/// How long connections may take to close when the server stops.
const CLOSING_TIME: Duration = Duration::from_secs(5);

/// A running scripted model. Dropping it stops it; `stop` also waits for the end.
#[derive(Debug)]
pub struct ModelServer {
    addr: SocketAddr,
    records: Arc<record::Records>,
    stop: watch::Sender<bool>,
    serving: JoinSet<io::Result<()>>,
}

impl ModelServer {
    /// Listens (port 0 takes a free one) and plays the scenario.
    pub async fn start(scenario: Arc<Scenario>, addr: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(addr).await?;
        let addr = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let records = Arc::new(record::Records::default());
        let stage = http::Stage { scenario, records: Arc::clone(&records), stopped: stopped.clone() };
        let mut serving = JoinSet::new();
        serving.spawn(
            axum::serve(listener, http::router(stage))
                .with_graceful_shutdown(until_stopped(stopped))
                .into_future(),
        );
        Ok(Self { addr, records, stop, serving })
    }

    /// Plays the scenario to the Codex whose home this is: its configuration there leads here.
    ///
    /// Commands run without the login shell of this machine's user: what its files start is not what is tried, and may take
    /// long.
    pub async fn in_home(scenario: Arc<Scenario>, home: &Path, settings: &CodexSettings) -> io::Result<Self> {
        let model = Self::start(scenario, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        let settings = settings.clone().with("features.shell_snapshot", "false");
        let own = serde_json::Value::from(home.to_string_lossy()).to_string();
        let settings = settings.with("shell_environment_policy.set.HOME", &own);
        fs::write(home.join("config.toml"), model.codex_config_with(&settings))?;
        Ok(model)
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// What Codex calls `base_url`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.addr)
    }

    /// The `config.toml` that points a Codex here, with the usual settings.
    pub fn codex_config(&self) -> String {
        self.codex_config_with(&CodexSettings::default())
    }

    /// The `config.toml` that points a Codex here.
    pub fn codex_config_with(&self, settings: &CodexSettings) -> String {
        settings.config_toml(&self.base_url())
    }

    /// The last requests, oldest first.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.records.all()
    }

    /// Cuts every stream, closes every connection and waits for the end.
    pub async fn stop(mut self) -> io::Result<()> {
        self.stop.send_replace(true);
        match timeout(CLOSING_TIME, self.serving.join_next()).await {
            Ok(Some(Ok(ended))) => ended,
            Ok(Some(Err(failed))) => Err(io::Error::other(failed)),
            Ok(None) => Ok(()),
            Err(_) => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "a connection to the scripted model did not close",
            )),
        }
    }
}

async fn until_stopped(mut stopped: watch::Receiver<bool>) {
    // An error means that the server's owner is gone, which is a reason to stop too.
    let _stopped_or_gone = stopped.wait_for(|stopped| *stopped).await;
}
