//! Other versions: a newer file is refused, an older one migrated after a copy.

use super::{Folder, append, read_all};
use crate::{
    Options, SqliteStore,
    error::OpenError,
    record::{Record, SessionId},
    sqlite::{
        migrate,
        schema::{self, CURRENT, Schema},
    },
    store::Store as _,
};

const NEXT: Schema = Schema {
    version: CURRENT.version + 1,
    steps: &[earlier, |transaction| transaction.execute_batch("ALTER TABLE log ADD COLUMN more INTEGER")],
};
const BROKEN: Schema = Schema {
    version: CURRENT.version + 1,
    steps: &[earlier, |transaction| transaction.execute_batch("DELETE FROM log; SELECT * FROM nowhere;")],
};

/// The files here have this version already.
fn earlier(_: &rusqlite::Transaction<'_>) -> rusqlite::Result<()> {
    Err(rusqlite::Error::InvalidQuery)
}

async fn journal_with(folder: &Folder, records: u64) {
    let store = folder.store();
    append(&store, &"s".into(), 0, records).await;
    store.close().await;
}

#[tokio::test]
async fn an_older_file_is_migrated_after_a_copy() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    journal_with(&folder, 10).await;
    let store = SqliteStore::open_as(Options::new(folder.journal()), &NEXT).unwrap();
    assert_eq!(read_all(&store, &session).await, (1..=10).collect::<Vec<_>>());
    append(&store, &session, 10, 1).await;
    store.close().await;

    let copy = migrate::copy_of(&folder.journal(), CURRENT.version);
    let old = SqliteStore::open(Options::new(copy)).unwrap();
    assert_eq!(read_all(&old, &session).await, (1..=10).collect::<Vec<_>>(), "the copy is of before");

    let again = SqliteStore::open_as(Options::new(folder.journal()), &NEXT).unwrap();
    assert_eq!(read_all(&again, &session).await.len(), 11);
}

#[tokio::test]
async fn a_newer_file_is_refused_and_left_as_it_is() {
    let folder = Folder::new();
    journal_with(&folder, 10).await;
    SqliteStore::open_as(Options::new(folder.journal()), &NEXT).unwrap().close().await;
    let before = folder.bytes();
    let refused = SqliteStore::open(Options::new(folder.journal())).unwrap_err();
    let (found, known) = (NEXT.version, CURRENT.version);
    assert_eq!(refused, OpenError::Newer { path: folder.journal(), found, known });
    assert!(refused.hint().is_some());
    assert!(folder.bytes() == before);
}

#[tokio::test]
async fn a_migration_that_fails_changes_nothing() {
    let folder = Folder::new();
    journal_with(&folder, 10).await;
    let failed = SqliteStore::open_as(Options::new(folder.journal()), &BROKEN).unwrap_err();
    assert!(matches!(failed, OpenError::Migration { .. }), "{failed}");
    let store = folder.store();
    assert_eq!(read_all(&store, &"s".into()).await.len(), 10);
}

impl Folder {
    /// As it lay on disk before sessions could be claimed.
    async fn of_the_first_version(&self, records: u64) {
        journal_with(self, records).await;
        let first = rusqlite::Connection::open(self.journal()).unwrap();
        first.execute_batch("ALTER TABLE sessions DROP COLUMN slip; PRAGMA user_version = 1").unwrap();
        first.close().unwrap();
    }
}

#[tokio::test]
async fn a_journal_of_the_first_version_is_brought_to_this_one() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    folder.of_the_first_version(10).await;
    let store = folder.store();
    append(&store, &session, 10, 1).await;
    for n in 11..20 {
        store.jot(&session, n, Record::at(0).event(n + 1, "x")).await.unwrap();
    }
    assert_eq!(read_all(&store, &session).await, (1..=20).collect::<Vec<_>>());
}

#[tokio::test]
async fn of_many_that_begin_at_once_one_migrates_and_the_copy_is_of_before() {
    let folder = Folder::new();
    folder.of_the_first_version(10).await;
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| folder.store());
        }
    });
    let copy = rusqlite::Connection::open(migrate::copy_of(&folder.journal(), 1)).unwrap();
    assert_eq!(schema::version(&copy).unwrap(), 1);
    let names = std::fs::read_dir(folder.0.path()).unwrap().map(|file| file.unwrap().file_name());
    let parts: Vec<_> = names.filter(|name| name.to_str().unwrap().contains("partial")).collect();
    assert_eq!(parts, Vec::<std::ffi::OsString>::new());
}
