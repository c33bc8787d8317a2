//! What the tail promises: it is bounded, has no gap, and costs nothing when nobody looks.

use super::*;
use crate::record::{Record, blob::encode};

fn blob(n: u64, seq: u64, bytes: usize) -> (Blob, Head) {
    let record = Record::at(0).event(seq, "x".repeat(bytes));
    (Blob::trusted(encode(&"s".into(), n, &record).blob).unwrap(), Head { n, seq })
}

fn push(live: &Live, n: u64, bytes: usize) {
    let (blob, head) = blob(n, n, bytes);
    live.committed(blob, head);
}

fn seqs(live: &Live, after: u64) -> Option<Vec<u64>> {
    let page = live.page(Cursor::after(after), Limit::of(1_000_000));
    page.map(|page| page.events.iter().map(|event| event.seq).collect())
}

#[test]
fn it_keeps_the_newest_and_stays_within_its_bytes() {
    let lives = Arc::new(Lives::default());
    let live = lives.hold(&"s".into());
    for n in 1..=10_000 {
        push(&live, n, 100);
    }
    let bytes = lock(&live.tail).bytes;
    assert!((TAIL_BYTES - 1_000..=TAIL_BYTES).contains(&bytes), "{bytes}");
    assert_eq!(seqs(&live, 9_997), Some(vec![9_998, 9_999, 10_000]));
    assert_eq!(seqs(&live, 100), None, "older than the tail: the store has it");
    assert_eq!(seqs(&live, 10_000), None, "nothing newer");
}

#[test]
fn what_another_process_appended_leaves_no_gap() {
    let lives = Arc::new(Lives::default());
    let live = lives.hold(&"s".into());
    push(&live, 1, 10);
    push(&live, 2, 10);
    live.learned(Head { n: 4, seq: 4 });
    assert_eq!(seqs(&live, 0), None);
    assert_eq!(live.head(), Head { n: 4, seq: 4 });
    push(&live, 5, 10);
    assert_eq!(seqs(&live, 3), None, "the event 4 is not here");
    assert_eq!(seqs(&live, 4), Some(vec![5]));
    live.learned(Head { n: 3, seq: 3 });
    assert_eq!(live.head().n, 5, "an older look changes nothing");
    push(&live, 9, 10);
    assert_eq!(seqs(&live, 4), None);
    assert_eq!(seqs(&live, 8), Some(vec![9]));
}

#[test]
fn a_session_nobody_holds_is_forgotten() {
    let lives = Arc::new(Lives::default());
    let (one, again) = (lives.hold(&"s".into()), lives.hold(&"s".into()));
    assert!(Arc::ptr_eq(&one, &again));
    drop(one);
    assert!(lives.get(&"s".into()).is_some());
    drop(again);
    assert!(lives.get(&"s".into()).is_none());
    assert!(lives.is_empty());
}
