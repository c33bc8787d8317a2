//! Other versions: a newer file is refused, an older one migrated after a copy.

use super::{Folder, append, read_all};
use crate::{
    Options, SqliteStore,
    error::OpenError,
    record::SessionId,
    sqlite::{
        migrate,
        schema::{CURRENT, Schema},
    },
    store::Store as _,
};

const NEXT: Schema = Schema {
    version: CURRENT.version + 1,
    steps: &[|transaction| transaction.execute_batch("ALTER TABLE log ADD COLUMN more INTEGER")],
};
const BROKEN: Schema = Schema {
    version: CURRENT.version + 1,
    steps: &[|transaction| transaction.execute_batch("DELETE FROM log; SELECT * FROM nowhere;")],
};

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
