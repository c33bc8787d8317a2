//! What writes: everything that waits becomes one commit, and readers at the tip get it from whoever committed.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{
    append::{Append, Appended, Placed, Placing},
    checkpoint::Written,
    explain::explain,
    heads::{self, Heads},
    open::BUSY,
    queue::{Queue, Taken},
    reader::log::NEWEST_PLACE,
    rebuild, retention,
    transaction::Transaction,
};
use crate::{
    error::StoreError,
    feed::Pulses,
    index::Indexer,
    record::{SessionId, blob::Blob},
    tail::{Lives, Newest},
};

/// How often to see whether another process has written, while somebody here reads.
const LOOK_AROUND: Duration = Duration::from_millis(50);

/// After a commit that took longer than this, and this for each record, the next one is for the writer's thread: the disk
/// may have become slow.
const QUICK: Duration = Duration::from_millis(1);
const QUICK_RECORD: Duration = Duration::from_micros(50);

/// A removal on its way.
#[derive(Debug)]
pub(super) struct Remove {
    pub(super) session: SessionId,
    /// Only if nothing was appended since this record.
    pub(super) only_at: Option<u64>,
    pub(super) reply: oneshot::Sender<Result<bool, StoreError>>,
}

/// What the writer is asked.
#[derive(Debug)]
pub(super) enum Job {
    Append(Box<Append>),
    Remove(Remove),
    RebuildIndex(oneshot::Sender<Result<u64, StoreError>>),
}

impl Job {
    /// About what it writes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Append(append) => append.blob.len(),
            Self::Remove(_) | Self::RebuildIndex(_) => 0,
        }
    }

    pub(super) fn append(self) -> Option<Append> {
        match self {
            Self::Append(append) => Some(*append),
            Self::Remove(_) | Self::RebuildIndex(_) => None,
        }
    }
}

/// What the writer has.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    pub(super) indexer: Indexer,
    pub(super) queue: Arc<Queue>,
    pub(super) lives: Arc<Lives>,
    pub(super) pulses: Arc<Pulses>,
    /// For the checkpoints.
    pub(super) written: Arc<Written>,
    pub(super) heads: Heads,
    /// SQLite's count of other connections' commits, as of our last look.
    pub(super) others: i64,
    /// Whether removed sessions may have rows left.
    pub(super) leftovers: bool,
    /// Whether each commit is synchronised to the disk.
    pub(super) synchronises: bool,
}

/// The writer's thread: works until the queue is closed and empty. False if a caller's thread broke the writer.
pub(super) fn run(writer: &Mutex<Option<Writer>>, closing: &Closing) -> bool {
    let mut patience = Some(Duration::ZERO);
    loop {
        let taken = closing.queue.take(patience);
        // It is our turn, so nobody else holds it.
        let Ok(mut desk) = writer.lock() else { return false };
        let Some(writer) = desk.as_mut() else { return true };
        match taken {
            Taken::Jobs(jobs) => writer.serve(jobs),
            Taken::Nothing => writer.idle(),
            // Its connection is closed now, however many handles there are.
            Taken::Closed => *desk = None,
        }
        patience = desk.as_ref().and_then(Writer::patience);
    }
}

impl Writer {
    /// Commits on the thread of whoever leads, if that is possible at once; else gives everything back.
    pub(super) fn append_here(&mut self, appends: Vec<Append>) -> Vec<Append> {
        // An async thread must not sleep until another process has written.
        let _ = self.connection.busy_timeout(Duration::ZERO);
        let committed = self.commit(&appends);
        let _ = self.connection.busy_timeout(BUSY);
        match committed {
            Ok(placed) => self.publish(appends, placed),
            Err(_) => return appends,
        }
        Vec::new()
    }

    fn patience(&self) -> Option<Duration> {
        if self.leftovers {
            Some(Duration::ZERO)
        } else if self.lives.is_empty() && self.pulses.is_empty() {
            // Who begins to read looks at the file itself, and nudges us.
            None
        } else {
            Some(LOOK_AROUND)
        }
    }

    fn idle(&mut self) {
        if self.leftovers {
            self.leftovers = retention::sweep(&mut self.connection).unwrap_or(false);
            self.written.add(0);
        }
        self.look_around();
    }

    fn serve(&mut self, jobs: Vec<Job>) {
        // Whatever made the next commit slow, this one meets it, and says if it was.
        self.queue.expect_slow(false);
        let mut appends = Vec::with_capacity(jobs.len());
        for job in jobs {
            match job {
                Job::Append(append) => appends.push(*append),
                other => {
                    self.append_all(std::mem::take(&mut appends));
                    self.serve_other(other);
                }
            }
        }
        self.append_all(appends);
    }

    /// Whoever asked may have gone; what was asked is done all the same.
    fn serve_other(&mut self, job: Job) {
        match job {
            Job::Append(append) => self.append_all(vec![*append]),
            Job::Remove(Remove { session, only_at, reply }) => {
                let _ = reply.send(self.remove(&session, only_at));
            }
            Job::RebuildIndex(reply) => {
                let rebuilt = rebuild::rebuild(&mut self.connection, &self.indexer);
                self.written.add(0);
                let _ = reply.send(rebuilt.map_err(|trouble| trouble.at(&self.path)));
            }
        }
    }

