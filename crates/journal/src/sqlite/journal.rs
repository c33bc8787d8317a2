//! The handle to the store on disk.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use rusqlite::Connection;
use tokio::{
    sync::oneshot,
    task::{spawn_blocking, yield_now},
};

use super::{
    append::{Append, Wanted},
    check::{self, Progress, Report},
    checkpoint::{self, Stop, Written},
    desk::Desk,
    explain::{Trouble, explain},
    heads::Heads,
    open::{self, Durability, Options},
    queue::{Joined, Queue},
    reader::Readers,
    rebuild, retention,
    schema::{self, Schema},
    writer::{self, Closing, Job, PATIENCE, Remove, Writer},
};
use crate::{
    error::{AppendError, OpenError, StoreError},
    feed::Pulses,
    index::Indexer,
    record::{SessionId, blob},
    store::{Ended, Head},
    tail::Lives,
};

mod store;

/// A journal in one SQLite file. A clone is another handle.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    indexer: Indexer,
    queue: Arc<Queue>,
    writer: Arc<Mutex<Option<Writer>>>,
    lives: Arc<Lives>,
    pulses: Arc<Pulses>,
    readers: Arc<Readers>,
    /// Whether something was jotted down that is not in the log yet.
    pending: Arc<AtomicBool>,
    threads: Mutex<Option<Threads>>,
}

#[derive(Debug)]
struct Threads {
    writer: JoinHandle<bool>,
    checkpoints: JoinHandle<()>,
    stop: Arc<Stop>,
}

impl SqliteStore {
    /// Opens a journal, and makes it if there is none. Blocks for some milliseconds.
    pub fn open(options: Options) -> Result<Self, OpenError> {
        Self::open_as(options, &schema::CURRENT)
    }

