//! What the system says: the first signal lets it end or leave, the second ends it.

use std::io;

use selvedge_server::Stop;
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
    task::JoinSet,
};

/// What was said, and how it is to be understood.
pub(super) struct Said {
    pub(super) stop: watch::Sender<Stop>,
    /// Whether turns go on without us: then a SIGTERM is no reason to end them.
    pub(super) relays: bool,
    /// Set when another program is to take our place.
    pub(super) again: watch::Sender<bool>,
}

/// Listens until the answer is dropped.
pub(super) fn listen(said: Said) -> io::Result<JoinSet<()>> {
    let Said { stop, relays, again } = said;
    let mut terminated = signal(SignalKind::terminate())?;
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut replaced = signal(SignalKind::user_defined2())?;
    let mut listening = JoinSet::new();
    listening.spawn(async move {
        let first = tokio::select! {
            _ = terminated.recv() => if relays { Stop::Leave } else { Stop::Drain },
            _ = interrupted.recv() => Stop::Drain,
            _ = replaced.recv() => {
                again.send_replace(true);
                if relays { Stop::Leave } else { Stop::Drain }
            }
        };
        stop.send_replace(first);
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
        stop.send_replace(Stop::Now);
        // Nothing more can be said; whoever listens goes on listening.
        std::future::pending::<()>().await;
    });
    Ok(listening)
}
