//! How many durable deltas a second reach their readers, from all sessions together, as fast as the app-servers write.

use std::time::{Duration, Instant};

use selvedge_runtime::{Events, Message};
use serde_json::json;
use tokio::task::JoinSet;

use crate::{Failure, Load, Measured, shown, stage::Stage};

/// What one reader saw.
struct Seen {
    first: Instant,
    last: Instant,
    events: usize,
    in_order: bool,
}

pub(crate) async fn measure(load: Load) -> Measured {
    let deltas = load.amount / load.sessions;
    let flood = format!("{{ flood = {{ deltas = {deltas}, line_bytes = 250 }} }}");
    let stage = Stage::open(&load, &flood, |_| {}).await?;
    let mut readers = JoinSet::new();
    let sessions = stage.sessions(load.sessions).await?;
    for session in &sessions {
        let events = session.events(session.summary().await?.last_seq).await?;
        readers.spawn(read(events, deltas));
    }
    let busy = cpu_seconds();
    for session in &sessions {
        session.send(Message::text("flood")).await?;
    }
    let mut seen: Vec<Seen> = Vec::new();
    while let Some(read) = readers.join_next().await {
        seen.push(read??);
    }
    let cpu = cpu_seconds() - busy;
    let took = seen.iter().map(|seen| seen.last).max().zip(seen.iter().map(|seen| seen.first).min());
    let seconds = took.map_or(Duration::ZERO, |(last, first)| last - first).as_secs_f64();
    stage.close().await;
    Ok(json!({
        "deltas": deltas * load.sessions, "seconds": seconds, "cpu_seconds": cpu,
        "events": seen.iter().map(|seen| seen.events).sum::<usize>(),
        "in_order": seen.iter().all(|seen| seen.in_order),
    }))
}

/// Reads until every delta is here, each once and in its place.
async fn read(mut events: Events, deltas: usize) -> Result<Seen, Failure> {
    let (mut next, mut first, mut count, mut in_order) = (0, None, 0, true);
    while next < deltas {
        for written in events.next(1_000).await? {
            shown::numbers(&written.text, |number| {
                first.get_or_insert_with(Instant::now);
                in_order &= number == next as u64;
                next += 1;
            })?;
            count += usize::from(first.is_some());
        }
    }
    let last = Instant::now();
    Ok(Seen { first: first.unwrap_or(last), last, events: count, in_order })
}

fn cpu_seconds() -> f64 {
    let cpu = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    cpu.tv_sec as f64 + cpu.tv_nsec as f64 / 1e9
}
