//! What the inbox promises: order, no loss, bounded memory, and a reader that is never held up.

use bytes::Bytes;
use selvedge_protocol::frame::{Frame, Malformed};

use super::*;

fn limits(memory: usize, file: u64) -> InboxLimits {
    InboxLimits { memory, file, ..InboxLimits::default() }
}

fn line(n: u64, bytes: usize) -> Line {
    let digits = n.to_string();
    Line::whole(n, Bytes::from("0".repeat(bytes - digits.len()) + &digits))
}

async fn expect_in_order(inbox: &mut Inbox, numbers: impl Iterator<Item = u64>) {
    for n in numbers {
        let next = inbox.next().await.expect("a line");
        assert_eq!(next.offset, n);
        assert_eq!(next.text().unwrap().parse::<u64>().unwrap(), n);
    }
}

#[tokio::test]
async fn a_consumer_that_pauses_loses_nothing_and_holds_up_nobody() {
    let (outlet, mut inbox) = inbox(limits(1000, u64::MAX));
    for n in 0..5000 {
        outlet.push(&mut vec![line(n, 100)]).await;
    }
    assert!(outlet.shared.lock().memory_bytes < 1300, "memory stays bounded");
    expect_in_order(&mut inbox, 0..2500).await;
    for n in 5000..6000 {
        outlet.push(&mut vec![line(n, 100)]).await;
    }
    expect_in_order(&mut inbox, 2500..6000).await;
    outlet.push(&mut vec![line(6000, 100)]).await;
    assert!(inbox.shared.lock().spill.unread().is_none(), "caught up: memory again");
    drop(outlet);
    expect_in_order(&mut inbox, 6000..6001).await;
    assert!(inbox.next().await.is_none());
}

#[tokio::test]
async fn a_line_larger_than_one_read_comes_back_whole() {
    let (outlet, mut inbox) = inbox(limits(0, u64::MAX));
    outlet.push(&mut vec![line(1, 3_000_000), line(2, 10)]).await;
    expect_in_order(&mut inbox, 1..3).await;
}

#[tokio::test]
async fn flaws_survive_the_file() {
    let (outlet, mut inbox) = inbox(limits(0, u64::MAX));
    let flaws = [Malformed::TooLong { bytes: 99 }, Malformed::Cut];
    let mut batch: Vec<_> =
        flaws.iter().map(|flaw| Line::flawed(7, Bytes::from_static(b"x"), *flaw)).collect();
    batch.push(Line::whole(8, Bytes::from_static(b"\xff")));
    outlet.push(&mut batch).await;
    for expected in flaws.into_iter().chain([Malformed::NotUtf8]) {
        let line = inbox.next().await.unwrap();
        assert!(matches!(line.frame(), Frame::Malformed(flaw) if flaw == expected));
    }
}

#[tokio::test(start_paused = true)]
async fn a_full_file_makes_codex_wait_and_loses_nothing() {
    let (outlet, mut inbox) = inbox(limits(100, 1000));
    let writer = async {
        for n in 0..200 {
            outlet.push(&mut vec![line(n, 50)]).await;
        }
        drop(outlet);
    };
    let reader = async {
        expect_in_order(&mut inbox, 0..200).await;
        assert!(inbox.next().await.is_none());
    };
    tokio::join!(writer, reader);
}

#[tokio::test(start_paused = true)]
async fn without_a_consumer_nothing_waits() {
    let (outlet, inbox) = inbox(limits(0, 0));
    drop(inbox);
    for n in 0..10 {
        outlet.push(&mut vec![line(n, 50)]).await;
    }
}

#[tokio::test]
async fn dropping_the_wait_loses_nothing() {
    let (outlet, mut inbox) = inbox(limits(0, u64::MAX));
    outlet.push(&mut (0..100).map(|n| line(n, 10)).collect()).await;
    // Polled once: the read of the file is under way, then given up, unless it was quick enough to be done.
    let first = {
        let next = inbox.next();
        tokio::pin!(next);
        std::future::poll_fn(|context| std::task::Poll::Ready(next.as_mut().poll(context))).await
    };
    let seen = u64::from(first.is_ready());
    expect_in_order(&mut inbox, seen..100).await;
}
