//! How long a delta takes from the app-server's write to a reader, at 50 deltas a second from each session.

use selvedge_runtime::{Events, Message};
use serde_json::json;
use tokio::task::JoinSet;

use crate::{Failure, Load, Measured, shown, stage::Stage};

const A_SECOND: usize = 50;
/// What comes first is not counted: not all sessions speak yet.
const BEGINNING: usize = A_SECOND;

pub(crate) async fn measure(load: Load) -> Measured {
    let deltas = load.amount * A_SECOND + BEGINNING;
    let pace =
        format!("{{ flood = {{ deltas = {deltas}, line_bytes = 250, every_ms = {} }} }}", 1_000 / A_SECOND);
    let stage = Stage::open(&load, &pace, |_| {}).await?;
    let mut readers = JoinSet::new();
    let sessions = stage.sessions(load.sessions).await?;
    for session in &sessions {
        let events = session.events(session.summary().await?.last_seq).await?;
        readers.spawn(read(events, deltas));
    }
    for session in &sessions {
        session.send(Message::text("pace")).await?;
    }
    let mut took = Vec::new();
    while let Some(read) = readers.join_next().await {
        took.extend(read??);
    }
    stage.close().await;
    took.sort_unstable();
    let at = |part: usize| took.get(took.len() * part / 1_000).map_or(f64::NAN, |nanos| *nanos as f64 / 1e6);
    Ok(json!({ "p50": at(500), "p90": at(900), "p99": at(990), "p999": at(999), "deltas": took.len() }))
}

/// What each delta took, in nanoseconds.
async fn read(mut events: Events, deltas: usize) -> Result<Vec<u64>, Failure> {
    let mut took = Vec::with_capacity(deltas);
    while took.len() < deltas {
        let page = events.next(1_000).await?;
        let now = shown::now();
        for written in page {
            shown::numbers(&written.text, |then| took.push(now.saturating_sub(then)))?;
        }
    }
    Ok(took.split_off(BEGINNING.min(deltas)))
}
