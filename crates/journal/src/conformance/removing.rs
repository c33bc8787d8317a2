//! Removing, copying and closing.

use super::{Outcome, Place, append_some, assert_follows, events};
use crate::{
    error::{AppendError, StoreError},
    index::Indexer,
    record::SessionId,
    store::{Ended, Head, Store as _},
};

pub(super) async fn a_removed_session_is_gone(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let (gone, stays) = (SessionId::from("gone"), SessionId::from("stays"));
    append_some(&store, &gone, 0, 1_200).await?;
    append_some(&store, &stays, 0, 3).await?;
    let mut reader = store.reader(&gone, 1_200).await?;
    assert!(store.remove(&gone).await?);
    assert_eq!(reader.next_page(1).await, Err(StoreError::Removed { session: gone.clone() }));
    assert!(!store.remove(&gone).await?, "there is none any more");
    assert_eq!(store.head(&gone).await?, Head::default());
    let names: Vec<_> = store.sessions(None, 10).await?.into_iter().map(|session| session.id).collect();
    assert_eq!(names, std::slice::from_ref(&stays));
    let fenced = store.append(&gone, 1_200, events(1_200, 1)).await;
    assert_eq!(fenced, Err(AppendError::Conflict { last_n: 0 }), "its owner is told");
    assert_eq!(store.append(&gone, 0, events(0, 2)).await?, Head { n: 1, seq: 2 }, "begun again");
    drop(reader);
    let page = store.reader(&gone, 0).await?.next_page(5_000).await?;
    assert_eq!(page.len(), 2, "nothing of the old one");
    assert_follows(&store.reader(&stays, 0).await?.next_page(10).await?, 0);
    Ok(())
}

pub(super) async fn old_sessions_are_pruned(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    for (name, at) in [("kept", 10), ("new", 100), ("old", 20)] {
        let mut record = events(0, 1);
        record.at = at;
        store.append(&name.into(), 0, record).await?;
    }
    let removed = store.prune(100, |session| session.id.as_str() == "kept").await?;
    assert_eq!(removed, [SessionId::from("old")]);
    let left: Vec<_> = store.sessions(None, 10).await?.into_iter().map(|left| (left.id, left.at)).collect();
    assert_eq!(left, [("kept".into(), 10), ("new".into(), 100)]);
    Ok(())
}

pub(super) async fn a_backup_is_a_store(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    append_some(&store, &session, 0, 10).await?;
    let file = place.backup_file();
    store.backup(&file).await?;
    assert_eq!(store.backup(&file).await, Err(StoreError::Exists { path: file.clone() }));
    append_some(&store, &session, 10, 1).await?;
    let copy = place.open_backup(&file).await?;
    assert_eq!(copy.head(&session).await?, Head { n: 10, seq: 10 }, "as of one moment");
    let page = copy.reader(&session, 0).await?.next_page(100).await?;
    assert_eq!(page.len(), 10);
    assert_follows(&page, 0);
    append_some(&copy, &session, 10, 1).await?;
    Ok(())
}

pub(super) async fn a_closed_store_says_so(place: &impl Place) -> Outcome {
    let store = place.open(Indexer::none()).await?;
    let session = SessionId::from("s");
    append_some(&store, &session, 0, 1).await?;
    let mut reader = store.reader(&session, 1).await?;
    let (waited, ended) = tokio::join!(reader.next_page(1), store.close());
    assert_eq!(waited, Err(StoreError::Closed));
    assert_eq!(ended, Ended::Done);
    assert_eq!(store.close().await, Ended::Before);
    assert_eq!(store.append(&session, 1, events(1, 1)).await, Err(StoreError::Closed.into()));
    assert_eq!(store.head(&session).await, Err(StoreError::Closed));
    Ok(())
}
