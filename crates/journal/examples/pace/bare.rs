//! Bare SQLite: the same pragmas and checkpoints, one row an event, one transaction a batch, nothing in between.

use std::{
    path::Path,
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, params};
use serde_json::json;

use crate::{Load, Measured, body};

/// A log with an index by session, like ours.
pub(crate) fn open(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192; PRAGMA wal_autocheckpoint = 0;
         CREATE TABLE log (id INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL);
         CREATE INDEX by_session ON log (session, seq);",
    )?;
    Ok(connection)
}

/// Checkpoints as ours are: beside the writer, every 500 ms, until the end of what is returned.
pub(crate) fn checkpoints(file: &Path) -> rusqlite::Result<Sender<()>> {
    let connection = Connection::open(file)?;
    let (stop, stopped) = mpsc::channel();
    thread::spawn(move || {
        while stopped.recv_timeout(Duration::from_millis(500)) == Err(RecvTimeoutError::Timeout) {
            let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        }
    });
    Ok(stop)
}

/// One transaction with a batch of events of every session.
pub(crate) fn insert(
    connection: &mut Connection,
    sessions: u64,
    seqs: std::ops::Range<u64>,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    {
        let mut insert =
            transaction.prepare_cached("INSERT INTO log (session, seq, body) VALUES (?1, ?2, ?3)")?;
        for session in 0..sessions {
            for seq in seqs.clone() {
                insert.execute(params![session, seq, body(seq).as_bytes()])?;
            }
        }
    }
    transaction.commit()
}

pub(crate) fn append(file: &Path, load: Load) -> Measured {
    let mut connection = open(file)?;
    let _checkpoints = checkpoints(file)?;
    let started = Instant::now();
    fill(&mut connection, load)?;
    Ok(json!({ "events": load.events, "seconds": started.elapsed().as_secs_f64() }))
}

fn fill(connection: &mut Connection, load: Load) -> rusqlite::Result<()> {
    let mut seq = 1;
    while seq <= load.events / load.sessions {
        insert(connection, load.sessions, seq..seq + load.batch)?;
        seq += load.batch;
    }
    Ok(())
}

pub(crate) fn replay(file: &Path, load: Load) -> Measured {
    let mut connection = open(file)?;
    fill(&mut connection, Load { batch: 1000, ..load })?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    let started = Instant::now();
    let mut statement = connection.prepare("SELECT seq, body FROM log WHERE session = 0 ORDER BY seq")?;
    let mut rows = statement.query([])?;
    let mut events: u64 = 0;
    while let Some(row) = rows.next()? {
        let _event: (u64, Vec<u8>) = (row.get(0)?, row.get(1)?);
        events += 1;
    }
    Ok(json!({ "events": events, "seconds": started.elapsed().as_secs_f64() }))
}
