//! What a session costs in memory while its owner is awake: idle, and with a turn under way and a reader.

use selvedge_runtime::{Events, Message, SessionHandle};
use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    Failure, Load, Measured,
    stage::{Stage, resident_kib},
};

/// Sessions that come first: with them the caches are full, and what follows is what one more costs.
const FIRST: usize = 500;

pub(crate) async fn measure(load: Load) -> Measured {
    // One app-server has them all: what a process costs is not a session's.
    let everybody = load.sessions + FIRST;
    let words =
        "{ say = { text = \"some words of it, and then silence\", deltas = 4, open = true } }, { hang = {} }";
    let stage = Stage::open(&load, words, |config| config.threads_per_process = everybody).await?;
    stage.sessions(FIRST).await?;
    let before = resident_kib();
    let sessions = stage.sessions(load.sessions).await?;
    let idle = resident_kib();
    let readers = speak(&sessions).await?;
    let live = resident_kib();
    drop(readers);
    stage.close().await;
    let each = |kib: f64| kib / load.sessions as f64;
    Ok(json!({ "idle_kib": each(idle - before), "live_kib": each(live - before), "before_kib": before }))
}

/// Each session in the middle of a turn, with a reader at the tip.
async fn speak(sessions: &[SessionHandle]) -> Result<Vec<Events>, Failure> {
    let mut speaking = JoinSet::new();
    let mut readers = Vec::with_capacity(sessions.len());
    for session in sessions {
        let session = session.clone();
        speaking.spawn(async move {
            let mut events = session.events(session.summary().await?.last_seq).await?;
            session.send(Message::text("stay")).await?;
            loop {
                for written in events.next(100).await? {
                    if written.read()?.what.name() == "item.delta" {
                        return Ok::<_, Failure>(events);
                    }
                }
            }
        });
        if speaking.len() >= 32
            && let Some(spoken) = speaking.join_next().await
        {
            readers.push(spoken??);
        }
    }
    while let Some(spoken) = speaking.join_next().await {
        readers.push(spoken??);
    }
    Ok(readers)
}
