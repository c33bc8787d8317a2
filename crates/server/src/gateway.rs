//! What every handler shares: the runtime, and what the gateway was told.

use std::{sync::Arc, time::Duration};

use selvedge_runtime::{Error, Runtime};
use selvedge_session::Timestamp;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use uuid::Uuid;

use crate::{
    a2a::{Agents, Deliveries, Errands, Polls},
    deeds::Deeds,
    metrics::Metrics,
};

/// What a gateway is told.
#[derive(Debug, Clone)]
pub struct Options {
    /// The largest body it takes, in bytes.
    pub max_body: usize,
    /// How long a body may take to come.
    pub body_time: Duration,
    /// Sockets that may be open at once: an upgraded connection is none of the listener's any more.
    pub max_sockets: usize,
    /// Agents that other agents can talk to.
    pub agents: Agents,
    /// Whether a token is needed; agents' cards say so.
    pub locked: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_body: 32 << 20,
            body_time: Duration::from_secs(60),
            max_sockets: 4_096,
            agents: Agents::default(),
            locked: false,
        }
    }
}

/// The gateway. Clones are the same one.
#[derive(Clone)]
pub struct Gateway {
    shared: Arc<Shared>,
}

struct Shared {
    runtime: Runtime,
    options: Options,
    /// What tells it from the gateways before it.
    run: Uuid,
    begun: Timestamp,
    phase: watch::Sender<Phase>,
    metrics: Metrics,
    sockets: Arc<Semaphore>,
    deeds: Deeds,
    deliveries: Deliveries,
    errands: Errands,
    polls: Polls,
}

/// How far the end is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Open,
    /// Nothing new is taken; what runs goes on.
    Draining,
    /// Streams end.
    Closing,
}

impl Gateway {
    /// Before this runtime.
    #[must_use]
    pub fn new(runtime: Runtime, options: Options) -> Self {
        let phase = watch::Sender::new(Phase::Open);
        let sockets = Arc::new(Semaphore::new(options.max_sockets.min(Semaphore::MAX_PERMITS)));
        let (metrics, deeds, deliveries, errands, polls) = Default::default();
        let (run, begun) = (Uuid::now_v7(), runtime.clock().now());
        let shared = Shared {
            runtime,
            options,
            run,
            begun,
            phase,
            metrics,
            sockets,
            deeds,
            deliveries,
            errands,
            polls,
        };
        Self { shared: Arc::new(shared) }
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.shared.runtime
    }

    pub(crate) fn options(&self) -> &Options {
        &self.shared.options
    }

    /// This gateway, and none of those that were before it on the same directory.
    pub(crate) fn run(&self) -> Uuid {
        self.shared.run
    }

    /// Since when it is there.
    pub(crate) fn begun(&self) -> Timestamp {
        self.shared.begun
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    pub(crate) fn deeds(&self) -> &Deeds {
        &self.shared.deeds
    }

    pub(crate) fn deliveries(&self) -> &Deliveries {
        &self.shared.deliveries
    }

    /// Goes on with what agents had still to do when the last gateway ended, and does what they ask from now on.
    pub async fn resume(&self) -> Result<(), Error> {
        self.deliveries().resume(self).await?;
        self.shared.errands.start(self).await?;
        self.shared.polls.start(self);
        Ok(())
    }

    /// Room for one more socket, as long as it is held; nothing if there is none.
    pub(crate) fn room_for_a_socket(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.shared.sockets).try_acquire_owned().ok()
    }

    /// From now on nothing new is taken.
    pub(crate) fn drain(&self) {
        self.shared.phase.send_replace(Phase::Draining);
    }

    pub(crate) fn is_draining(&self) -> bool {
        *self.shared.phase.borrow() >= Phase::Draining
    }

    /// From now on streams end, and what agents have still to do is left to the next gateway.
    pub fn close(&self) {
        self.shared.phase.send_replace(Phase::Closing);
    }

    /// Waits until streams have to end.
    pub(crate) fn closing(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut phase = self.shared.phase.subscribe();
        async move {
            // The sender lives as long as the gateway; without one, everything has ended.
            let _ended = phase.wait_for(|phase| *phase == Phase::Closing).await;
        }
    }
}
