//! Whose turn it is: one at a time, and nobody waits for a turn that nobody will take.

use std::{thread, time::Duration};

use tokio::sync::oneshot;

use super::{Joined, Lead, QUICK_BYTES, Queue, Taken};
use crate::{
    index::Indexer,
    record::Record,
    sqlite::{
        append::{Append, Wanted},
        writer::Job,
    },
};

/// For the thread alone.
fn job() -> Job {
    Job::RebuildIndex(oneshot::channel().0)
}

fn append(session: &str, bytes: usize) -> Box<Append> {
    let record = Record::at(0).event(1, vec![b' '; bytes]);
    let wanted = Wanted { session: session.into(), expected_n: 0, record, brief: false };
    Box::new(wanted.prepare(&Indexer::none(), oneshot::channel().0).unwrap())
}

fn leads<'a>(queue: &'a Queue, session: &str) -> Lead<'a> {
    match queue.join(append(session, 1)) {
        Joined::Leads { lead, .. } => lead,
        other => panic!("{other:?}"),
    }
}

fn follows(queue: &Queue, session: &str) -> bool {
    matches!(queue.join(append(session, 1)), Joined::Follows)
}

fn names(appends: &[Append]) -> Vec<&str> {
    appends.iter().map(|append| append.ready.session.as_str()).collect()
}

/// What the thread finds.
fn taken(queue: &Queue) -> Vec<String> {
    let name =
        |job: Job| job.append().map_or_else(|| "job".to_owned(), |append| append.ready.session.to_string());
    match queue.take(Some(Duration::ZERO)) {
        Taken::Jobs(jobs) => jobs.into_iter().map(name).collect(),
        Taken::Nothing | Taken::Closed => Vec::new(),
    }
}

/// What who leads commits, if it is the one to commit.
fn kept(lead: Lead<'_>) -> Vec<String> {
    let mut kept = Vec::new();
    lead.keep(|appends| {
        kept = names(&appends).into_iter().map(str::to_owned).collect();
        Vec::new()
    });
    kept
}

#[test]
fn who_comes_first_commits_for_those_who_come_before_it_does() {
    let queue = Queue::new();
    let lead = leads(&queue, "first");
    assert!(follows(&queue, "second"));
    assert!(follows(&queue, "third"));
    assert_eq!(kept(lead), ["first", "second", "third"]);
    assert_eq!(taken(&queue), [""; 0], "nothing is left");
}

#[test]
fn one_leads_only_while_nobody_waits_or_writes() {
    let queue = Queue::new();
    leads(&queue, "a").keep(|_| {
        assert!(follows(&queue, "b"), "another one writes");
        Vec::new()
    });
    assert!(follows(&queue, "c"), "who came first is first");
    assert_eq!(taken(&queue), ["b", "c"]);
    assert!(follows(&queue, "d"), "the thread writes");
    assert_eq!(taken(&queue), ["d"]);
    assert!(follows(&queue, "e"), "the thread looks around");
    queue.close();
    assert!(matches!(queue.join(append("f", 1)), Joined::Refused(_)), "nothing is taken in any more");
}

#[test]
fn what_is_slow_is_for_the_thread() {
    let queue = Queue::new();
    queue.expect_slow(true);
    assert!(follows(&queue, "a"));
    assert_eq!(taken(&queue), ["a"]);
}

#[test]
fn what_becomes_slow_or_large_meanwhile_is_for_the_thread() {
    let queue = Queue::new();
    let lead = leads(&queue, "a");
    queue.expect_slow(true);
    assert_eq!(kept(lead), [""; 0]);

    let queue = Queue::new();
    let lead = leads(&queue, "a");
    assert!(matches!(queue.join(append("b", QUICK_BYTES)), Joined::Follows));
    assert_eq!(kept(lead), [""; 0]);
    assert_eq!(taken(&queue), ["a", "b"]);
}

#[tokio::test]
async fn what_only_the_thread_can_do_takes_the_lead_from_whoever_has_it() {
    let queue = Queue::new();
    let lead = leads(&queue, "a");
    queue.put(job()).await.unwrap();
    assert_eq!(kept(lead), [""; 0]);
    assert_eq!(taken(&queue), ["a", "job"]);
}

#[test]
fn who_leads_and_goes_away_leaves_it_to_the_thread() {
    let queue = Queue::new();
    thread::scope(|scope| {
        let thread = scope.spawn(|| matches!(queue.take(None), Taken::Jobs(jobs) if jobs.len() == 1));
        drop(leads(&queue, "a"));
        assert!(thread.join().unwrap());
    });
}

#[test]
fn what_who_leads_cannot_commit_comes_first_for_the_thread() {
    let queue = Queue::new();
    let lead = leads(&queue, "a");
    assert!(follows(&queue, "b"));
    lead.keep(|appends| {
        assert!(follows(&queue, "c"));
        appends
    });
    assert_eq!(taken(&queue), ["a", "b", "c"]);
}

#[test]
fn there_is_as_much_room_after_all_this_as_before() {
    let queue = Queue::new();
    let room = queue.room.available_permits();
    let lead = leads(&queue, "a");
    assert!(follows(&queue, "b"));
    lead.keep(|mut appends| appends.split_off(1));
    assert_eq!(queue.room.available_permits(), room - 1);
    assert_eq!(taken(&queue), ["b"]);
    assert_eq!(queue.room.available_permits(), room);
}

#[test]
fn what_comes_during_a_callers_turn_is_taken_after_it() {
    let queue = Queue::new();
    let lead = leads(&queue, "a");
    thread::scope(|scope| {
        let thread = lead_and_put(&queue, lead, scope);
        assert_eq!(thread.join().unwrap(), 1);
    });
}

/// While the caller writes, a job comes, which the thread waits for.
fn lead_and_put<'scope>(
    queue: &'scope Queue,
    lead: Lead<'scope>,
    scope: &'scope thread::Scope<'scope, '_>,
) -> thread::ScopedJoinHandle<'scope, usize> {
    let mut thread = None;
    lead.keep(|_| {
        thread = Some(scope.spawn(|| match queue.take(None) {
            Taken::Jobs(jobs) => jobs.len(),
            Taken::Nothing | Taken::Closed => 0,
        }));
        at_once(queue.put(job()));
        Vec::new()
    });
    thread.unwrap()
}

/// There is room, so nothing is waited for.
fn at_once(put: impl Future<Output = Result<(), crate::StoreError>>) {
    let mut put = std::pin::pin!(put);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(put.as_mut().poll(&mut context).is_ready());
}
