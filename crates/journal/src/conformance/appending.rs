//! Appending: durable, compared, dense, and nobody suffers for another's mistake.

use tokio::task::JoinSet;

use super::{Outcome, Place, append_some, assert_follows, events, kind};
use crate::{
    cursor::Limit,
    error::AppendError,
    index::Indexer,
    record::{Record, SessionId},
    store::{Head, Store as _},
};

pub(super) async fn what_is_appended_is_read(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    assert_eq!(store.head(&session).await?, Head::default(), "a session nobody began");
    let first = events(0, 3).fact(kind(2)?, "a fact");
    let second = Record::at(2_000).fact(kind(3)?, "");
    assert_eq!(store.append(&session, 0, first.clone()).await?, Head { n: 1, seq: 3 });
    assert_eq!(store.append(&session, 1, second.clone()).await?, Head { n: 2, seq: 3 }, "facts have no seq");
    assert_eq!(store.head(&session).await?, Head { n: 2, seq: 3 });
    let records = store.records(&session, 0, Limit::of(10)).await?;
    assert_eq!(records.iter().map(|stored| stored.n).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(records.into_iter().map(|stored| stored.record).collect::<Vec<_>>(), [first, second.clone()]);
    let after_first = store.records(&session, 1, Limit::of(10)).await?;
    assert_eq!(after_first.into_iter().map(|stored| stored.record).collect::<Vec<_>>(), [second]);
    let page = store.reader(&session, 0).await?.next_page(10).await?;
    assert_eq!(page.len(), 3);
    assert_follows(&page, 0);
    Ok(())
}

pub(super) async fn only_the_owner_appends(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    append_some(&store, &session, 0, 2).await?;
    for expected_n in [0, 1, 3] {
        let refused = store.append(&session, expected_n, events(2, 1)).await;
        assert_eq!(refused, Err(AppendError::Conflict { last_n: 2 }));
    }
    assert_eq!(store.head(&session).await?, Head { n: 2, seq: 2 }, "nothing was appended");
    store.append(&session, 2, events(2, 1)).await?;
    let nobody = store.append(&SessionId::from("new"), 5, events(0, 1)).await;
    assert_eq!(nobody, Err(AppendError::Conflict { last_n: 0 }));
    Ok(())
}

pub(super) async fn events_are_dense(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    store.append(&session, 0, events(0, 3)).await?;
    let repeated = store.append(&session, 1, events(2, 1)).await;
    assert_eq!(repeated, Err(AppendError::Gap { expected: 4, found: 3 }));
    let ahead = store.append(&session, 1, events(4, 1)).await;
    assert_eq!(ahead, Err(AppendError::Gap { expected: 4, found: 5 }));
    let torn = store.append(&session, 1, Record::at(0).event(4, "").event(6, "")).await;
    assert_eq!(torn, Err(AppendError::Gap { expected: 5, found: 6 }));
    assert_eq!(store.append(&session, 1, events(3, 1)).await?, Head { n: 2, seq: 4 });
    Ok(())
}

pub(super) async fn a_refused_append_harms_nobody(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let names: Vec<SessionId> = (0..20).map(|number| format!("s{number}").into()).collect();
    for round in 0..10 {
        let mut appends = tokio::task::JoinSet::new();
        for (place, name) in names.iter().cloned().enumerate() {
            let store = store.clone();
            let wrong = place % 3 == 0;
            let expected_n = if wrong { 99 } else { round };
            appends.spawn(async move { (wrong, store.append(&name, expected_n, events(round, 1)).await) });
        }
        while let Some(appended) = appends.join_next().await {
            let (wrong, outcome) = appended?;
            let expected = if wrong {
                Err(AppendError::Conflict { last_n: 0 })
            } else {
                Ok(Head { n: round + 1, seq: round + 1 })
            };
            assert_eq!(outcome, expected);
        }
    }
    Ok(())
}

pub(super) async fn many_owners_at_once_all_get_their_answers(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let mut owners = JoinSet::new();
    for number in 0..20 {
        let (store, session) = (store.clone(), SessionId::from(format!("s{number}")));
        owners.spawn(async move {
            append_some(&store, &session, 0, 100).await?;
            assert_eq!(store.head(&session).await?, Head { n: 100, seq: 100 });
            Outcome::Ok(())
        });
    }
    while let Some(ended) = owners.join_next().await {
        ended??;
    }
    Ok(())
}

pub(super) async fn appends_survive_the_store(place: &impl Place) -> Outcome {
    let session = SessionId::from("s");
    for round in 0..3 {
        let store = place.open(Indexer::none()).await?;
        assert_eq!(store.head(&session).await?.n, round * 5);
        append_some(&store, &session, round * 5, 5).await?;
        store.close().await;
    }
    let store = place.open(Indexer::none()).await?;
    let page = store.reader(&session, 0).await?.next_page(100).await?;
    assert_eq!(page.len(), 15);
    assert_follows(&page, 0);
    Ok(())
}

pub(super) async fn what_is_jotted_is_like_what_is_appended(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    let mut reader = store.reader(&session, 0).await?;
    for n in 0..50 {
        let fact = kind(1 + u8::try_from(n % 3)?)?;
        assert_eq!(
            store.jot(&session, n, events(n, 1).fact(fact, "x")).await?,
            Head { n: n + 1, seq: n + 1 }
        );
        assert_follows(&reader.next_page(10).await?, n);
    }
    let stale = store.jot(&session, 49, events(49, 1)).await;
    assert_eq!(stale, Err(AppendError::Conflict { last_n: 50 }));
    let repeated = store.jot(&session, 50, events(49, 1)).await;
    assert_eq!(repeated, Err(AppendError::Gap { expected: 51, found: 50 }));
    store.jot(&session, 50, events(50, 1)).await?;
    assert_eq!(store.head(&session).await?, Head { n: 51, seq: 51 });
    assert_eq!(store.newest(&session, kind(3)?).await?.map(|stored| stored.n), Some(48));
    store.jot(&session, 51, events(51, 1)).await?;
    let records = store.records(&session, 0, Limit::of(100)).await?;
    assert_eq!(records.iter().map(|stored| stored.n).collect::<Vec<_>>(), (1..=52).collect::<Vec<_>>());
    store.jot(&session, 52, events(52, 1)).await?;
    assert!(store.remove(&session).await?, "also with something jotted down");
    assert_eq!(store.head(&session).await?, Head::default());
    Ok(())
}
