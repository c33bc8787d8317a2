//! The way to the end: nothing new, and the turns that run get their time.

use std::time::Duration;

use selvedge_runtime::{Error, MessageState, Runtime, SessionHandle};
use selvedge_session::MessageId;
use tokio::{sync::watch, task::JoinSet, time::timeout};

use super::{Ended, Stop, told};
use crate::gateway::Gateway;

/// Waits until it is to end, and for the turns that run then, but not for those that follow them. Nor for any, if they go on
/// without us.
pub(super) async fn wait(gateway: &Gateway, patience: Duration, stop: &mut watch::Receiver<Stop>) -> Ended {
    told(stop, Stop::Leave).await;
    gateway.drain();
    if *stop.borrow() == Stop::Leave {
        tracing::info!("leaving: turns go on behind their relays");
        return Ended::Left;
    }
    tracing::info!(seconds = patience.as_secs(), "draining: nothing new is taken");
    tokio::select! {
        _in_time = timeout(patience, turns(gateway.runtime())) => Ended::AtRest,
        () = told(stop, Stop::Now) => Ended::AtOnce,
    }
}

async fn turns(runtime: &Runtime) {
    let mut ends = JoinSet::new();
    // Who cannot be asked is not waited for; nothing is lost by that.
    for session in runtime.at_work().await.unwrap_or_default() {
        for message in running(&session).await.unwrap_or_default() {
            let session = session.clone();
            ends.spawn(async move { session.finished(message).await.map(drop) });
        }
    }
    while ends.join_next().await.is_some() {}
}

async fn running(session: &SessionHandle) -> Result<Vec<MessageId>, Error> {
    let open = session.open_messages().await?;
    let running = open.into_iter().filter(|message| message.state != MessageState::Queued);
    Ok(running.map(|message| message.message_id).collect())
}
