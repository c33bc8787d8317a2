//! A read of the file that is given up half-way is made again.

use std::{future::poll_fn, task::Poll};

use crate::{Options, Record, SessionId, SqliteStore, Store as _};

#[tokio::test]
async fn dropping_a_read_of_the_file_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(Options::new(folder.path().join("journal.db"))).unwrap();
    let session = SessionId::from("s");
    for n in 0..200 {
        store.append(&session, n, Record::at(0).event(n + 1, "x")).await.unwrap();
    }
    // Nobody held the session, so all of it is in the file alone.
    let mut reader = store.reader(&session, 0).await.unwrap();
    let mut seen = Vec::new();
    while seen.len() < 200 {
        let polled_once = {
            let page = reader.next_page(7);
            tokio::pin!(page);
            poll_fn(|context| Poll::Ready(page.as_mut().poll(context))).await
        };
        let page = match polled_once {
            Poll::Ready(page) => page.unwrap(),
            Poll::Pending => reader.next_page(7).await.unwrap(),
        };
        seen.extend(page.into_iter().map(|event| event.seq));
    }
    assert_eq!(seen, (1..=200).collect::<Vec<_>>());
}
