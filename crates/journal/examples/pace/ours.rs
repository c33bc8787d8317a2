//! The journal: owners that append one record at a time, and a reader from the beginning.

use std::{path::Path, time::Instant};

use selvedge_journal::{AppendError, Options, Record, SessionId, SqliteStore, Store as _};
use serde_json::json;
use tokio::task::JoinSet;

use crate::{Load, Measured, body};

pub(crate) async fn append(file: &Path, load: Load) -> Measured {
    let store = SqliteStore::open(Options::new(file))?;
    let started = Instant::now();
    fill(&store, load).await?;
    let seconds = started.elapsed().as_secs_f64();
    store.close().await;
    Ok(json!({ "events": load.events, "seconds": seconds }))
}

/// Every session has an owner, and each awaits its commit before it appends on.
async fn fill(store: &SqliteStore, load: Load) -> Result<(), Box<dyn std::error::Error>> {
    let mut owners = JoinSet::new();
    for number in 0..load.sessions {
        owners.spawn(own(store.clone(), name(number), load));
    }
    while let Some(ended) = owners.join_next().await {
        ended??;
    }
    Ok(())
}

pub(crate) fn name(number: u64) -> SessionId {
    format!("019a8b3c-5d6e-7f80-9123-{number:012}").into()
}

async fn own(store: SqliteStore, session: SessionId, load: Load) -> Result<(), AppendError> {
    let (mut n, mut seq) = (0, 0);
    // The owner keeps its session live, as a runtime does.
    let _live = store.live(&session).await?;
    while seq < load.events / load.sessions {
        let record =
            (seq + 1..=seq + load.batch).fold(Record::at(0), |record, seq| record.event(seq, body(seq)));
        let head = store.append(&session, n, record).await?;
        (n, seq) = (head.n, head.seq);
    }
    Ok(())
}

pub(crate) async fn replay(file: &Path, load: Load) -> Measured {
    let store = SqliteStore::open(Options::new(file))?;
    fill(&store, load).await?;
    // Opened again: what is replayed lies in the file, and nobody writes.
    store.close().await;
    let store = SqliteStore::open(Options::new(file))?;
    let started = Instant::now();
    let mut reader = store.reader(&name(0), 0).await?;
    let (mut events, mut bytes) = (0, 0);
    while reader.seq() < load.events / load.sessions {
        let page = reader.next_page(1000).await?;
        events += page.len();
        bytes += page.iter().map(|event| event.body.len()).sum::<usize>();
    }
    let seconds = started.elapsed().as_secs_f64();
    store.close().await;
    Ok(json!({ "events": events, "seconds": seconds, "bytes": bytes }))
}
