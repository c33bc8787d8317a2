//! The log that a dead program left is carried over by the next one, also if that never has a quiet moment.

use std::{fs, path::Path};

use tokio::sync::oneshot;

use super::{Folder, writer};
use crate::{
    Options, SqliteStore,
    record::{Record, SessionId},
    sqlite::{append::Wanted, checkpoint::Written},
    store::Store as _,
};

#[tokio::test]
async fn what_a_killed_program_left_in_the_log_is_due_at_once() {
    let (folder, killed, session) = (Folder::new(), Folder::new(), SessionId::from("a"));
    assert_eq!(Written::left_at(&folder.journal()).due(false), None, "a new journal has no log");
    let store = SqliteStore::open(Options::new(folder.journal())).unwrap();
    for n in 0..400 {
        store.append(&session, n, Record::at(0).event(n + 1, "x".repeat(100_000))).await.unwrap();
    }
    // A copy of the files as they are now is what a kill would have left.
    for ending in ["", "-wal"] {
        let name = |path: &Path| format!("{}{ending}", path.display());
        fs::copy(name(&folder.journal()), name(&killed.journal())).unwrap();
    }
    store.close().await;
    assert!(Written::left_at(&killed.journal()).due(false).is_some(), "40 MB are enough");
    let store = SqliteStore::open(Options::new(killed.journal())).unwrap();
    assert_eq!(store.head(&session).await.unwrap().n, 400);
    store.close().await;
}

#[tokio::test]
async fn what_is_written_is_counted_by_records_however_many_share_a_commit() {
    let folder = Folder::new();
    let options = Options::new(folder.journal());
    let mut writer = writer(&options);
    // What a record changes around itself counts for each: 2 KiB.
    let appends = (0..20_000).map(|n| {
        let wanted = Wanted {
            session: format!("{n}").as_str().into(),
            expected_n: 0,
            record: Record::at(0).event(1, "x"),
            brief: false,
        };
        wanted.prepare(&options.indexer, oneshot::channel().0).unwrap()
    });
    writer.append_all(appends.collect());
    assert!(writer.written.due(false).is_some());
}