    pub(super) fn open_as(options: Options, schema: &Schema) -> Result<Self, OpenError> {
        let mut connection = open::open(&options, schema)?;
        let Options { path, indexer, durability, .. } = options;
        rebuild::rebuild_if_other(&mut connection, &indexer).map_err(|trouble| trouble.at(&path))?;
        let failed = |error: rusqlite::Error| explain(&path, &error);
        let (queue, lives) = (Arc::new(Queue::new()), Arc::default());
        let written = Arc::new(Written::left_at(&path));
        let pulses = Arc::default();
        let pending = Arc::<AtomicBool>::default();
        let mut desk = Desk::beside(&path, Arc::clone(&pending));
        open::with_patience(&mut connection, PATIENCE, |connection| desk.carry_all_left(connection))
            .map_err(failed)?;
        let writer = Writer {
            others: connection.query_row("PRAGMA data_version", [], |row| row.get(0)).map_err(failed)?,
            leftovers: retention::has_leftovers(&connection).map_err(failed)?,
            connection,
            path: path.clone(),
            indexer: indexer.clone(),
            queue: Arc::clone(&queue),
            lives: Arc::clone(&lives),
            pulses: Arc::clone(&pulses),
            written: Arc::clone(&written),
            heads: Heads::default(),
            synchronises: durability == Durability::Full,
            desk,
            watched: false,
        };
        queue.expect_slow(writer.synchronises);
        let writer = Arc::new(Mutex::new(Some(writer)));
        let (readers, threads) = (Readers::new(&path), Mutex::default());
        let shared = Shared { path, indexer, queue, writer, lives, pulses, readers, pending, threads };
        let threads = shared.start(written)?;
        *shared.threads.lock().unwrap_or_else(PoisonError::into_inner) = Some(threads);
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Looks at every part of a file, also of one that cannot be opened or is in use: what is damaged, and where. It changes
    /// nothing, blocks for seconds if the file is large, and tells how far it is.
    pub fn check(path: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Report, OpenError> {
        check::check(path, progress)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    async fn join(&self) -> Ended {
        let threads = self.shared.threads.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(threads) = threads else { return Ended::Before };
        self.shared.queue.close();
        let ended = spawn_blocking(move || threads.join()).await;
        self.shared.readers.close();
        ended.unwrap_or(Ended::Broken { thread: "closing" })
    }

    async fn ask<T>(
        &self,
        job: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Job,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.shared.queue.put(job(reply)).await?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    async fn remove_at(&self, session: &SessionId, only_at: Option<u64>) -> Result<bool, StoreError> {
        let session = session.clone();
        self.ask(|reply| Job::Remove(Remove { session, only_at, reply })).await
    }
}

impl Shared {
    fn start(&self, written: Arc<Written>) -> Result<Threads, OpenError> {
        let connection = checkpoint::connect(&self.path).map_err(|error| explain(&self.path, &error))?;
        let (writer, closing) = (Arc::clone(&self.writer), self.closing());
        let stop = Arc::new(Stop::default());
        let (stopped, next) = (Arc::clone(&stop), Arc::clone(&self.queue));
        Ok(Threads {
            writer: self.spawn("journal-writer", move || writer::run(&writer, &closing))?,
            checkpoints: self
                .spawn("journal-checkpoints", move || checkpoint::run(connection, written, next, stopped))?,
            stop,
        })
    }

    fn closing(&self) -> Closing {
        Closing {
            queue: Arc::clone(&self.queue),
            lives: Arc::clone(&self.lives),
            pulses: Arc::clone(&self.pulses),
        }
    }

    fn spawn<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<JoinHandle<T>, StoreError> {
        thread::Builder::new().name(name.to_owned()).spawn(work).map_err(|error| StoreError::Failed {
            place: self.path.display().to_string(),
            cause: error.to_string(),
        })
    }

    /// Appends, and answers when that is durable.
    async fn append(&self, wanted: Wanted) -> Result<Head, AppendError> {
        let (reply, answer) = oneshot::channel();
        let append = if blob::is_long(&wanted.record) {
            // Hashing megabytes takes milliseconds, which others on this thread would wait.
            let indexer = self.indexer.clone();
            let prepared = spawn_blocking(move || wanted.prepare(&indexer, reply)).await;
            prepared.map_err(|_| StoreError::Closed)??
        } else {
            wanted.prepare(&self.indexer, reply)?
        };
        self.bring(Box::new(append)).await?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Reads the log, with all that was jotted down before.
    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        // What could not be carried over is read at the tip, where it is too.
        let _later = self.carry_over().await;
        self.readers.run(read).await
    }

    /// What was jotted down is in the log after this.
    async fn carry_over(&self) -> Result<(), StoreError> {
        if !self.pending.load(Ordering::Acquire) {
            return Ok(());
        }
        let (reply, done) = oneshot::channel();
        self.queue.put(Job::CarryOver(reply)).await?;
        done.await.map_err(|_| StoreError::Closed)?
    }

    /// Brings an append to whoever will commit it; perhaps that is this task.
    async fn bring(&self, append: Box<Append>) -> Result<(), StoreError> {
        let joined = if append.is_small() { self.queue.join(append) } else { Joined::Refused(append) };
        match joined {
            Joined::Follows => {}
            Joined::Leads { lead, busy } => {
                if busy {
                    // Who else is ready comes forward now.
                    yield_now().await;
                }
                lead.keep(|appends| self.append_here(appends));
            }
            Joined::Refused(append) => self.queue.put(Job::Append(append)).await?,
        }
        Ok(())
    }

    /// Commits on this thread; gives back what it cannot.
    fn append_here(&self, appends: Vec<Append>) -> Vec<Append> {
        match self.writer.lock().as_deref_mut() {
            Ok(Some(writer)) => writer.append_here(appends),
            Ok(None) | Err(_) => appends,
        }
    }
}

impl Drop for Shared {
    /// Without [`SqliteStore::close`] the threads finish what waits, and nobody learns how they ended.
    fn drop(&mut self) {
        self.queue.close();
        if let Some(threads) = self.threads.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            threads.stop.stop();
        }
    }
}

impl Threads {
    fn join(self) -> Ended {
        let writer = self.writer.join();
        self.stop.stop();
        match (writer, self.checkpoints.join()) {
            (Err(_) | Ok(false), _) => Ended::Broken { thread: "writer" },
            (_, Err(_)) => Ended::Broken { thread: "checkpoints" },
            (Ok(true), Ok(())) => Ended::Done,
        }
    }
}
