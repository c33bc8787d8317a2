//! What writes: everything that waits becomes one commit, and readers at the tip get it from whoever committed.

mod carrying;

use std::{
    mem,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use bytes::Bytes;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{
    append::Append,
    checkpoint::Written,
    desk::Desk,
    explain::{explain, is_busy},
    heads::{self, Heads},
    open::BUSY,
    placing::{Placed, Placing},
    queue::{Queue, Taken},
    reader::log::NEWEST_PLACE,
    rebuild, retention,
    transaction::Transaction,
};
use crate::{
    error::{AppendError, StoreError},
    feed::Pulses,
    index::Indexer,
    record::{SessionId, blob::Blob},
    store::Head,
    tail::{Lives, Newest},
};

/// How often to see whether another process has written, while somebody here reads.
const LOOK_AROUND: Duration = Duration::from_millis(50);

/// After a commit that took longer than this, and this for each record, the next one is for the writer's thread: the disk
/// may have become slow.
const QUICK: Duration = Duration::from_millis(1);
const QUICK_RECORD: Duration = Duration::from_micros(50);

/// So long it is waited for another process that writes, where something else can be done than to wait.
pub(super) const PATIENCE: Duration = Duration::from_millis(100);

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
    /// What was jotted down is to be in the log.
    CarryOver(oneshot::Sender<Result<(), StoreError>>),
    /// Where a session stands that is claimed for a slip: if its program has died, all of it is to be in the log.
    TakeOver(SessionId, oneshot::Sender<Result<Head, StoreError>>),
}

