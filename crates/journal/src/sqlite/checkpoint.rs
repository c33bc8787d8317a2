//! Carries the write-ahead log into the file, on a connection and a thread of its own: whoever commits does not wait.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rusqlite::Connection;

use super::{create::PAGE, open, queue::Queue};

/// How often to look whether there is something to do.
const EVERY: Duration = Duration::from_millis(250);
/// So many looks at which nothing new has come are a pause, in which everything is carried over.
const PAUSE: u32 = 2;
/// While somebody writes, less than this is left where it is.
const ENOUGH: u64 = 32 << 20;
/// So much is sent to the disk ahead of a checkpoint: what it would synchronise at once, commits beside it would wait for.
const PORTION: u64 = 2 << 20;
/// What a record takes in the log beyond its own bytes, about: the pages around it.
const RECORD_BYTES: u64 = 2 * PAGE as u64;
/// Beyond so many bytes writers wait a moment, so that the log begins anew: under a steady flood it would otherwise grow
/// for ever. Some of that moment is as long for few pages as for many, so it is seldom.
pub(super) const LONG: i64 = 64 << 20;
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
        // Without a log nothing is left; one that was carried over and not cut is carried over once more.
        Self(AtomicU64::new(fs::metadata(log_of(path)).map_or(0, |log| log.len())))
    }

    /// A record of so many bytes, or something else that changes a page or two.
    pub(super) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64 + RECORD_BYTES, Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// What is to be carried over now: what is enough, and in a pause everything.
    pub(super) fn due(&self, in_a_pause: bool) -> Option<u64> {
        let now = self.now();
        (now >= ENOUGH || in_a_pause && now > 0).then_some(now)
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
    let log = connection.path().map(|path| log_of(Path::new(path)));
    let (mut seen, mut sent, mut still) = (0, 0, 0);
    while !stop.wait(EVERY) {
        let now = written.now();
        still = if now == seen { still + 1 } else { 0 };
        if let Some(log) = &log
            && now.saturating_sub(sent) >= PORTION
            && send_ahead(log).is_ok()
        {
            sent = now;
        }
        if let Some(due) = written.due(still >= PAUSE)
            && checkpoint(&connection)
        {
            written.0.fetch_sub(due, Ordering::Relaxed);
            sent = 0;
            // The first commit into the log that begins anew is synchronised to the disk.
            queue.expect_slow(true);
        }
        seen = written.now();
    }
}

/// What is in the log reaches the disk. It may be opened and closed beside SQLite: its locks are on the other two files.
fn send_ahead(log: &Path) -> io::Result<()> {
    File::open(log)?.sync_data()
}

/// Where the write-ahead log of a journal lies.
fn log_of(path: &Path) -> PathBuf {
    let mut log = OsString::from(path);
    log.push("-wal");
    log.into()
}

/// Whether everything is in the file. A full disk or a long reader is met again the next time; nothing is lost: what
/// is committed lies in the log.
fn checkpoint(connection: &Connection) -> bool {
    // Nobody waits for this one, and it carries over whatever is there when it begins.
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
