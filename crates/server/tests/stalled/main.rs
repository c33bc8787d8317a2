//! A reader that stands still: it costs its cursor, and loses nothing. A program of its own, for it measures its memory.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test's tasks end with it")]

#[path = "../events/following.rs"]
#[allow(dead_code, reason = "a part of it is used")]
mod following;
#[path = "../support/mod.rs"]
mod support;

use std::fs;

use following::{Following, done};
use support::stage::{Stage, in_time};

/// Readers that stand still. If each had what it does not read kept for it, that would be more than half a gigabyte. The
/// flood itself, without readers, is in the figure too: what the machine has under way, and what the allocator keeps.
const READERS: usize = 50;
const MOST_MEMORY: usize = 256 << 20;
const DELTAS: usize = 100_000;
/// About 13 MB of words.
const FLOOD: &str = r#"
name = "flood"
[[rule]]
contains = "[flood]"
step = [ { do = [ { flood = { deltas = 100000, line_bytes = 330 } } ] } ]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn readers_that_read_nothing_during_a_flood_cost_little_and_get_all_of_it_later() {
    in_time(async {
        let stage = Stage::playing(FLOOD).await;
        let session = following::session(&stage).await;
        done(&session, "hello").await;
        let path = format!("/v1/sessions/{}/events", session.id());
        let mut readers = Vec::new();
        for _ in 0..READERS {
            let mut reader = Following::narrow(&stage.http, &path).await;
            reader.until("message.finished").await;
            readers.push(reader);
        }
        let before = memory();
        done(&session, "[flood]").await;
        let grown = memory().saturating_sub(before);
        assert!(grown < MOST_MEMORY, "{} MiB for {READERS} readers that do not read", grown >> 20);

        let mut stream = readers.pop().unwrap();
        drop(readers);
        let mut expected: u64 = stream.last_id.clone().unwrap().parse::<u64>().unwrap() + 1;
        let mut next = 0;
        loop {
            let frame = stream.next().await.unwrap();
            assert_eq!(frame.id, expected.to_string());
            expected += 1;
            match frame.event.as_str() {
                "item.delta" => next = numbered(frame.json()["data"]["delta"].as_str().unwrap(), next),
                "message.finished" => break,
                _ => {}
            }
        }
        assert_eq!(next, DELTAS, "every delta, once, in order");
        stage.close().await;
    })
    .await;
}

/// Each delta is its number and dots; how far they count.
fn numbered(delta: &str, mut next: usize) -> usize {
    for number in delta.split('.').filter(|piece| !piece.is_empty()) {
        assert_eq!(number.parse(), Ok(next));
        next += 1;
    }
    next
}

/// Bytes of this process that are in memory.
fn memory() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}
