//! What the gateway's process holds: at rest, for one more session, for readers that hear nothing, and with a crowd.

use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    Failure, Load, Measured,
    latency::{self, Took},
    reader::Reader,
    server::{Play, Server},
    sessions::{self, Session},
    talk::Talk,
};

/// Sessions that come first: with them the caches are full, and what follows is what one more costs.
const FIRST: usize = 500;
const MIB: f64 = 1024.0;

/// On an empty data directory, after its first answers.
pub(crate) fn rest(load: &Load) -> Measured {
    let server = Server::start(load, &[])?;
    let mut talk = Talk::open(&server.place)?;
    talk.get("/v1/sessions")?.json()?;
    Ok(json!({ "resident_mib": server.resident_kib() / MIB, "share_mib": server.share_kib() / MIB }))
}

/// One more session that is awake, and one in the middle of a turn with a reader. One app-server has them all.
pub(crate) async fn sessions(load: &Load) -> Measured {
    let stay = Play::stay();
    let everybody = format!("threads_per_process = {}", load.sessions + FIRST);
    let server = Server::start_with(load, &[&stay], &everybody)?;
    sessions::make(&server, FIRST)?;
    let before = server.resident_kib();
    let made = sessions::make(&server, load.sessions)?;
    let idle = server.resident_kib();
    let mut readers = JoinSet::new();
    for session in &made {
        readers.spawn(listen(open(&server, session).await?));
    }
    sessions::begin_beside(&server.place, &made, &stay).await?;
    let readers = readers.join_all().await.into_iter().collect::<Result<Vec<_>, _>>()?;
    let live = server.resident_kib();
    drop(readers);
    let each = |kib: f64| kib / load.sessions as f64;
    Ok(json!({ "idle_kib": each(idle - before), "live_kib": each(live - before) }))
}

/// Waits for the first words, and stays.
async fn listen(mut reader: Reader) -> Result<Reader, Failure> {
    let mut heard = false;
    while !heard {
        reader.more().await?;
        reader.numbers(|_| heard = true)?;
    }
    Ok(reader)
}

/// Readers of sessions in which nothing happens.
pub(crate) async fn idle_readers(load: &Load) -> Measured {
    let server = Server::start(load, &[])?;
    let made = sessions::make(&server, load.sessions)?;
    let before = server.resident_kib();
    let mut readers = Vec::with_capacity(load.amount);
    for session in made.iter().cycle().take(load.amount) {
        readers.push(open(&server, session).await?);
    }
    let with = server.resident_kib();
    let each = (with - before) / load.amount as f64;
    Ok(json!({ "readers": readers.len(), "resident_mib": with / MIB, "each_kib": each }))
}

/// Many sessions that say a word a second, each with two readers.
pub(crate) async fn crowd(load: &Load) -> Measured {
    let deltas = load.amount + 1;
    let play = Play::pace(deltas, 1_000);
    let server = Server::start(load, &[&play])?;
    let made = sessions::make(&server, load.sessions)?;
    let mut readers = JoinSet::new();
    for session in made.iter().chain(&made) {
        readers.spawn(latency::follow(open(&server, session).await?, deltas, 1));
    }
    let busy = server.cpu_seconds();
    sessions::begin_beside(&server.place, &made, &play).await?;
    let mut report = Took::of(readers).await?.report();
    report["cpu_seconds"] = json!(server.cpu_seconds() - busy);
    report["resident_mib"] = json!(server.resident_kib() / MIB);
    report["peak_mib"] = json!(server.peak_kib() / MIB);
    Ok(report)
}

async fn open(server: &Server, session: &Session) -> Result<Reader, Failure> {
    Reader::open(&server.place, &session.id, session.last_seq).await
}
