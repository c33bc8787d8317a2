//! The check of a whole file: it finds real damage, says where, and leaves everything as it is.

use std::{collections::BTreeMap, fs, path::PathBuf};

use rusqlite::Connection;

use super::{Folder, append};
use crate::{
    Progress, Record, Report, SqliteStore, Stage, error::OpenError, record::SessionId, sqlite::create::PAGE,
    store::Store as _,
};

fn long_body() -> String {
    "a long text ".repeat(50_000)
}

/// A closed journal: `s` with 100 records, `long` with one whose body lies apart, and one that was removed.
async fn closed_journal() -> Folder {
    let folder = Folder::new();
    let store = folder.store();
    append(&store, &"s".into(), 0, 100).await;
    append(&store, &"removed".into(), 0, 3).await;
    store.append(&"long".into(), 0, Record::at(7).event(1, long_body())).await.unwrap();
    store.remove(&"removed".into()).await.unwrap();
    store.close().await;
    folder
}

/// What lies in the folder; the memory SQLite's connections share is not part of a journal.
fn files(folder: &Folder) -> BTreeMap<PathBuf, Vec<u8>> {
    let found = fs::read_dir(folder.0.path()).unwrap().map(|entry| entry.unwrap().path());
    found.map(|path| (path.clone(), fs::read(&path).unwrap())).collect()
}

/// Checks, and sees that nothing was changed by it.
fn check(folder: &Folder) -> Result<Report, OpenError> {
    let before = files(folder);
    let report = SqliteStore::check(&folder.journal(), &mut |_| {});
    assert!(files(folder) == before, "everything is as it was");
    report
}

/// Changes a byte of each place where the text is.
fn flip(folder: &Folder, text: &str) {
    let mut bytes = folder.bytes();
    let last = bytes.len() - text.len();
    let places: Vec<_> = (0..last).filter(|place| bytes[*place..].starts_with(text.as_bytes())).collect();
    assert!(!places.is_empty(), "the text is in the file");
    places.iter().for_each(|place| bytes[*place] ^= 1);
    fs::write(folder.journal(), bytes).unwrap();
}

fn change(folder: &Folder, sql: &str) {
    Connection::open(folder.journal()).unwrap().execute_batch(sql).unwrap();
}

fn said(report: &Report) -> Vec<String> {
    report.damage.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn a_whole_journal_is_whole_and_may_be_in_use() {
    let folder = closed_journal().await;
    let report = check(&folder).unwrap();
    assert_eq!(said(&report), [""; 0]);
    assert_eq!((report.sessions, report.records), (2, 101));
    let store = folder.store();
    append(&store, &"s".into(), 100, 5).await;
    let mut seen: Vec<Progress> = Vec::new();
    let report = SqliteStore::check(&folder.journal(), &mut |progress| seen.push(progress)).unwrap();
    assert!(report.is_whole());
    assert_eq!(report.records, 106);
    assert_eq!(seen.first().map(|progress| progress.stage), Some(Stage::Structure));
    assert_eq!(seen.last().map(|progress| (progress.stage, progress.done)), Some((Stage::Records, 106)));
    append(&store, &"s".into(), 105, 1).await;
}

#[tokio::test]
async fn a_changed_byte_of_a_record_is_found_with_its_place() {
    let folder = closed_journal().await;
    flip(&folder, "the event 50");
    let report = check(&folder).unwrap();
    assert_eq!(said(&report), ["session s, record 50: the record's checksum is wrong"]);
    assert_eq!(report.records, 101, "all others were looked at");
}

#[tokio::test]
async fn a_changed_byte_of_a_long_body_is_found_with_its_record() {
    let folder = closed_journal().await;
    flip(&folder, "a long text a long text a long text a");
    let report = check(&folder).unwrap();
    assert_eq!(
        said(&report),
        ["session long, record 1: a body of the record is missing or is not what it was"]
    );
}

#[tokio::test]
async fn records_that_are_missing_or_at_a_wrong_place_are_found() {
    let folder = closed_journal().await;
    change(&folder, "DELETE FROM log WHERE n BETWEEN 7 AND 9; UPDATE log SET last_seq = 31 WHERE n = 30;");
    change(&folder, "UPDATE log SET record = (SELECT record FROM log WHERE n = 40) WHERE n = 41;");
    let report = check(&folder).unwrap();
    assert_eq!(
        said(&report),
        [
            "session s, record 10: the records before it, from 7 on, are missing",
            "session s, record 30: its events are numbered from 30, and 30 would be next",
            "session s, record 31: its events are numbered from 31, and 32 would be next",
            "session s, record 41: the record is at another's place",
        ]
    );
}

#[tokio::test]
async fn a_session_without_a_name_is_found() {
    let folder = closed_journal().await;
    change(&folder, "DELETE FROM sessions WHERE name = 'long'");
    let report = check(&folder).unwrap();
    assert_eq!(report.damage.len(), 1, "{:?}", said(&report));
    assert!(report.damage[0].what.contains("no name"));
    let store = folder.store();
    store.rebuild_index().await.unwrap();
    assert_eq!(store.head(&SessionId::from("long")).await.unwrap().n, 1, "what the hint says helps");
}

#[tokio::test]
async fn whichever_page_is_overwritten_it_is_found() {
    let folder = closed_journal().await;
    let whole = folder.bytes();
    let size = PAGE as usize;
    for page in 0..whole.len() / size {
        let mut bytes = whole.clone();
        bytes[page * size..(page + 1) * size].fill(b'x');
        fs::write(folder.journal(), bytes).unwrap();
        match check(&folder) {
            Ok(report) => assert!(!report.is_whole(), "page {page}"),
            Err(OpenError::Store(error)) => assert!(error.hint().is_some(), "page {page}: {error}"),
            Err(other) => panic!("page {page}: {other}"),
        }
    }
}

#[tokio::test]
async fn a_file_that_was_cut_is_found() {
    let folder = closed_journal().await;
    let whole = folder.bytes();
    for keep in [whole.len() - PAGE as usize, whole.len() / 2, 2048, 1500, 100, 0] {
        fs::write(folder.journal(), &whole[..keep]).unwrap();
        assert!(check(&folder).is_ok_and(|report| !report.is_whole()) || check(&folder).is_err(), "{keep}");
    }
}

#[tokio::test]
async fn a_file_may_have_any_name() {
    let folder = closed_journal().await;
    let odd = folder.0.path().join("what? 100 % #ü&immutable=0.db");
    fs::copy(folder.journal(), &odd).unwrap();
    assert_eq!(SqliteStore::check(&odd, &mut |_| {}).unwrap().records, 101);
}
