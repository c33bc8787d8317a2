//! Reading: history and live without a seam, at any place, in pages.

use std::time::Duration;

use tokio::{task::JoinSet, time::timeout};

use super::{Failure, Outcome, Place, append_some, assert_follows, body, events, kind};
use crate::{
    cursor::Limit,
    error::StoreError,
    index::Indexer,
    record::{Record, SessionId, StoredRecord},
    store::Store,
};

/// Long enough for the tail to forget the beginning.
const SEAM_EVENTS: u64 = 1_000;

pub(super) async fn there_is_no_seam(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    let mut readers = JoinSet::new();
    let mut seq = 0;
    for n in 0.. {
        let count = (n % 5).min(SEAM_EVENTS - seq);
        let filler = "x".repeat(usize::try_from(n * 71 % 3000)?);
        seq = store.append(&session, n, events(seq, count).fact(kind(1)?, filler)).await?.seq;
        readers.spawn(read_on(store.clone(), session.clone(), seq));
        readers.spawn(read_on(store.clone(), session.clone(), seq * 2 / 3));
        if seq == SEAM_EVENTS {
            break;
        }
    }
    while let Some(read) = readers.join_next().await {
        read??;
    }
    Ok(())
}

/// Reads on from a place to the end, in pages of odd sizes.
async fn read_on(store: impl Store, session: SessionId, after: u64) -> Outcome {
    let mut reader = store.reader(&session, after).await?;
    while reader.seq() < SEAM_EVENTS {
        let before = reader.seq();
        let page = reader.next_page(usize::try_from(1 + before % 97)?).await?;
        assert!(!page.is_empty());
        assert_follows(&page, before);
        assert_eq!(reader.seq(), before + page.len() as u64);
    }
    assert!(reader.try_page(10).await?.is_empty(), "nothing after the end");
    Ok(())
}

pub(super) async fn a_waiting_reader_can_be_given_up(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    let mut reader = store.reader(&session, 0).await?;
    for n in 0..50 {
        // Given up while it waits; on a busy machine possibly before it looked at all.
        let waited = timeout(Duration::from_millis(1), reader.next_page(10)).await;
        assert!(waited.is_err(), "there is nothing to read yet");
        append_some(&store, &session, n, 1).await?;
        let page = reader.next_page(10).await?;
        assert_eq!(page.len(), 1);
        assert_follows(&page, n);
    }
    Ok(())
}

pub(super) async fn a_page_is_no_longer_than_asked(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    store.append(&session, 0, events(0, 10)).await?;
    store.append(&session, 1, events(10, 10)).await?;
    for limit in [1, 3, 10, 15] {
        let mut reader = store.reader(&session, 0).await?;
        let mut sizes = Vec::new();
        while reader.seq() < 20 {
            let before = reader.seq();
            let page = reader.next_page(limit).await?;
            assert_follows(&page, before);
            sizes.push(page.len());
        }
        assert!(sizes.iter().all(|size| (1..=limit).contains(size)), "{sizes:?}");
        assert_eq!(sizes.iter().sum::<usize>(), 20);
    }
    Ok(())
}

pub(super) async fn a_reader_ahead_is_refused(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    append_some(&store, &session, 0, 3).await?;
    let refused = store.reader(&session, 4).await.map(|_| ());
    assert_eq!(refused, Err(StoreError::Ahead { after: 4, last_seq: 3 }));
    assert!(store.reader(&session, 3).await?.try_page(1).await?.is_empty());
    Ok(())
}

pub(super) async fn the_newest_fact_is_found(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    let (snapshot, other) = (kind(0)?, kind(62)?);
    assert_eq!(store.newest(&session, snapshot).await?, None);
    for n in 0..30 {
        let record = if n % 10 == 4 { events(n, 1).fact(snapshot, format!("at {n}")) } else { events(n, 1) };
        store.append(&session, n, record.fact(other, "x")).await?;
    }
    let newest = store.newest(&session, snapshot).await?.ok_or("no snapshot")?;
    assert_eq!((newest.n, &newest.record.facts[0].body[..]), (25, &b"at 24"[..]));
    assert_eq!(store.newest(&session, other).await?.map(|stored| stored.n), Some(30));
    assert_eq!(store.newest(&session, kind(7)?).await?, None);
    Ok(())
}

pub(super) async fn an_owner_reads_from_its_newest_snapshot(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let (session, snapshot) = (SessionId::from("s"), kind(0)?);
    assert!(store.since(&session, snapshot, Limit::of(10)).await?.is_empty(), "a session nobody began");
    append_some(&store, &session, 0, 3).await?;
    let places = |found: Vec<StoredRecord>| found.iter().map(|stored| stored.n).collect::<Vec<_>>();
    assert_eq!(places(store.since(&session, snapshot, Limit::of(10)).await?), [1, 2, 3], "no snapshot yet");
    for n in 3..5 {
        store.append(&session, n, events(n, 1).fact(snapshot, "x")).await?;
    }
    append_some(&store, &session, 5, 2).await?;
    assert_eq!(places(store.since(&session, snapshot, Limit::of(10)).await?), [5, 6, 7]);
    assert_eq!(places(store.since(&session, snapshot, Limit::of(2)).await?), [5, 6], "no more than asked");
    Ok(())
}

pub(super) async fn long_bodies_come_back(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let long = "long ".repeat(200_000);
    let (one, two) = (SessionId::from("one"), SessionId::from("two"));
    let record = |seq| Record::at(0).event(seq, body(seq)).event(seq + 1, long.clone()).fact_of(&long);
    let mut at_the_tip = store.reader(&one, 0).await?;
    store.append(&one, 0, record(1)?).await?;
    store.append(&two, 0, record(1)?).await?;
    let mut seen = at_the_tip.next_page(10).await?;
    seen.extend(at_the_tip.try_page(10).await?);
    assert_eq!(seen[1].body, long, "at the tip");
    assert!(store.remove(&one).await?);
    let kept = store.newest(&two, kind(9)?).await?.ok_or("it is gone")?;
    assert_eq!(kept.record, record(1)?, "another session still uses the same body");
    Ok(())
}

impl Record {
    fn fact_of(self, body: &str) -> Result<Self, Failure> {
        Ok(self.fact(kind(9)?, body.to_owned()))
    }
}
