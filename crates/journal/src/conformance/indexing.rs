//! The index: found by key, listed in order, made again from the records.

use bytes::Bytes;

use super::{Outcome, Place, events, kind};
use crate::{
    index::{Entry, Found, Indexer},
    record::{Record, SessionId},
    store::Store as _,
};

/// A fact `key=value` is an entry, `key` alone removes it.
fn by_facts(version: u32) -> Indexer {
    Indexer::new(version, move |_, record| {
        record.facts.iter().map(|fact| entry(&fact.body, version)).collect()
    })
}

fn entry(fact: &[u8], version: u32) -> Entry {
    let fact = String::from_utf8_lossy(fact);
    let (key, value) = fact.split_once('=').map_or((&*fact, None), |(key, value)| (key, Some(value)));
    let value = value.map(|value| format!("{value}, version {version}").into());
    Entry { table: "t", key: key.to_owned(), value }
}

fn seen(found: &[Found]) -> Vec<(&str, &str, &[u8])> {
    found.iter().map(|found| (found.key.as_str(), found.session.as_str(), &found.value[..])).collect()
}

pub(super) async fn entries_are_found_and_made_again(place: &impl Place) -> Outcome {
    let store = place.open(by_facts(1)).await?;
    let (one, two) = (SessionId::from("one"), SessionId::from("two"));
    store
        .append(&one, 0, Record::at(0).fact(kind(0)?, "a=1").fact(kind(0)?, "b=1").fact(kind(1)?, "c=1"))
        .await?;
    store.append(&two, 0, Record::at(0).fact(kind(0)?, "a=2")).await?;
    store.append(&one, 1, Record::at(0).fact(kind(0)?, "a=3").fact(kind(0)?, "b")).await?;
    let refused = store.append(&one, 7, Record::at(0).fact(kind(0)?, "refused=1")).await;
    assert!(refused.is_err(), "and its entry with it");
    for _ in 0..2 {
        let found = store.look_up("t", "a").await?;
        assert_eq!(seen(&found), [("a", "one", &b"3, version 1"[..]), ("a", "two", b"2, version 1")]);
        assert!(store.look_up("t", "b").await?.is_empty(), "it was removed");
        assert!(store.look_up("other", "a").await?.is_empty());
        let several = ["c", "b", "a", "nowhere"].map(str::to_owned).to_vec();
        let found = store.look_up_all("t", several).await?;
        let named: Vec<_> = found.iter().map(|found| (found.key.as_str(), found.session.as_str())).collect();
        assert_eq!(
            named,
            [("c", "one"), ("a", "one"), ("a", "two")],
            "in the order in which they were named"
        );
        assert_eq!(store.list("t", None, 10).await?.len(), 3);
        assert_eq!(store.rebuild_index().await?, 3, "made again from three records");
    }
    store.remove(&one).await?;
    assert_eq!(seen(&store.list("t", None, 10).await?), [("a", "two", &b"2, version 1"[..])]);
    Ok(())
}

pub(super) async fn entries_are_counted_by_what_they_say(place: &impl Place) -> Outcome {
    let store = place.open(by_facts(1)).await?;
    for (session, fact) in [("one", "a=1"), ("two", "a=1"), ("three", "b=2")] {
        store.append(&session.into(), 0, Record::at(0).fact(kind(0)?, fact)).await?;
    }
    let (first, second) = (Bytes::from("1, version 1"), Bytes::from("2, version 1"));
    assert_eq!(store.counts("t").await?, [(first.clone(), 2), (second.clone(), 1)]);
    store.append(&"one".into(), 1, Record::at(0).fact(kind(0)?, "a=2")).await?;
    assert_eq!(store.counts("t").await?, [(first, 1), (second.clone(), 2)]);
    store.remove(&"two".into()).await?;
    assert_eq!(store.counts("t").await?, [(second, 2)], "only of sessions that there are");
    assert_eq!(store.counts("other").await?, []);
    Ok(())
}

pub(super) async fn another_indexer_makes_another_index(place: &impl Place) -> Outcome {
    let session = SessionId::from("s");
    let store = place.open(by_facts(1)).await?;
    store.append(&session, 0, events(0, 1).fact(kind(0)?, "a=1")).await?;
    store.close().await;
    let store = place.open(by_facts(2)).await?;
    assert_eq!(seen(&store.look_up("t", "a").await?), [("a", "s", &b"1, version 2"[..])]);
    Ok(())
}

pub(super) async fn lists_have_pages(place: &impl Place) -> Outcome {
    let store = place.open(by_facts(1)).await?;
    for number in 0..25 {
        let record = Record::at(number).fact(kind(0)?, format!("k{number:02}=x")).fact(kind(0)?, "same=x");
        store.append(&format!("s{number:02}").into(), 0, record).await?;
    }
    let (mut keys, mut after) = (Vec::new(), None);
    loop {
        let page = store.list("t", after.as_deref(), 10).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.key.clone());
        keys.extend(page.into_iter().map(|found| found.key));
    }
    let expected = (0..25).map(|number| format!("k{number:02}")).chain((0..25).map(|_| "same".to_owned()));
    assert_eq!(keys, expected.collect::<Vec<_>>());

    let (mut names, mut after) = (Vec::new(), None);
    loop {
        let page = store.sessions(after.as_ref(), 10).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id.clone());
        names.extend(page.into_iter().map(|session| session.id.to_string()));
    }
    assert_eq!(names, (0..25).map(|number| format!("s{number:02}")).collect::<Vec<_>>());
    Ok(())
}
