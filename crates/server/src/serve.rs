//! Listening, draining, ending.

mod claim;
mod connections;
mod drain;

pub use claim::{Claim, Running};

use std::{convert::Infallible, net::SocketAddr, path::PathBuf, time::Duration};

use selvedge_runtime::{Config, Error, Runtime};
use selvedge_session::Code;
use tokio::{net::TcpListener, sync::watch, time::timeout};

use crate::{
    a2a::Agents,
    access::{Keeper, Secret},
    gateway::{Gateway, Options},
    guard::{Entrance, guarded},
    mcp,
    settings::Settings,
};
use connections::Connections;

/// How long answers that have begun may take at the very end.
const LAST_ANSWERS: Duration = Duration::from_secs(2);
/// The same when it has to end now: who waits is told, and nobody is waited for.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Whether to go on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// Go on.
    #[default]
    No,
    /// Take nothing new, and go: what relays hold goes on without us.
    Leave,
    /// Take nothing new, let turns end, then end.
    Drain,
    /// End now.
    Now,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything was put to rest.
    AtRest,
    /// It went, and what relays hold goes on.
    Left,
    /// It was told to end now. What ran is taken up at the next start.
    AtOnce,
}

/// A gateway that has its place: the data directory, the address, the tokens and the runtime.
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
    settings: Settings,
    gateway: Gateway,
    entrance: Entrance,
    token: Option<Secret>,
    keeper: Option<Keeper>,
    claim: Claim,
}

impl Listening {
    /// Takes its place. What can be refused is refused before any session is taken up.
    pub async fn open(settings: Settings, config: Config) -> Result<Self, Error> {
        settings.check()?;
        let agents = Agents::of(&config)?;
        let claim = Claim::take(&config.data_dir).await?;
        let (listener, address) = bind(settings.listen).await?;
        let (token, keeper) = if settings.no_auth {
            (None, None)
        } else {
            let given = settings.token.clone();
            let (own, keeper) = Keeper::open(&config.data_dir, given, config.hidden.clone())?;
            (Some(own), Some(keeper))
        };
        let known = keeper.as_ref().map(Keeper::known);
        let entrance = Entrance::knowing(address, &settings.host, known);
        // Codex runs on this machine, wherever we are called from.
        let tools_at = format!("http://{}{}", claim::reachable(address), mcp::PLACE);
        let allow_roots = settings.allow_root.clone();
        let runtime = Runtime::open(Config { tools_at: Some(tools_at), allow_roots, ..config }).await?;
        let gateway = Gateway::new(runtime, options(&settings, agents));
        gateway.resume().await?;
        claim.tell(address, token.as_ref())?;
        Ok(Self { listener, address, settings, gateway, entrance, token, keeper, claim })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where this machine reaches it: an address that stands for all of them cannot be called.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", claim::reachable(self.address))
    }

    /// The token of whoever started it; none, if nobody is asked for one.
    #[must_use]
    pub fn token(&self) -> Option<&Secret> {
        self.token.as_ref()
    }

    /// The runtime behind it.
    #[must_use]
    pub fn runtime(&self) -> &Runtime {
        self.gateway.runtime()
    }

    /// Serves until it is told to stop, and puts everything to rest.
    pub async fn run(self, mut stop: watch::Receiver<Stop>) -> Ended {
        let Self { listener, settings, gateway, entrance, keeper, claim, .. } = self;
        let mut connections = Connections::new(guarded(gateway.clone(), entrance), &settings);
        let ended = tokio::select! {
            never = connections.accept(listener) => match never {},
            never = watch(keeper) => match never {},
            ended = drain::wait(&gateway, settings.drain(), &mut stop) => ended,
        };
        gateway.close();
        let ended = match ended {
            Ended::AtOnce => {
                last(&gateway, connections, LAST_WORDS).await;
                Ended::AtOnce
            }
            how => tokio::select! {
                () = rest(&gateway, connections, how) => how,
                () = told(&mut stop, Stop::Now) => Ended::AtOnce,
            },
        };
        drop(claim);
        ended
    }
}

/// The tokens are looked after until the end.
async fn watch(keeper: Option<Keeper>) -> Infallible {
    match keeper {
        Some(keeper) => keeper.watch().await,
        None => std::future::pending().await,
    }
}

/// Answers that have begun come to their end, then everything rests, or is left as it is.
async fn rest(gateway: &Gateway, connections: Connections, how: Ended) {
    last(gateway, connections, LAST_ANSWERS).await;
    match how {
        Ended::Left => gateway.runtime().leave().await,
        Ended::AtRest | Ended::AtOnce => gateway.runtime().shut_down().await,
    }
}

/// Whoever is still answered, and what is still done although nobody waits for its answer, gets so long.
async fn last(gateway: &Gateway, connections: Connections, patience: Duration) {
    let _cut_off = tokio::join!(connections.end(patience), timeout(patience, gateway.deeds().done()));
}

fn options(settings: &Settings, agents: Agents) -> Options {
    Options {
        max_body: settings.max_body_bytes,
        body_time: Duration::from_secs(settings.body_seconds.max(1)),
        max_sockets: settings.max_connections,
        agents,
        locked: !settings.no_auth,
    }
}

/// Waits until this much was said. Whoever could say it and is gone says nothing.
async fn told(stop: &mut watch::Receiver<Stop>, wanted: Stop) {
    if stop.wait_for(|said| *said >= wanted).await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), Error> {
    let listening = async {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    listening.await.map_err(|error: std::io::Error| {
        let message = format!("cannot listen on {address}: {error}");
        Error::coded(Code::InvalidArgument, message)
            .hint("choose another address with `--listen`; port 0 takes a free one")
    })
}

/// Where a gateway on a data directory says that it is.
pub(crate) fn place(data_dir: &std::path::Path) -> PathBuf {
    data_dir.join("gateway.json")
}
