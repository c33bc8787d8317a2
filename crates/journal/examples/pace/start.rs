//! A start with many sessions: opened, the few that have work to do found and read, then everything else that is asked.

use std::{path::Path, time::Instant};

use bytes::Bytes;
use selvedge_journal::{
    Entry, FeedCursor, Indexer, Kind, Limit, Options, Record, SessionId, SqliteStore, Store as _,
};
use serde_json::json;
use tokio::task::JoinSet;

use crate::{Load, Measured, body, ours};

/// One session in so many has a turn or a queue when the process ends.
const OPEN_ONE_IN: u64 = 100;
const OPEN: &str = "open";

fn options(file: &Path) -> Options {
    let entry = |session: &SessionId, record: &Record| {
        let is_first = record.events.first().is_some_and(|event| event.seq == 1);
        let is_open = session.as_str().ends_with("00") && is_first;
        let entry = Entry { table: OPEN, key: session.to_string(), value: Some(Bytes::new()) };
        if is_open { vec![entry] } else { Vec::new() }
    };
    Options::new(file).indexer(Indexer::new(1, entry))
}

fn kind(number: u8) -> Result<Kind, Box<dyn std::error::Error>> {
    Kind::new(number).ok_or_else(|| "no such kind".into())
}

/// Each session has a snapshot and a mark halfway through its records.
async fn fill(store: &SqliteStore, load: Load) -> Result<(), Box<dyn std::error::Error>> {
    let (records, snapshot, mark) = (load.events / load.sessions, kind(0)?, kind(Kind::FIRST_MARK)?);
    let mut owners = JoinSet::new();
    for number in 0..load.sessions {
        let store = store.clone();
        owners.spawn(async move {
            let session = ours::name(number);
            for n in 0..records {
                let record = Record::at(0).event(n + 1, body(n + 1));
                let is_halfway = n == records / 2;
                let record = if is_halfway { record.fact(snapshot, "x").fact(mark, "x") } else { record };
                store.append(&session, n, record).await?;
            }
            Ok::<_, selvedge_journal::AppendError>(())
        });
    }
    while let Some(ended) = owners.join_next().await {
        ended??;
    }
    Ok(())
}

/// How long a start takes, and the other questions to a journal of that size.
pub(crate) async fn open(file: &Path, load: Load) -> Measured {
    let store = SqliteStore::open(options(file))?;
    fill(&store, load).await?;
    store.close().await;
    drop(store);
    let checking = Instant::now();
    let report = SqliteStore::check(file, &mut |_| {})?;
    let checked = checking.elapsed().as_secs_f64();
    let started = Instant::now();
    let store = SqliteStore::open(options(file))?;
    let opened = milliseconds(started);
    let open = store.list(OPEN, None, 100_000).await?;
    let listed = milliseconds(started);
    let mut read = 0;
    for found in &open {
        read += store.since(&found.session, kind(0)?, Limit::of(1000)).await?.len();
    }
    let ready = milliseconds(started);
    let asking = Instant::now();
    let sessions = store.sessions(None, usize::MAX >> 1).await?.len();
    let all = milliseconds(asking);
    let asking = Instant::now();
    let page = store.log(FeedCursor::START, Some(kind(Kind::FIRST_MARK)?), Limit::of(100)).await?;
    let marks = milliseconds(asking);
    store.close().await;
    if open.len() as u64 != load.sessions / OPEN_ONE_IN || report.records != load.events || !report.is_whole()
    {
        return Err("the journal has not what was put into it".into());
    }
    Ok(json!({
        "opened_ms": opened, "listed_ms": listed, "ready_ms": ready, "read": read, "sessions": sessions,
        "all_sessions_ms": all, "marks": page.records.len(), "marks_ms": marks, "check_s": checked,
    }))
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
