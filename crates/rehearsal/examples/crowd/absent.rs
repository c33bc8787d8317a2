//! What becomes of a reader that is away or stands still, and of the others meanwhile.

use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    Failure, Load, Measured,
    flood::{self, Seen},
    latency::{self, Took},
    reader::Reader,
    server::{Place, Play, Server},
    sessions::{self, Session},
};

/// As many as the peers were measured with.
const DELTAS: usize = 4_000;
const EVERY_MS: usize = 5;

/// One reader of a session hangs up and comes back after so many seconds, another one stays.
pub(crate) async fn away(load: &Load) -> Measured {
    let play = Play::pace(DELTAS, EVERY_MS);
    let server = Server::start(load, &[&play])?;
    let sessions = sessions::make(&server, 1)?;
    let session = sessions.first().ok_or("no session was made")?;
    let mut staying = JoinSet::new();
    let reader = Reader::open(&server.place, &session.id, session.last_seq).await?;
    staying.spawn(latency::follow(reader, DELTAS, DELTAS / 20));
    let gone = Duration::from_secs(load.amount as u64);
    let leaving = leave(server.place.clone(), session.clone(), gone);
    sessions::begin_beside(&server.place, &sessions, &play).await?;
    let seen = leaving.await?;
    let mut report = Took::of(staying).await?.report();
    report["lost"] = json!(DELTAS.abs_diff(seen));
    Ok(report)
}

/// Reads a tenth, is away, and reads the rest; answers how many deltas it has seen, each event once.
async fn leave(place: Place, session: Session, gone: Duration) -> Result<usize, Failure> {
    let mut reader = Reader::open(&place, &session.id, session.last_seq).await?;
    let mut seen = 0;
    while seen < DELTAS / 10 {
        reader.more().await?;
        reader.numbers(|_| seen += 1)?;
    }
    let after = reader.seq;
    drop(reader);
    tokio::time::sleep(gone).await;
    let mut reader = Reader::open(&place, &session.id, after).await?;
    while seen < DELTAS {
        reader.more().await?;
        reader.numbers(|_| seen += 1)?;
    }
    if reader.dense { Ok(seen) } else { Err("an event was lost, repeated or moved".into()) }
}

/// One reader of a flood stands still until another one has it all, and for as long as a quiet session is measured.
pub(crate) async fn stalled(load: &Load) -> Measured {
    let (flood, pace) = (Play::flood(load.amount), Play::pace(300, 20));
    let server = Server::start(load, &[&flood, &pace])?;
    let sessions = sessions::make(&server, 2)?;
    let [loud, quiet] = sessions.as_slice() else { return Err("two sessions were to be made".into()) };
    let before = server.resident_kib();
    let still = Reader::narrow(&server.place, &loud.id, loud.last_seq).await?;
    let reader = Reader::open(&server.place, &loud.id, loud.last_seq).await?;
    sessions::begin_beside(&server.place, std::slice::from_ref(loud), &flood).await?;
    let read: Seen = flood::follow(reader, load.amount).await?;
    let grown = server.resident_kib() - before;
    let mut others = JoinSet::new();
    let reader = Reader::open(&server.place, &quiet.id, quiet.last_seq).await?;
    others.spawn(latency::follow(reader, 300, 50));
    sessions::begin_beside(&server.place, std::slice::from_ref(quiet), &pace).await?;
    let mut report = Took::of(others).await?.report();
    let late = flood::follow(still, load.amount).await?;
    report["in_order"] = json!(read.in_order && late.in_order);
    report["grown_mib"] = json!(grown / 1024.0);
    Ok(report)
}
