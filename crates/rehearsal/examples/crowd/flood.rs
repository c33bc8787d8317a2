//! How many deltas a second come to readers from all sessions together, as fast as the app-servers write.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    Failure, Load, Measured,
    reader::Reader,
    server::{Play, Server},
    sessions,
};

/// What one reader saw.
pub(crate) struct Seen {
    first: Instant,
    last: Instant,
    pub(crate) in_order: bool,
}

pub(crate) async fn measure(load: &Load) -> Measured {
    let deltas = load.amount / load.sessions;
    let play = Play::flood(deltas);
    let server = Server::start(load, &[&play])?;
    let sessions = sessions::make(&server, load.sessions)?;
    let mut readers = JoinSet::new();
    for session in &sessions {
        let reader = Reader::open(&server.place, &session.id, session.last_seq).await?;
        readers.spawn(follow(reader, deltas));
    }
    let busy = server.cpu_seconds();
    sessions::begin_beside(&server.place, &sessions, &play).await?;
    let mut seen: Vec<Seen> = Vec::new();
    while let Some(read) = readers.join_next().await {
        seen.push(read??);
    }
    let cpu = server.cpu_seconds() - busy;
    let took = seen.iter().map(|seen| seen.last).max().zip(seen.iter().map(|seen| seen.first).min());
    let seconds = took.map_or(Duration::ZERO, |(last, first)| last - first).as_secs_f64();
    let all = deltas * load.sessions;
    Ok(json!({
        "deltas": all, "seconds": seconds, "cpu_micros": cpu / all as f64 * 1e6, "peak_mib": server.peak_kib() / 1024.0,
        "in_order": seen.iter().all(|seen| seen.in_order),
    }))
}

/// Reads until every delta is here, each once and in its place.
pub(crate) async fn follow(mut reader: Reader, deltas: usize) -> Result<Seen, Failure> {
    let (mut next, mut first, mut in_order) = (0, None, true);
    while next < deltas {
        reader.more().await?;
        reader.numbers(|number| {
            first.get_or_insert_with(Instant::now);
            in_order &= number == next as u64;
            next += 1;
        })?;
    }
    let last = Instant::now();
    Ok(Seen { first: first.unwrap_or(last), last, in_order: in_order && reader.dense })
}
