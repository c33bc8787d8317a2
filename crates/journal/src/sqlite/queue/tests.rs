//! Whose turn it is: one at a time, and nobody waits for a turn that nobody will take.

use std::{thread, time::Duration};

use tokio::sync::oneshot;

use super::{Queue, Taken};
use crate::sqlite::writer::Job;

fn job() -> Job {
    Job::RebuildIndex(oneshot::channel().0)
}

fn taken(queue: &Queue) -> usize {
    match queue.take(Some(Duration::ZERO)) {
        Taken::Jobs(jobs) => jobs.len(),
        Taken::Nothing | Taken::Closed => 0,
    }
}

#[tokio::test]
async fn a_caller_has_the_turn_only_while_nobody_waits_or_writes() {
    let queue = Queue::new();
    assert!(queue.enter());
    assert!(!queue.enter(), "another caller writes");
    queue.leave();
    queue.put(job()).await.unwrap();
    assert!(!queue.enter(), "who came first is first");
    assert_eq!(taken(&queue), 1);
    assert!(!queue.enter(), "the thread writes");
    assert_eq!(taken(&queue), 0);
    assert!(!queue.enter(), "the thread looks around");
    queue.close();
    assert!(!queue.enter(), "nothing is taken in any more");
}

#[tokio::test]
async fn what_is_slow_is_for_the_thread() {
    let queue = Queue::new();
    queue.expect_slow(true);
    assert!(!queue.enter());
    queue.expect_slow(false);
    assert!(queue.enter());
}

#[tokio::test]
async fn what_comes_during_a_callers_turn_is_taken_after_it() {
    let queue = Queue::new();
    assert!(queue.enter());
    thread::scope(|scope| {
        let thread = scope.spawn(|| match queue.take(None) {
            Taken::Jobs(jobs) => jobs.len(),
            Taken::Nothing | Taken::Closed => 0,
        });
        at_once(queue.put(job()));
        queue.leave();
        assert_eq!(thread.join().unwrap(), 1);
    });
}

/// There is room, so nothing is waited for.
fn at_once(put: impl Future<Output = Result<(), crate::StoreError>>) {
    let mut put = std::pin::pin!(put);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(put.as_mut().poll(&mut context).is_ready());
}