impl Job {
    /// About what it writes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Append(append) => append.ready.blob.len(),
            Self::Remove(_) | Self::RebuildIndex(_) | Self::CarryOver(_) | Self::TakeOver(..) => 0,
        }
    }

    pub(super) fn append(self) -> Option<Append> {
        match self {
            Self::Append(append) => Some(*append),
            Self::Remove(_) | Self::RebuildIndex(_) | Self::CarryOver(_) | Self::TakeOver(..) => None,
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
    /// Where short records are jotted down.
    pub(super) desk: Desk,
    /// Whether the thread looks around from time to time.
    pub(super) watched: bool,
}

/// The writer's thread: works until the queue is closed and empty. False if a caller's thread broke the writer.
pub(super) fn run(writer: &Mutex<Option<Writer>>, closing: &Closing) -> bool {
    let mut patience = Some(Duration::ZERO);
    loop {
        let taken = closing.queue.take(patience);
        // It is our turn, so nobody else holds it.
        let Ok(mut held) = writer.lock() else { return false };
        let Some(writer) = held.as_mut() else { return true };
        match taken {
            Taken::Jobs(jobs) => writer.serve(jobs),
            Taken::Nothing => writer.idle(),
            // Its connection is closed now, however many handles there are.
            Taken::Closed => {
                let _left_to_the_next = writer.carry_over(BUSY);
                writer.desk.clear(&mut writer.connection);
                *held = None;
            }
        }
        patience = held.as_mut().and_then(Writer::patience);
    }
}

impl Writer {
    /// Commits on the thread of whoever leads, if that is possible at once; else gives everything back.
    pub(super) fn append_here(&mut self, appends: Vec<Append>) -> Vec<Append> {
        let Err(appends) = self.jot(appends) else { return Vec::new() };
        // An async thread must not sleep until another process has written.
        match self.with_patience(Duration::ZERO, |writer| writer.commit(&appends)) {
            Ok(placed) => self.publish(appends, placed),
            Err(_) => return appends,
        }
        Vec::new()
    }

    /// Jots all of them down, or gives them back.
    fn jot(&mut self, appends: Vec<Append>) -> Result<(), Vec<Append>> {
        let Some(heads) = self.desk.jot(&appends, &self.heads) else { return Err(appends) };
        if !mem::replace(&mut self.watched, true) {
            // The thread has to carry it over, and sleeps until somebody comes.
            self.queue.nudge();
        }
        self.tell(appends, heads.into_iter().map(Ok));
        Ok(())
    }

    fn patience(&mut self) -> Option<Duration> {
        let patience = self.pause();
        self.watched = patience.is_some();
        patience
    }

    fn pause(&self) -> Option<Duration> {
        if self.leftovers {
            Some(Duration::ZERO)
        } else if self.lives.is_empty() && self.pulses.is_empty() && !self.desk.is_in_use() {
            // Who begins to read looks at the file itself, and nudges us.
            None
        } else {
            Some(LOOK_AROUND)
        }
    }

    fn idle(&mut self) {
        let _later = self.carry_over(Duration::ZERO);
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
        let mut readers = Vec::new();
        for job in jobs {
            match job {
                Job::Append(append) => appends.push(*append),
                // All of them wait once.
                Job::CarryOver(reply) => readers.push(reply),
                other => {
                    self.append_all(mem::take(&mut appends));
                    self.serve_other(other);
                }
            }
        }
        self.append_all(appends);
        self.carry_over_for(readers);
    }

    /// Whoever asked may have gone; what was asked is done all the same.
    fn serve_other(&mut self, job: Job) {
        let _later = self.carry_over(PATIENCE);
        match job {
            Job::Append(append) => self.append_all(vec![*append]),
            Job::CarryOver(reply) => self.carry_over_for(vec![reply]),
            Job::Remove(Remove { session, only_at, reply }) => {
                let _ = reply.send(self.remove(&session, only_at));
            }
            Job::RebuildIndex(reply) => {
                let rebuilt = rebuild::rebuild(&mut self.connection, &self.indexer);
                self.written.add(0);
                let _ = reply.send(rebuilt.map_err(|trouble| trouble.at(&self.path)));
            }
            Job::TakeOver(session, reply) => {
                let head = self.take_over(&session).map_err(|error| explain(&self.path, &error));
                let _ = reply.send(head);
            }
        }
    }

    fn with_patience<T>(&mut self, patience: Duration, work: impl FnOnce(&mut Self) -> T) -> T {
        let _ = self.connection.busy_timeout(patience);
        let done = work(self);
        let _ = self.connection.busy_timeout(BUSY);
        done
    }

    /// One transaction for all. If it fails as a whole, each gets its own: one that finds no room, or cannot be
    /// stored, does not take its neighbours with it.
    pub(super) fn append_all(&mut self, appends: Vec<Append>) {
        if appends.is_empty() {
            return;
        }
        let committed = self.with_patience(PATIENCE, |writer| writer.commit(&appends));
        let (appends, committed) = match committed {
            Err(error) if is_busy(&error) => {
                // Whoever writes takes his time. That is only waited for by those who need the log.
                let Err(appends) = self.jot(appends) else { return };
                let committed = self.commit(&appends);
                (appends, committed)
            }
            committed => (appends, committed),
        };
        match committed {
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
        let placed = self.transact(appends)?;
        appends.iter().for_each(|append| self.written.add(append.ready.blob.len()));
        let records = u32::try_from(appends.len()).unwrap_or(u32::MAX);
        if self.synchronises || begun.elapsed() > QUICK + QUICK_RECORD * records {
            self.queue.expect_slow(true);
        }
        Ok(placed)
    }

    fn transact(&mut self, appends: &[Append]) -> rusqlite::Result<Vec<Placed>> {
        if !self.synchronises && appends.iter().any(|append| append.brief) {
            self.desk.lay_out(&mut self.connection);
        }
        let transaction = Transaction::begin(&mut self.connection)?;
        if others_wrote(&transaction, &mut self.others)? {
            self.heads.forget_all();
            learn_lives(&transaction, &self.lives)?;
            learn_pulses(&transaction, &self.pulses)?;
        }
        let mut placing = Placing::new(&transaction, &self.path, &self.heads, &self.desk);
        let jotted = self.desk.jotted().iter().map(|jotted| placing.carry_over(jotted));
        let jotted = jotted.collect::<rusqlite::Result<Vec<_>>>()?;
        let placed = appends
            .iter()
            .map(|append| placing.place(&append.ready, append.brief))
            .collect::<rusqlite::Result<_>>()?;
        let took_over = placing.took_over;
        transaction.commit()?;
        self.carried_over(jotted);
        if took_over {
            // It is committed, whatever can be told of it; who is not told now is told by the next commit.
            let _later = self.tell_all();
        }
        Ok(placed)
    }

    /// Everything is durable: feeds are told, readers at the tip get it, then the owners are told.
    fn publish(&mut self, appends: Vec<Append>, placed: Vec<Placed>) {
        self.tell_feeds(appends.iter().map(|append| append.ready.kinds).zip(&placed));
        for (append, placed) in appends.iter().zip(&placed) {
            if let Ok(appended) = placed {
                self.heads.remember(&append.ready.session, appended.place);
            }
        }
        self.tell(appends, placed.into_iter().map(|placed| placed.map(|appended| appended.place.head)));
    }

    /// Readers at the tip get what is durable, then the owners are told.
    fn tell(&self, appends: Vec<Append>, heads: impl Iterator<Item = Result<Head, AppendError>>) {
        for (append, head) in appends.into_iter().zip(heads) {
            if let Ok(head) = head {
                self.show(&append.ready.session, &append.ready.blob, head);
            }
            let _ = append.reply.send(head);
        }
    }

    fn show(&self, session: &SessionId, blob: &Bytes, head: Head) {
        if let Some(live) = self.lives.get(session)
            && let Ok(blob) = Blob::trusted(blob.clone())
        {
            live.committed(blob, head);
        }
    }

    /// Tells everybody who waits at the tip where the file ends.
    fn tell_all(&self) -> rusqlite::Result<()> {
        learn_lives(&self.connection, &self.lives)?;
        learn_pulses(&self.connection, &self.pulses)
    }

    /// Tells the feeds which kinds of facts came to lie where.
    fn tell_feeds<'a>(&self, records: impl Iterator<Item = (i64, &'a Placed)>) {
        if self.pulses.is_empty() {
            return;
        }
        let committed =
            records.filter_map(|(kinds, placed)| placed.as_ref().ok().map(|appended| (appended.id, kinds)));
        self.pulses.committed(&committed.collect::<Vec<_>>());
    }

    pub(super) fn remove(&mut self, session: &SessionId, only_at: Option<u64>) -> Result<bool, StoreError> {
        let removed = retention::remove(&mut self.connection, session, only_at, &self.desk);
        let removed = removed.map_err(|error| explain(&self.path, &error))?;
        if removed {
            self.written.add(0);
            self.heads.forget(session);
            self.desk.forget(session);
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
            let _later = self.tell_all();
        }
    }
}

/// Whether another connection has committed since the last look.
fn others_wrote(connection: &Connection, known: &mut i64) -> rusqlite::Result<bool> {
    let now = connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
    Ok(mem::replace(known, now) != now)
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
