//! Carries the write-ahead log into the file, on a connection and a thread of its own: whoever commits does not wait.

use std::{
    fs,
    path::Path,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rusqlite::Connection;

use super::{create::PAGE, open, queue::Queue};

/// How often to look whether there is enough to carry over.
const EVERY: Duration = Duration::from_millis(500);
/// While somebody writes, less than this is left where it is: a checkpoint synchronises to the disk, which commits beside it
/// feel, and so does the first commit after it.
const ENOUGH: u64 = 32 << 20;
/// What a commit writes beyond its records, about: the pages around them.
const COMMIT_BYTES: u64 = 2 * PAGE as u64;
/// Beyond so many bytes writers wait a moment, so that the log begins anew: under a steady flood it would otherwise grow
/// for ever.
const LONG: i64 = 64 << 20;
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

/// How much was written since the last checkpoint, about.
#[derive(Debug, Default)]
pub(super) struct Written(AtomicU64);

impl Written {
    /// What a program left in the log that did not live to carry it over. Without this a program that is killed again and
    /// again would let the log grow for ever, and read all of it at each start.
    pub(super) fn left_at(path: &Path) -> Self {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        // Without a log nothing is left; one that was carried over and not cut is carried over once more.
        Self(AtomicU64::new(fs::metadata(log).map_or(0, |log| log.len())))
    }

    /// A commit with so many bytes of records.
    pub(super) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64 + COMMIT_BYTES, Ordering::Relaxed);
    }

    /// What is to be carried over now, if it is enough, or if nothing has come since it was `before`.
    pub(super) fn due(&self, before: u64) -> Option<u64> {
        let now = self.0.load(Ordering::Relaxed);
        (now > 0 && (now >= ENOUGH || now == before)).then_some(now)
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
pub(super) fn run(connection: Connection, written: Arc<Written>, queue: Arc<Queue>, stop: Arc<Stop>) {
    let mut before = 0;
    while !stop.wait(EVERY) {
        if let Some(due) = written.due(before)
            && checkpoint(&connection)
        {
            written.0.fetch_sub(due, Ordering::Relaxed);
            // The first commit into the log that begins anew is synchronised to the disk.
            queue.expect_slow(true);
        }
        before = written.0.load(Ordering::Relaxed);
    }
}

/// Whether everything is in the file. A full disk or a long reader is met again the next time; nothing is lost: what
/// is committed lies in the log.
fn checkpoint(connection: &Connection) -> bool {
    let Ok((pages, done)) = pragma(connection, "PRAGMA wal_checkpoint(PASSIVE)") else { return false };
    // A file of an earlier version has larger pages, and then this is said of more bytes.
    if pages > LONG / i64::from(PAGE) {
        return pragma(connection, "PRAGMA wal_checkpoint(RESTART)").is_ok_and(|(pages, done)| pages == done);
    }
    pages == done
}

fn pragma(connection: &Connection, checkpoint: &str) -> rusqlite::Result<(i64, i64)> {
    connection.prepare_cached(checkpoint)?.query_row([], |row| Ok((row.get(1)?, row.get(2)?)))
}
