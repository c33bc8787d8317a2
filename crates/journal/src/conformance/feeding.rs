//! A feed: the records of all sessions in one order, each once, from any place, with what comes while it is read.

use tokio::task::JoinSet;

use super::{Outcome, Place, append_some, events, kind};
use crate::{
    error::StoreError,
    feed::{Feed, FeedCursor, FeedRecord},
    index::Indexer,
    record::{Kind, SessionId},
    store::Store,
};

/// Sessions and records of each in the test without a seam.
const SESSIONS: u64 = 5;
const RECORDS: u64 = 60;

pub(super) async fn a_feed_has_every_record_once(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let mut tasks = JoinSet::new();
    for start in 0..3 {
        let feed = store.feed(FeedCursor::START, None).await?;
        tasks.spawn(read_all(feed, 1 + start * 7));
    }
    for number in 0..SESSIONS {
        let store = store.clone();
        tasks.spawn(async move {
            append_some(&store, &format!("s{number}").into(), 0, RECORDS).await?;
            // From here on some is history and some is not.
            read_all(store.feed(FeedCursor::START, None).await?, 10).await
        });
    }
    while let Some(read) = tasks.join_next().await {
        read??;
    }
    Ok(())
}

/// Reads everything and sees that each session's records are there, dense and in order.
async fn read_all(mut feed: Feed<impl Store>, limit: usize) -> Outcome {
    let mut all: Vec<FeedRecord> = Vec::new();
    while (all.len() as u64) < SESSIONS * RECORDS {
        let page = feed.next_page(limit).await?;
        assert!((1..=limit).contains(&page.len()), "a page is no longer than asked");
        all.extend(page);
    }
    assert!(all.is_sorted_by(|one, next| one.cursor < next.cursor), "each place once, in order");
    for number in 0..SESSIONS {
        let session = SessionId::from(format!("s{number}"));
        let places: Vec<u64> =
            all.iter().filter(|found| found.session == session).map(|found| found.n).collect();
        assert_eq!(places, (1..=RECORDS).collect::<Vec<_>>(), "of {session}");
    }
    assert!(all.iter().all(|found| found.record == events(found.n - 1, 1)), "the whole record");
    assert!(feed.try_page(1).await?.is_empty(), "nothing after the end");
    Ok(())
}

pub(super) async fn a_feed_goes_on_from_its_cursor(place: &impl Place) -> Outcome {
    let (one, two) = (SessionId::from("one"), SessionId::from("two"));
    let store = place.open(Indexer::none()).await?;
    append_some(&store, &one, 0, 2).await?;
    append_some(&store, &two, 0, 1).await?;
    let seen = store.feed(FeedCursor::START, None).await?.next_page(2).await?;
    let cursor: FeedCursor = seen.last().ok_or("nothing")?.cursor.to_string().parse()?;
    let tip = store.tip().await?;
    store.close().await;
    drop(store);
    let store = place.open(Indexer::none()).await?;
    let mut feed = store.feed(cursor, None).await?;
    assert_eq!(names(&feed.next_page(10).await?), ["two 1"]);
    assert_eq!((feed.cursor(), store.tip().await?), (tip, tip));
    append_some(&store, &two, 1, 1).await?;
    assert_eq!(names(&feed.next_page(10).await?), ["two 2"]);
    let ahead = FeedCursor::at(store.tip().await?.place() + 1);
    let refused = store.feed(ahead, None).await.map(|_| ());
    assert!(matches!(refused, Err(StoreError::Ahead { .. })), "{refused:?}");
    Ok(())
}

pub(super) async fn a_feed_may_want_one_kind(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    for wanted in [kind(3)?, kind(Kind::FIRST_MARK)?, kind(62)?] {
        let before = store.tip().await?;
        let first = store.head(&session).await?.n;
        let mut at_the_tip = store.feed(before, Some(wanted)).await?;
        for n in first..first + 30 {
            let mark = if n % 10 == 4 { wanted } else { kind(50)? };
            store.append(&session, n, events(n, 1).fact(mark, "x")).await?;
        }
        let places = |found: &[FeedRecord]| found.iter().map(|found| found.n - first).collect::<Vec<_>>();
        let mut seen = Vec::new();
        while seen.len() < 3 {
            seen.extend(at_the_tip.next_page(2).await?);
        }
        assert_eq!(places(&seen), [5, 15, 25]);
        assert!(at_the_tip.try_page(2).await?.is_empty());
        let again = store.log(before, Some(wanted), crate::Limit::of(10)).await?;
        assert_eq!(places(&again.records), [5, 15, 25], "from history");
        assert_eq!(again.cursor, store.tip().await?, "what is not wanted is passed over once");
    }
    Ok(())
}

pub(super) async fn a_feed_leaves_out_removed_sessions(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let (gone, stays) = (SessionId::from("gone"), SessionId::from("stays"));
    append_some(&store, &stays, 0, 1).await?;
    append_some(&store, &gone, 0, 2).await?;
    let mut feed = store.feed(FeedCursor::START, None).await?;
    assert_eq!(names(&feed.next_page(2).await?), ["stays 1", "gone 1"]);
    store.remove(&gone).await?;
    append_some(&store, &stays, 1, 1).await?;
    append_some(&store, &gone, 0, 1).await?;
    let mut rest = Vec::new();
    while rest.len() < 2 {
        rest.extend(feed.next_page(10).await?);
    }
    assert_eq!(names(&rest), ["stays 2", "gone 1"], "nothing of the old one, and its name again");
    let (waited, _) = tokio::join!(feed.next_page(1), store.close());
    assert_eq!(waited, Err(StoreError::Closed));
    Ok(())
}

fn names(found: &[FeedRecord]) -> Vec<String> {
    found.iter().map(|found| format!("{} {}", found.session, found.n)).collect()
}
