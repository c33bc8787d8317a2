//! Connections: accepted while there is room, read within limits, ended together.

use std::{convert::Infallible, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::{Router, body::Body};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    task::JoinSet,
    time::{sleep, timeout},
};
use tower_service::Service as _;

use crate::{guard::Peer, settings::Settings};

/// How long to wait when the system has no descriptor for one more.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(100);

/// Everybody who is connected.
pub(super) struct Connections {
    tasks: JoinSet<()>,
    room: Arc<Semaphore>,
    host: Host,
    ending: watch::Sender<bool>,
}

/// What each connection is served with.
#[derive(Clone)]
struct Host {
    router: Router,
    http: http1::Builder,
}

impl Connections {
    pub(super) fn new(router: Router, settings: &Settings) -> Self {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(Duration::from_secs(settings.header_seconds.max(1)))
            .max_header_size(settings.max_header_bytes.max(1024));
        let room = settings.max_connections.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            tasks: JoinSet::new(),
            room: Arc::new(Semaphore::new(room)),
            host: Host { router, http },
            ending: watch::Sender::new(false),
        }
    }

    /// Accepts for ever. More than there is room for wait in the system's queue.
    pub(super) async fn accept(&mut self, listener: TcpListener) -> Infallible {
        loop {
            // It is never closed; without a permit it would only take one more than it should.
            let permit = Arc::clone(&self.room).acquire_owned().await.ok();
            let (stream, peer) = accepted(&listener).await;
            while self.tasks.try_join_next().is_some() {}
            let (host, ending) = (self.host.clone(), self.ending.subscribe());
            self.tasks.spawn(async move {
                host.serve(stream, peer, ending).await;
                drop(permit);
            });
        }
    }

    /// Lets answers that have begun come to their end, for so long.
    pub(super) async fn end(mut self, patience: Duration) {
        self.ending.send_replace(true);
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(patience, all).await.is_err() {
            self.tasks.shutdown().await;
        }
    }
}

async fn accepted(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(OUT_OF_DESCRIPTORS).await;
            }
        }
    }
}

impl Host {
    async fn serve(self, stream: TcpStream, peer: SocketAddr, mut ending: watch::Receiver<bool>) {
        // A delta that waits for the next one is late; if it cannot be said, it is only slower.
        let _slower = stream.set_nodelay(true);
        let router = self.router;
        let answer = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            router.clone().call(request.map(Body::new))
        });
        let connection = self.http.serve_connection(TokioIo::new(stream), answer).with_upgrades();
        let mut connection = pin!(connection);
        tokio::select! {
            // How a client leaves is its own affair.
            _left = connection.as_mut() => return,
            _told = ending.wait_for(|ending| *ending) => {}
        }
        connection.as_mut().graceful_shutdown();
        let _left = connection.await;
    }
}
