//! What the system says: the first signal lets it end, the second ends it.

use std::io;

use selvedge_server::Stop;
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
    task::JoinSet,
};

/// Listens until the answer is dropped.
pub(super) fn listen(stop: watch::Sender<Stop>) -> io::Result<JoinSet<()>> {
    let mut terminated = signal(SignalKind::terminate())?;
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut listening = JoinSet::new();
    listening.spawn(async move {
        for said in [Stop::Drain, Stop::Now] {
            tokio::select! {
                _ = terminated.recv() => {}
                _ = interrupted.recv() => {}
            }
            stop.send_replace(said);
        }
        // Nothing more can be said; whoever listens goes on listening.
        std::future::pending::<()>().await;
    });
    Ok(listening)
}
