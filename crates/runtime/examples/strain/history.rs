//! What lies in the journal: a start with many sessions, what the cold ones cost, and a session replayed from its beginning.

use std::{path::Path, time::Instant};

use selvedge_journal::{
    Event, Limit, Options, Record, SessionId as Key, SqliteStore, Store as _, StoredRecord,
};
use selvedge_runtime::{Config, Message, NewSession, Runtime, session::SessionId};
use serde_json::json;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    Failure, Load, Measured,
    stage::{self, resident_kib},
};

/// Events in one record of what is replayed.
const TOGETHER: u64 = 10;

/// A session with a message behind it, as often as wanted; then a start, in a process of its own.
pub(crate) async fn ready(load: Load) -> Measured {
    let (full, empty) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let original = original(full.path(), &load).await?;
    multiply(full.path(), original, load.sessions).await?;
    // The first one makes the index, the others find it.
    let mut opened = Vec::new();
    for _ in 0..4 {
        opened.push(stage::report(stage::again("opened", full.path(), &load)?)?);
    }
    let bare = stage::report(stage::again("opened", empty.path(), &load)?)?;
    let least =
        |name: &str| opened[1..].iter().filter_map(|report| report[name].as_f64()).fold(f64::NAN, f64::min);
    let cold =
        (least("resident_kib") - bare["resident_kib"].as_f64().unwrap_or(f64::NAN)) / load.sessions as f64;
    Ok(json!({
        "open_ms": least("open_ms"), "listed_ms": least("listed_ms"), "empty_ms": bare["open_ms"],
        "cold_kib": cold, "sessions": opened[1]["sessions"],
    }))
}

/// A start, as a program of its own sees it.
pub(crate) async fn opened(rest: &[String], load: Load) -> Measured {
    let config = stage::prepare(&stage::given(rest)?, &load, "{ say = { text = \"words\" } }")?;
    let started = Instant::now();
    let runtime = Box::pin(Runtime::open(config)).await?;
    let open_ms = milliseconds(started);
    let resident_kib = resident_kib();
    let started = Instant::now();
    let page = runtime.sessions(&selvedge_runtime::Filter::default()).await?;
    let report = json!({
        "open_ms": open_ms, "resident_kib": resident_kib, "listed_ms": milliseconds(started),
        "sessions": page.items.len(),
    });
    runtime.shut_down().await;
    Ok(report)
}

/// A session of many events, read through its handle from the first to the last.
pub(crate) async fn replay(load: Load) -> Measured {
    let directory = tempfile::tempdir()?;
    let config = stage::prepare(directory.path(), &load, "{ say = { text = \"words\" } }")?;
    let id = SessionId(Uuid::now_v7());
    fill(&config, id, load.amount as u64).await?;
    let runtime = Box::pin(Runtime::open(config)).await?;
    let session = runtime.session(id).await?;
    let started = Instant::now();
    let mut events = session.events(0).await?;
    let (mut count, mut bytes) = (0, 0);
    while count < load.amount {
        let page = events.next(1_000).await?;
        count += page.len();
        bytes += page.iter().map(|event| event.text.len()).sum::<usize>();
    }
    let seconds = started.elapsed().as_secs_f64();
    runtime.shut_down().await;
    Ok(json!({ "events": count, "seconds": seconds, "bytes": bytes }))
}

/// Deltas of a message, as a runtime writes them, before there is a runtime.
async fn fill(config: &Config, id: SessionId, events: u64) -> Result<(), Failure> {
    std::fs::create_dir_all(&config.data_dir)?;
    let store = SqliteStore::open(Options::new(config.data_dir.join("journal.db")))?;
    let (key, mut n) = (Key::from(id.to_string()), 0);
    for first in (1..=events).step_by(usize::try_from(TOGETHER)?) {
        let event = |record: Record, seq: u64| {
            record.event(
                seq,
                format!(
                    r#"{{"seq":{seq},"session_id":"{id}","at":"2026-01-01T00:00:00.000Z","turn_id":"{id}","item_id":"msg_0123456789abcdef","type":"item.delta","data":{{"kind":"text","delta":"some words of it"}}}}"#
                ),
            )
        };
        n = store.append(&key, n, (first..first + TOGETHER).fold(Record::at(0), event)).await?.n;
    }
    store.close().await;
    Ok(())
}

/// The records of a session that a runtime made.
async fn original(directory: &Path, load: &Load) -> Result<(SessionId, Vec<StoredRecord>), Failure> {
    let config = stage::prepare(directory, load, "{ say = { text = \"words\" } }")?;
    let journal = config.data_dir.join("journal.db");
    let runtime = Box::pin(Runtime::open(config)).await?;
    let session = runtime.create(NewSession::in_directory(directory.to_string_lossy())).await?;
    let sent = session.send(Message::text("hello")).await?;
    session.finished(sent.message_id).await?;
    runtime.shut_down().await;
    let store = SqliteStore::open(Options::new(journal))?;
    let records = store.records(&Key::from(session.id().to_string()), 0, Limit::of(1_000)).await?;
    store.close().await;
    Ok((session.id(), records))
}

/// The same under other names.
async fn multiply(
    directory: &Path,
    (id, records): (SessionId, Vec<StoredRecord>),
    sessions: usize,
) -> Result<(), Failure> {
    let store = SqliteStore::open(Options::new(directory.join("data/journal.db")))?;
    let mut writing = JoinSet::new();
    for _ in 1..sessions {
        let (name, store) = (Uuid::now_v7().to_string(), store.clone());
        let copies: Vec<_> =
            records.iter().map(|stored| renamed(&stored.record, &id.to_string(), &name)).collect();
        if writing.len() >= 100
            && let Some(written) = writing.join_next().await
        {
            written??;
        }
        writing.spawn(async move {
            for (n, record) in (0..).zip(copies) {
                store.append(&Key::from(name.clone()), n, record).await?;
            }
            Ok::<_, Failure>(())
        });
    }
    while let Some(written) = writing.join_next().await {
        written??;
    }
    store.close().await;
    Ok(())
}

fn renamed(record: &Record, from: &str, to: &str) -> Record {
    let text = |body: &[u8]| String::from_utf8_lossy(body).replace(from, to).into();
    let mut record = record.clone();
    for Event { body, .. } in &mut record.events {
        *body = text(body);
    }
    for fact in &mut record.facts {
        fact.body = text(&fact.body);
    }
    record
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
