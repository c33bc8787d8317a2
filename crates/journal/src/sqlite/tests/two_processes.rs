//! Two processes on one file: here two stores, which share nothing but the file.

use std::time::Duration;

use tokio::time::timeout;

use super::{Folder, append, read_all};
use crate::{
    error::{AppendError, StoreError},
    feed::FeedCursor,
    record::{Event, Record, SessionId},
    store::{Head, Store as _},
};

const SOON: Duration = Duration::from_secs(20);

fn seqs(events: &[Event]) -> Vec<u64> {
    events.iter().map(|event| event.seq).collect()
}

#[tokio::test]
async fn a_reader_at_the_tip_sees_what_the_other_appends() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let (one, other) = (folder.store(), folder.store());
    append(&one, &session, 0, 3).await;
    let mut reader = other.reader(&session, 3).await.unwrap();
    for n in 3..8 {
        append(&one, &session, n, 1).await;
        let page = timeout(SOON, reader.next_page(10)).await.expect("it looks around").unwrap();
        assert_eq!(seqs(&page), [n + 1]);
    }
}

#[tokio::test]
async fn a_stale_owner_is_told() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let (one, other) = (folder.store(), folder.store());
    append(&one, &session, 0, 3).await;
    append(&other, &session, 3, 1).await;
    let stale = one.append(&session, 3, Record::at(0).event(4, "x")).await;
    assert_eq!(stale, Err(AppendError::Conflict { last_n: 4 }));
    assert_eq!(one.head(&session).await, Ok(Head { n: 4, seq: 4 }));
}

#[tokio::test]
async fn owners_that_take_turns_leave_no_gap_for_readers_of_either() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let (one, other) = (folder.store(), folder.store());
    let mut readers = [one.reader(&session, 0).await.unwrap(), other.reader(&session, 0).await.unwrap()];
    for n in 0..100 {
        let owner = if n % 7 < 3 { &one } else { &other };
        append(owner, &session, n, 1).await;
        let reader = &mut readers[usize::try_from(n % 2).unwrap()];
        let (before, page) = (reader.seq(), timeout(SOON, reader.next_page(2)).await.unwrap().unwrap());
        assert_eq!(seqs(&page), (before + 1..=before + page.len() as u64).collect::<Vec<_>>());
    }
    for store in [&one, &other] {
        assert_eq!(read_all(store, &session).await, (1..=100).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_reader_is_told_when_the_other_removes_its_session() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let (one, other) = (folder.store(), folder.store());
    append(&one, &session, 0, 1).await;
    let mut reader = other.reader(&session, 1).await.unwrap();
    assert!(one.remove(&session).await.unwrap());
    let told = timeout(SOON, reader.next_page(1)).await.expect("it looks around");
    assert_eq!(told, Err(StoreError::Removed { session }));
}

#[tokio::test]
async fn both_may_write_at_once() {
    let folder = Folder::new();
    let (one, other) = (folder.store(), folder.store());
    let (mine, theirs) = (SessionId::from("mine"), SessionId::from("theirs"));
    tokio::join!(append(&one, &mine, 0, 200), append(&other, &theirs, 0, 200));
    for store in [&one, &other] {
        for session in [&mine, &theirs] {
            assert_eq!(read_all(store, session).await, (1..=200).collect::<Vec<_>>());
        }
    }
}

#[tokio::test]
async fn a_feed_has_what_both_append() {
    let folder = Folder::new();
    let (one, other) = (folder.store(), folder.store());
    let mut feed = one.feed(FeedCursor::START, None).await.unwrap();
    for n in 0..10 {
        append(if n % 3 == 0 { &one } else { &other }, &"s".into(), n, 1).await;
        let page = timeout(SOON, feed.next_page(10)).await.expect("it looks around").unwrap();
        assert_eq!(page.iter().map(|found| found.n).collect::<Vec<_>>(), [n + 1]);
    }
}

/// On one async thread: if an append waited there for the lock, nobody could let go of it.
#[tokio::test]
async fn an_append_that_has_to_wait_for_the_other_keeps_no_async_thread() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let store = folder.store();
    append(&store, &session, 0, 1).await;
    let other = rusqlite::Connection::open(folder.journal()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let let_go = async { other.execute_batch("ROLLBACK").unwrap() };
    tokio::join!(append(&store, &session, 1, 1), let_go);
    assert_eq!(read_all(&store, &session).await, [1, 2]);
}
