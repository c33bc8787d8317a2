//! The slip: a short file of this program's own. A record that is jotted down there is durable with one write; a moment later it
//! is carried over into the log, with what else was jotted meanwhile.
//!
//! A session is claimed for a slip in the log itself before its first record is jotted, and given free with the next one that goes
//! straight into the log. Whoever else wants to append to it meets the claim: while its holder lives he has to wait, and
//! of one that has died he carries over first what it left.

mod frame;
mod left;
mod slips;

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::PathBuf,
    time::{Duration, Instant},
};

use rusqlite::Connection;

use super::{append::Ready, heads::Place, transaction::Transaction};

pub(super) use slips::Slips;

/// More is not jotted down before it is carried over.
const ROOM: usize = 16 * 1024;
/// So long after the last record it is looked whether there is something to carry over.
const PAUSE: Duration = Duration::from_secs(1);

/// This program's slip.
#[derive(Debug)]
pub(super) struct Slip {
    /// By which sessions are claimed. No two slips of a journal have the same.
    pub(super) id: i64,
    /// Locked as long as this program lives.
    file: File,
    path: PathBuf,
    /// What is not carried over yet.
    jotted: Vec<Jotted>,
    /// Where the next one will lie. What lies behind is of before, and is in the log.
    end: usize,
    used: Instant,
}

/// A record that was jotted down.
#[derive(Debug)]
pub(super) struct Jotted {
    pub(super) ready: Ready,
    /// Where its session stands with it.
    pub(super) place: Place,
}

impl Slip {
    /// Takes the next slip.
    pub(super) fn take(connection: &mut Connection, slips: &Slips) -> Result<Self, NoSlip> {
        let id = next_id(connection)?;
        let path = slips.place(id);
        let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
        // Somebody may have taken it for a dead program's before it was locked, and may have thrown it away.
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => NoSlip::NotNow,
            TryLockError::Error(_) => NoSlip::Unusable,
        })?;
        if std::fs::metadata(&path)?.ino() != file.metadata()?.ino() {
            return Err(NoSlip::NotNow);
        }
        Ok(Self { id, file, path, jotted: Vec::new(), end: 0, used: Instant::now() })
    }

    /// Writes records down, all or none. They are durable then.
    pub(super) fn jot<'a>(
        &mut self,
        records: impl Iterator<Item = (&'a Ready, Place)> + Clone,
    ) -> io::Result<()> {
        let mut frames = Vec::new();
        for (ready, place) in records.clone() {
            frame::put(&mut frames, place.number, &ready.blob);
        }
        if self.end + frames.len() > ROOM {
            return Err(io::ErrorKind::StorageFull.into());
        }
        if let Err(error) = self.file.write_all_at(&frames, self.end as u64) {
            // The first of them may lie there whole, and nobody is told that it does.
            let _unwritten = self.file.write_all_at(&frame::NOTHING, self.end as u64);
            return Err(error);
        }
        self.end += frames.len();
        self.jotted.extend(records.map(|(ready, place)| Jotted { ready: ready.again(), place }));
        self.used = Instant::now();
        Ok(())
    }

    /// What waits to be carried over, in order.
    pub(super) fn jotted(&self) -> &[Jotted] {
        &self.jotted
    }

    /// All of it is in the log; what it was.
    pub(super) fn carried_over(&mut self) -> Vec<Jotted> {
        self.end = 0;
        std::mem::take(&mut self.jotted)
    }

    /// Whether something was jotted down lately, so that somebody has to look after it.
    pub(super) fn is_in_use(&self) -> bool {
        !self.jotted.is_empty() || self.used.elapsed() < PAUSE
    }

    /// Gives all sessions free, when everything is carried over; then the slip is thrown away.
    pub(super) fn end(self, connection: &mut Connection) -> rusqlite::Result<()> {
        if !self.jotted.is_empty() {
            // Whoever comes next finds it.
            return Ok(());
        }
        let transaction = Transaction::begin(connection)?;
        free(&transaction, self.id)?;
        transaction.commit()?;
        // One that stays has nothing in it that the log has not.
        let _removed = std::fs::remove_file(&self.path);
        Ok(())
    }
}

/// Why there is no slip.
#[derive(Debug)]
pub(super) enum NoSlip {
    /// Not now: the log could not be asked for its number, or somebody else has the file.
    NotNow,
    /// Files cannot be made or locked here.
    Unusable,
}

impl From<rusqlite::Error> for NoSlip {
    fn from(_: rusqlite::Error) -> Self {
        Self::NotNow
    }
}

impl From<io::Error> for NoSlip {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // A file of that number may lie beside a journal that was restored: the next number is another one.
            io::ErrorKind::StorageFull | io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists => {
                Self::NotNow
            }
            _ => Self::Unusable,
        }
    }
}

fn next_id(connection: &mut Connection) -> rusqlite::Result<i64> {
    let transaction = Transaction::begin(connection)?;
    let id = transaction.query_row(
        "INSERT INTO settings (name, value) VALUES ('slip', 1)
         ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value",
        [],
        |row| row.get(0),
    )?;
    transaction.commit()?;
    Ok(id)
}

/// Gives the sessions free that a slip has claimed.
fn free(connection: &Connection, id: i64) -> rusqlite::Result<usize> {
    connection.execute("UPDATE sessions SET slip = NULL WHERE slip = ?1", [id])
}

#[cfg(test)]
mod tests;
