//! A file that is not what it was: named, with a hint, and left as it is.

use std::fs;

use super::{Folder, append};
use crate::{
    Limit, Options, SqliteStore,
    error::{OpenError, StoreError},
    record::SessionId,
    sqlite::create::PAGE,
    store::Store as _,
};

/// A closed journal with a hundred records of one session.
async fn closed_journal() -> Folder {
    let folder = Folder::new();
    let store = folder.store();
    append(&store, &"s".into(), 0, 100).await;
    store.close().await;
    drop(store);
    assert!(!folder.journal().with_extension("db-wal").exists(), "everything is in the file");
    folder
}

/// Opening is refused with the path and a hint, and changes nothing.
fn assert_refused(folder: &Folder) -> OpenError {
    let before = folder.bytes();
    let refused = SqliteStore::open(Options::new(folder.journal())).unwrap_err();
    assert!(refused.to_string().contains(folder.journal().to_str().unwrap()), "{refused}");
    assert!(refused.hint().is_some());
    assert!(folder.bytes() == before, "the file is as it was");
    refused
}

/// Changes a byte of the text of an event.
fn flip(folder: &Folder, text: &str) {
    let mut bytes = folder.bytes();
    let places: Vec<usize> =
        (0..=bytes.len() - text.len()).filter(|place| bytes[*place..].starts_with(text.as_bytes())).collect();
    for place in &places {
        bytes[*place] ^= 1;
    }
    assert!(!places.is_empty(), "the text is in the file");
    fs::write(folder.journal(), bytes).unwrap();
}

#[tokio::test]
async fn an_overwritten_beginning_is_refused() {
    let folder = closed_journal().await;
    let mut bytes = folder.bytes();
    bytes[..100].fill(b'x');
    fs::write(folder.journal(), bytes).unwrap();
    assert!(matches!(assert_refused(&folder), OpenError::Store(StoreError::Damaged { .. })));
}

#[tokio::test]
async fn a_truncated_file_is_refused() {
    let folder = closed_journal().await;
    let bytes = folder.bytes();
    for keep in [bytes.len() - PAGE as usize, bytes.len() / 2, 5000, 1024, 1023, 50] {
        fs::write(folder.journal(), &bytes[..keep]).unwrap();
        let refused = assert_refused(&folder);
        assert!(matches!(refused, OpenError::Store(StoreError::Damaged { .. })), "{keep}: {refused}");
    }
}

#[tokio::test]
async fn a_changed_byte_in_the_newest_record_is_refused() {
    let folder = closed_journal().await;
    flip(&folder, "the event 100");
    assert!(matches!(assert_refused(&folder), OpenError::Store(StoreError::Damaged { .. })));
}

#[tokio::test]
async fn a_changed_byte_in_a_record_is_found_when_it_is_read() {
    let folder = closed_journal().await;
    flip(&folder, "the event 50");
    let before = folder.bytes();
    let (store, session) = (folder.store(), SessionId::from("s"));
    let mut reader = store.reader(&session, 0).await.unwrap();
    let damaged = reader.next_page(1_000).await.unwrap_err();
    assert!(matches!(damaged, StoreError::Damaged { .. }), "{damaged}");
    assert!(damaged.to_string().contains(folder.journal().to_str().unwrap()), "{damaged}");
    assert!(damaged.hint().is_some());
    assert_eq!(store.records(&session, 49, Limit::of(1)).await.unwrap_err(), damaged);
    assert_eq!(store.records(&session, 50, Limit::of(100)).await.unwrap().len(), 50, "the others are whole");
    drop(reader);
    store.close().await;
    assert!(folder.bytes() == before, "reading changes nothing");
}

#[tokio::test]
async fn somebody_elses_database_is_refused() {
    let folder = Folder::new();
    rusqlite::Connection::open(folder.journal()).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    assert!(matches!(assert_refused(&folder), OpenError::Foreign { .. }));
}

#[tokio::test]
async fn a_file_of_text_is_refused() {
    let folder = Folder::new();
    fs::write(folder.journal(), "dear diary").unwrap();
    assert!(matches!(assert_refused(&folder), OpenError::Store(StoreError::Damaged { .. })));
}

#[tokio::test]
async fn an_empty_file_is_no_journal() {
    let folder = Folder::new();
    fs::write(folder.journal(), "").unwrap();
    assert!(matches!(assert_refused(&folder), OpenError::Store(StoreError::Damaged { .. })));
}