    /// One transaction for all. If it fails as a whole, each gets its own: one that finds no room, or cannot be
    /// stored, does not take its neighbours with it.
    pub(super) fn append_all(&mut self, appends: Vec<Append>) {
        if appends.is_empty() {
            return;
        }
        match self.commit(&appends) {
            Ok(placed) => self.publish(appends, placed),
            Err(error) if appends.len() == 1 || is_busy(&error) => {
                let error = explain(&self.path, &error);
                for append in appends {
                    let _ = append.reply.send(Err(error.clone().into()));
                }
            }
            Err(_) => appends.into_iter().for_each(|append| self.append_all(vec![append])),
        }
    }

    fn commit(&mut self, appends: &[Append]) -> rusqlite::Result<Vec<Placed>> {
        let begun = Instant::now();
        let placed = self.transact(appends);
        appends.iter().for_each(|append| self.written.add(append.blob.len()));
        let records = u32::try_from(appends.len()).unwrap_or(u32::MAX);
        if self.synchronises || begun.elapsed() > QUICK + QUICK_RECORD * records {
            self.queue.expect_slow(true);
        }
        placed
    }

    fn transact(&mut self, appends: &[Append]) -> rusqlite::Result<Vec<Placed>> {
        let transaction = Transaction::begin(&mut self.connection)?;
        if others_wrote(&transaction, &mut self.others)? {
            self.heads.forget_all();
            learn_lives(&transaction, &self.lives)?;
            learn_pulses(&transaction, &self.pulses)?;
        }
        let mut placing = Placing::new(&transaction, &self.heads);
        let placed = appends.iter().map(|append| placing.place(append)).collect::<rusqlite::Result<_>>()?;
        transaction.commit()?;
        Ok(placed)
    }

    /// Everything is durable: readers at the tip get it, then the owners are told.
    fn publish(&mut self, appends: Vec<Append>, placed: Vec<Placed>) {
        self.tell_feeds(&appends, &placed);
        for (append, placed) in appends.into_iter().zip(placed) {
            let answer = placed.map(|Appended { place, .. }| {
                self.heads.remember(&append.session, place);
                if let (Some(live), Ok(blob)) = (self.lives.get(&append.session), Blob::trusted(append.blob))
                {
                    live.committed(blob, place.head);
                }
                place.head
            });
            let _ = append.reply.send(answer);
        }
    }

    fn tell_feeds(&self, appends: &[Append], placed: &[Placed]) {
        if self.pulses.is_empty() {
            return;
        }
        let committed = appends
            .iter()
            .zip(placed)
            .filter_map(|(append, placed)| placed.as_ref().ok().map(|appended| (appended.id, append.kinds)));
        self.pulses.committed(&committed.collect::<Vec<_>>());
    }

    fn remove(&mut self, session: &SessionId, only_at: Option<u64>) -> Result<bool, StoreError> {
        let removed = retention::remove(&mut self.connection, session, only_at);
        let removed = removed.map_err(|error| explain(&self.path, &error))?;
        if removed {
            self.written.add(0);
            self.heads.forget(session);
            self.leftovers = true;
            if let Some(live) = self.lives.get(session) {
                live.ended(Newest::Removed);
            }
        }
        Ok(removed)
    }

    /// Another process may have appended to a session that is read here.
    fn look_around(&mut self) {
        // A file that cannot be read now is met again, by somebody who is waiting for an answer.
        if let Ok(true) = others_wrote(&self.connection, &mut self.others) {
            self.heads.forget_all();
            let _ = learn_lives(&self.connection, &self.lives);
            let _ = learn_pulses(&self.connection, &self.pulses);
        }
    }
}

/// Whether another connection has committed since the last look.
fn others_wrote(connection: &Connection, known: &mut i64) -> rusqlite::Result<bool> {
    let now = connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
    Ok(std::mem::replace(known, now) != now)
}

/// Tells the live sessions where they stand in the file.
fn learn_lives(connection: &Connection, lives: &Lives) -> rusqlite::Result<()> {
    for live in lives.all() {
        match heads::place(connection, live.session())? {
            Some(place) => live.learned(place.head),
            None if live.head().n > 0 => live.ended(Newest::Removed),
            None => {}
        }
    }
    Ok(())
}

/// Tells the feeds how far the log reaches now.
fn learn_pulses(connection: &Connection, pulses: &Pulses) -> rusqlite::Result<()> {
    if !pulses.is_empty() {
        let newest: Option<u64> = connection.prepare_cached(NEWEST_PLACE)?.query_row([], |row| row.get(0))?;
        pulses.learned(newest.unwrap_or(0));
    }
    Ok(())
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}

/// Tells everybody that nothing more will be written, however the thread that owns it ends.
pub(super) struct Closing {
    pub(super) queue: Arc<Queue>,
    pub(super) lives: Arc<Lives>,
    pub(super) pulses: Arc<Pulses>,
}

impl Drop for Closing {
    fn drop(&mut self) {
        self.queue.abandon();
        for live in self.lives.all() {
            live.ended(Newest::Closed);
        }
        self.pulses.close();
    }
}
