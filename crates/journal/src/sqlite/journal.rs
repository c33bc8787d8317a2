//! The handle to the store on disk.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    thread::{self, JoinHandle},
};

use rusqlite::Connection;
use tokio::{sync::oneshot, task::spawn_blocking};

use super::{
    checkpoint::{self, Stop},
    explain::explain,
    heads::Heads,
    open::{self, Options},
    queue::Queue,
    reader::Readers,
    rebuild, retention,
    schema::{self, Schema},
    writer::{Job, Remove, Writer},
};
use crate::{
    error::{OpenError, StoreError},
    index::Indexer,
    record::SessionId,
    store::Ended,
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
    lives: Arc<Lives>,
    readers: Arc<Readers>,
    threads: Mutex<Option<Threads>>,
}

#[derive(Debug)]
struct Threads {
    writer: JoinHandle<()>,
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
        let Options { path, indexer, .. } = options;
        rebuild::rebuild_if_other(&mut connection, &indexer).map_err(|trouble| trouble.at(&path))?;
        let shared = Shared {
            indexer,
            queue: Arc::new(Queue::new()),
            lives: Arc::default(),
            readers: Readers::new(&path),
            threads: Mutex::default(),
            path,
        };
        let threads = shared.start(connection)?;
        *shared.threads.lock().unwrap_or_else(PoisonError::into_inner) = Some(threads);
        Ok(Self { shared: Arc::new(shared) })
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
    fn start(&self, connection: Connection) -> Result<Threads, OpenError> {
        let failed = |error: rusqlite::Error| explain(&self.path, &error);
        let written = Arc::new(AtomicBool::new(true));
        let writer = Writer {
            others: connection.query_row("PRAGMA data_version", [], |row| row.get(0)).map_err(failed)?,
            leftovers: retention::has_leftovers(&connection).map_err(failed)?,
            connection,
            path: self.path.clone(),
            indexer: self.indexer.clone(),
            queue: Arc::clone(&self.queue),
            lives: Arc::clone(&self.lives),
            written: Arc::clone(&written),
            heads: Heads::default(),
        };
        let stop = Arc::new(Stop::default());
        let stopped = Arc::clone(&stop);
        let checkpoints = checkpoint::connect(&self.path).map_err(failed)?;
        Ok(Threads {
            writer: self.spawn("journal-writer", move || writer.run())?,
            checkpoints: self
                .spawn("journal-checkpoints", move || checkpoint::run(checkpoints, written, stopped))?,
            stop,
        })
    }

    fn spawn(&self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, StoreError> {
        thread::Builder::new().name(name.to_owned()).spawn(work).map_err(|error| StoreError::Failed {
            place: self.path.display().to_string(),
            cause: error.to_string(),
        })
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
            (Err(_), _) => Ended::Broken { thread: "writer" },
            (_, Err(_)) => Ended::Broken { thread: "checkpoints" },
            (Ok(()), Ok(())) => Ended::Done,
        }
    }
}
