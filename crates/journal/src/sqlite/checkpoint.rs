//! Carries the write-ahead log into the file, on a connection and a thread of its own: whoever commits does not wait.

use std::{
    path::Path,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rusqlite::Connection;

use super::open;

/// How often, while something is written.
const EVERY: Duration = Duration::from_millis(500);
/// Beyond so many pages (64 MiB) writers wait a moment, so that the log begins anew: under a steady flood it would
/// otherwise grow for ever.
const LONG: i64 = 16_384;
/// How long that may take.
const MOMENT: Duration = Duration::from_millis(100);

/// Says when to stop.
#[derive(Debug, Default)]
pub(super) struct Stop {
    stopped: Mutex<bool>,
    changed: Condvar,
}

impl Stop {
    pub(super) fn stop(&self) {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_one();
    }

    /// Waits; true when it is time to stop.
    fn wait(&self, time: Duration) -> bool {
        let stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(stopped, time, |stopped| !*stopped);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// The connection for [`run`].
pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = open::connect(path)?;
    connection.busy_timeout(MOMENT)?;
    Ok(connection)
}

/// Works until it is stopped.
#[expect(clippy::needless_pass_by_value, reason = "the thread owns what it works with")]
pub(super) fn run(connection: Connection, written: Arc<AtomicBool>, stop: Arc<Stop>) {
    while !stop.wait(EVERY) {
        if written.swap(false, Ordering::AcqRel) && !checkpoint(&connection) {
            written.store(true, Ordering::Release);
        }
    }
}

/// Whether everything is in the file. A full disk or a long reader is met again the next time; nothing is lost: what
/// is committed lies in the log.
fn checkpoint(connection: &Connection) -> bool {
    let Ok((pages, done)) = pragma(connection, "PRAGMA wal_checkpoint(PASSIVE)") else { return false };
    if pages > LONG {
        return pragma(connection, "PRAGMA wal_checkpoint(RESTART)").is_ok_and(|(pages, done)| pages == done);
    }
    pages == done
}

fn pragma(connection: &Connection, checkpoint: &str) -> rusqlite::Result<(i64, i64)> {
    connection.prepare_cached(checkpoint)?.query_row([], |row| Ok((row.get(1)?, row.get(2)?)))
}
