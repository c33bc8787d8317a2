//! The store on disk: it passes the suite, and keeps what only a file has to keep.

mod carried_over;
mod carrying;
mod checking;
mod damage;
mod full;
mod jotting;
mod leftovers;
mod migration;
mod opening;
mod two_processes;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use tempfile::TempDir;

use super::{Options, SqliteStore, desk::Desk, heads::Heads, open, queue::Queue, schema, writer::Writer};
use crate::{
    conformance::{self, Failure, Place},
    index::Indexer,
    record::{Record, SessionId},
    store::Store as _,
};

/// A folder of its own.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn journal(&self) -> PathBuf {
        self.0.path().join("journal.db")
    }
}

impl Place for Folder {
    type Store = SqliteStore;

    async fn open(&self, indexer: Indexer) -> Result<SqliteStore, Failure> {
        Ok(SqliteStore::open(Options::new(self.journal()).indexer(indexer))?)
    }

    fn backup_file(&self) -> PathBuf {
        self.0.path().join("backup.db")
    }

    async fn open_backup(&self, file: &Path) -> Result<SqliteStore, Failure> {
        Ok(SqliteStore::open(Options::new(file))?)
    }
}

impl Folder {
    /// A journal here, with nothing special.
    fn store(&self) -> SqliteStore {
        SqliteStore::open(Options::new(self.journal())).unwrap()
    }

    /// What the journal's file is now.
    fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.journal()).unwrap()
    }
}

/// Appends records of one event each, after the record and event `after`.
async fn append(store: &SqliteStore, session: &SessionId, after: u64, count: u64) {
    for n in after..after + count {
        store.append(session, n, Record::at(0).event(n + 1, format!("the event {}", n + 1))).await.unwrap();
    }
}

/// The numbers of all events of a session.
async fn read_all(store: &SqliteStore, session: &SessionId) -> Vec<u64> {
    let last = store.head(session).await.unwrap().seq;
    let mut reader = store.reader(session, 0).await.unwrap();
    let mut seen = Vec::new();
    while reader.seq() < last {
        seen.extend(reader.next_page(1_000).await.unwrap().into_iter().map(|event| event.seq));
    }
    seen
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_conforms() -> conformance::Outcome {
    conformance::all(Folder::new).await
}

/// A writer without a thread, so that a test decides what is one commit.
fn writer(options: &Options) -> Writer {
    Writer {
        connection: open::open(options, &schema::CURRENT).unwrap(),
        path: options.path.clone(),
        indexer: options.indexer.clone(),
        queue: Arc::new(Queue::new()),
        lives: Arc::default(),
        pulses: Arc::default(),
        written: Arc::default(),
        heads: Heads::default(),
        others: 0,
        leftovers: false,
        synchronises: false,
        desk: Desk::beside(&options.path, Arc::default()),
        watched: false,
    }
}
