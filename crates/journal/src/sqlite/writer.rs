//! The one thread that writes: everything that waits becomes one commit, and readers at the tip get it from here.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::oneshot;

use super::{
    append::{Append, Placed, Placing},
    explain::explain,
    heads::{self, Heads},
    queue::{Queue, Taken},
    rebuild, retention,
};
use crate::{
    error::StoreError,
    index::Indexer,
    record::{SessionId, blob::Blob},
    tail::{Lives, Newest},
};

/// How often to see whether another process has written, while somebody here reads.
const LOOK_AROUND: Duration = Duration::from_millis(50);

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

/// What the writer has.
pub(super) struct Writer {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    pub(super) indexer: Indexer,
    pub(super) queue: Arc<Queue>,
    pub(super) lives: Arc<Lives>,
    /// Set after each commit, for the checkpoints.
    pub(super) written: Arc<AtomicBool>,
    pub(super) heads: Heads,
    /// SQLite's count of other connections' commits, as of our last look.
    pub(super) others: i64,
    /// Whether removed sessions may have rows left.
    pub(super) leftovers: bool,
}

impl Writer {
    /// Works until the queue is closed and empty.
    pub(super) fn run(mut self) {
        // Also when this thread panics: nobody waits for a writer that is gone.
        let _closing = Closing { queue: Arc::clone(&self.queue), lives: Arc::clone(&self.lives) };
        loop {
            match self.queue.take(self.patience()) {
                Taken::Jobs(jobs) => self.serve(jobs),
                Taken::Nothing => self.idle(),
                Taken::Closed => break,
            }
        }
    }

    fn patience(&self) -> Option<Duration> {
        if self.leftovers {
            Some(Duration::ZERO)
        } else if self.lives.is_empty() {
            // Who begins to read looks at the file itself, and nudges us.
            None
        } else {
            Some(LOOK_AROUND)
        }
    }

    fn idle(&mut self) {
        if self.leftovers {
            self.leftovers = retention::sweep(&mut self.connection).unwrap_or(false);
            self.written.store(true, Ordering::Release);
        }
        self.look_around();
    }

    fn serve(&mut self, jobs: Vec<Job>) {
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
        self.written.store(true, Ordering::Release);
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
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if others_wrote(&transaction, &mut self.others)? {
            self.heads.forget_all();
            learn_lives(&transaction, &self.lives)?;
        }
        let mut placing = Placing::new(&transaction, &self.heads);
        let placed = appends.iter().map(|append| placing.place(append)).collect::<rusqlite::Result<_>>()?;
        transaction.commit()?;
        Ok(placed)
    }

    /// Everything is durable: readers at the tip get it, then the owners are told.
    fn publish(&mut self, appends: Vec<Append>, placed: Vec<Placed>) {
        for (append, placed) in appends.into_iter().zip(placed) {
            let answer = placed.map(|place| {
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

    fn remove(&mut self, session: &SessionId, only_at: Option<u64>) -> Result<bool, StoreError> {
        let removed = retention::remove(&mut self.connection, session, only_at);
        let removed = removed.map_err(|error| explain(&self.path, &error))?;
        if removed {
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

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}

/// Tells everybody that nothing more will be written, however the thread ends.
struct Closing {
    queue: Arc<Queue>,
    lives: Arc<Lives>,
}

impl Drop for Closing {
    fn drop(&mut self) {
        self.queue.abandon();
        for live in self.lives.all() {
            live.ended(Newest::Closed);
        }
    }
}
