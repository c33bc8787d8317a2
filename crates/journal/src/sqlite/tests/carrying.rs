//! What was jotted down and cannot be carried over yet, or is a dead program's: nothing that was shown is hidden or comes back elsewhere.

use std::{fs, time::Duration};

use rusqlite::Connection;
use tokio::time::timeout;

use super::{
    Folder, append,
    jotting::{jot, jot_here, short},
    read_all, writer,
};
use crate::{
    Options, SqliteStore,
    error::StoreError,
    record::{Event, Record, SessionId},
    store::{Head, Store as _},
};

const SOON: Duration = Duration::from_secs(20);

impl Folder {
    /// May not grow beyond what is there already.
    fn full(&self) -> Options {
        let bytes = fs::metadata(self.journal()).unwrap().len();
        Options { max_bytes: Some(bytes), ..Options::new(self.journal()) }
    }

    /// Keeps everybody else from writing, until it is dropped.
    fn locked(&self) -> Connection {
        let other = Connection::open(self.journal()).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        other
    }
}

fn last(page: &[Event]) -> u64 {
    page.last().unwrap().seq
}

/// A program that jots records down until the log has no room for them, and then dies; how many.
fn filled(folder: &Folder, session: &SessionId) -> u64 {
    let mut writer = writer(&folder.full());
    let mut jotted = 1;
    jot_here(&mut writer, session, 0, 1);
    while writer.carry_over(SOON).is_ok() && writer.desk.slip().is_some() {
        jot_here(&mut writer, session, jotted, 20);
        jotted += 20;
        assert!(jotted < 100_000, "there is an end to it");
    }
    jotted
}

async fn begun(folder: &Folder) {
    let store = folder.store();
    append(&store, &"another".into(), 0, 3).await;
    store.close().await;
}

#[tokio::test]
async fn at_its_limit_a_journal_takes_what_was_shown_and_no_more() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    begun(&folder).await;
    let before = folder.full().max_bytes.unwrap();
    let jotted = filled(&folder, &session);
    let store = SqliteStore::open(folder.full()).unwrap();
    assert_eq!(read_all(&store, &session).await, (1..=jotted).collect::<Vec<_>>());
    let mut n = jotted;
    while store.jot(&session, n, short(n)).await.is_ok() {
        n += 1;
    }
    store.close().await;
    let after = fs::metadata(folder.journal()).unwrap().len();
    assert!(after < before + 128 * 1024, "{before}, then {after}");
    assert_eq!(folder.slips().len(), 0);
}

#[tokio::test]
async fn a_journal_at_its_limit_is_opened_and_has_what_a_killed_program_jotted_down() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    begun(&folder).await;
    folder.killed(&session, 0, 150);
    // Nothing of it is in the file; so it may not grow at all.
    let store = SqliteStore::open(folder.full()).unwrap();
    assert_eq!(read_all(&store, &session).await, (1..=150).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_journal_that_somebody_else_writes_to_is_opened_and_has_the_rest_soon() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    drop(folder.store());
    folder.killed(&session, 0, 9);
    let other = folder.locked();
    let store = folder.store();
    drop(other);
    let head = store.head(&session).await.unwrap();
    assert_eq!(head, Head { n: 9, seq: 9 });
    assert_eq!(read_all(&store, &session).await, (1..=9).collect::<Vec<_>>());
}

#[tokio::test]
async fn while_somebody_else_writes_all_that_was_jotted_is_read_here() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let store = folder.store();
    append(&store, &session, 0, 3).await;
    jot(&store, &session, 3, 1).await;
    let other = folder.locked();
    jot(&store, &session, 4, 5).await;
    // Nobody here has read so far.
    assert_eq!(read_all(&store, &session).await, (1..=9).collect::<Vec<_>>());
    let refused = store.backup(&folder.0.path().join("backup.db")).await;
    assert!(matches!(refused, Err(StoreError::Busy { .. })), "{refused:?}");
    jot(&store, &session, 9, 1).await;
    drop(other);
    store.close().await;
    assert_eq!(read_all(&folder.store(), &session).await, (1..=10).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_session_that_is_removed_meanwhile_is_not_appended_to() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let mut writer = writer(&Options::new(folder.journal()));
    jot_here(&mut writer, &session, 0, 4);
    let other = Connection::open(folder.journal()).unwrap();
    other.execute("UPDATE sessions SET removed = 1", []).unwrap();
    drop(other);
    let again = folder.store();
    append(&again, &session, 0, 1).await;
    writer.carry_over(SOON).unwrap();
    assert_eq!(read_all(&again, &session).await, [1], "the one of before had four");
}

/// A slip is not emptied when it was carried over.
#[tokio::test]
async fn nothing_of_a_removed_session_comes_back_in_one_of_the_same_name() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let mut writer = writer(&Options::new(folder.journal()));
    jot_here(&mut writer, &session, 0, 6);
    writer.carry_over(SOON).unwrap();
    assert!(writer.remove(&session, None).unwrap());
    jot_here(&mut writer, &session, 0, 1);
    drop(writer);
    assert_eq!(read_all(&folder.store(), &session).await, [1]);
}

#[tokio::test]
async fn who_comes_to_read_has_what_a_dead_neighbour_jotted_down() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let neighbour = folder.store();
    append(&neighbour, &"another".into(), 0, 1).await;
    folder.killed(&session, 0, 9);
    let mut reader = neighbour.reader(&session, 7).await.unwrap();
    assert_eq!(last(&timeout(SOON, reader.next_page(10)).await.unwrap().unwrap()), 9);
    assert_eq!(neighbour.head(&session).await, Ok(Head { n: 9, seq: 9 }));
}

#[tokio::test]
async fn a_claim_whose_slip_is_gone_is_in_nobodys_way() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    folder.killed(&session, 0, 9);
    fs::remove_file(folder.slips().pop().unwrap()).unwrap();
    let store = folder.store();
    assert_eq!(store.head(&session).await, Ok(Head { n: 1, seq: 1 }));
    assert_eq!(store.prune(1, |_| false).await, Ok(vec![session]));
}

#[tokio::test]
async fn by_another_path_it_is_the_same_slip() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let elsewhere = Folder::new();
    let store = folder.store();
    std::os::unix::fs::symlink(folder.journal(), elsewhere.journal()).unwrap();
    jot(&store, &session, 0, 5).await;
    let other = elsewhere.store();
    let refused = other.append(&session, 1, Record::at(0).event(2, "x")).await;
    assert!(matches!(refused, Err(error) if error.to_string().contains("another")), "its program lives");
    assert_eq!(read_all(&store, &session).await, [1, 2, 3, 4, 5]);
    assert_eq!(elsewhere.slips().len(), 0);
}
