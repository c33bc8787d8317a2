//! What is done once for a key: as long as it counts, and no longer.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use selvedge_runtime::{
    Clock, Config, Error, Kept, Runtime,
    session::{Code, Timestamp},
};
use tokio::task::JoinSet;

/// Does it under this key, and counts how often it was done.
async fn ask(runtime: &Runtime, request: &str, done: &AtomicU32) -> Result<String, Error> {
    let work =
        async { Ok(Kept { body: (done.fetch_add(1, Ordering::SeqCst) + 1).to_string(), ..Kept::default() }) };
    runtime.once::<Error>("ann/stop/k", &request, work).await.map(|kept| kept.body)
}

#[tokio::test]
async fn an_answer_is_given_again_for_a_day_also_after_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let clock = Clock::manual(Timestamp(1_000_000));
    let open = || Runtime::open_at(Config::new(directory.path()), clock.clone());
    let done = AtomicU32::new(0);
    let runtime = open().await.unwrap();
    assert_eq!(ask(&runtime, "stop", &done).await.unwrap(), "1");
    runtime.shut_down().await;
    let runtime = open().await.unwrap();
    clock.turn(Duration::from_secs(24 * 60 * 60 - 1));
    assert_eq!(ask(&runtime, "stop", &done).await.unwrap(), "1", "it was done once");
    assert_eq!(ask(&runtime, "start", &done).await.unwrap_err().code, Code::KeyReused);
    clock.turn(Duration::from_secs(2));
    assert_eq!(ask(&runtime, "start", &done).await.unwrap(), "2", "after a day the key is free");
    clock.turn(Duration::from_secs(5 * 24 * 60 * 60));
    assert_eq!(ask(&runtime, "stop", &done).await.unwrap(), "3", "and the days before are forgotten");
    assert_eq!(runtime.sessions(&selvedge_runtime::Filter::default()).await.unwrap().items, []);
    runtime.shut_down().await;
}

/// Many keys, so that some of them would fall together in anything smaller.
#[tokio::test]
async fn who_comes_with_another_key_waits_for_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let runtime = Runtime::open(Config::new(directory.path())).await.unwrap();
    let (go_on, slow) = tokio::sync::oneshot::channel::<()>();
    let slow = async move { slow.await.map(|()| Kept::default()).map_err(|_| Error::of(Code::Internal)) };
    let others = async {
        for n in 0..256 {
            let done = async { Ok::<_, Error>(Kept::default()) };
            runtime.once(&format!("other {n}"), &n, done).await.unwrap();
        }
        go_on.send(()).unwrap();
    };
    let both = async { tokio::join!(runtime.once("slow", &"a", slow), others) };
    let (slow, ()) = tokio::time::timeout(Duration::from_secs(30), both).await.expect("none of them waits");
    slow.unwrap();
    runtime.shut_down().await;
}

/// They are written by whoever comes first, in as few steps as there is time for, and another program writes there too.
#[tokio::test]
async fn of_many_at_once_in_two_programs_each_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let open = async || Runtime::open(Config::new(directory.path())).await.unwrap();
    let (one, other) = (open().await, open().await);
    let mut asking = JoinSet::new();
    for n in 0..200 {
        let runtime = if n % 2 == 0 { one.clone() } else { other.clone() };
        asking.spawn(async move {
            let answer = async { Ok::<_, Error>(Kept { body: n.to_string(), ..Kept::default() }) };
            let key = format!("key {n}");
            let kept = runtime.once(&key, &n, answer);
            // Some are gone before they have heard it; what they would have written for others is written all the same.
            if n % 10 < 2 { tokio::time::timeout(Duration::ZERO, kept).await.ok() } else { Some(kept.await) }
        });
    }
    asking.join_all().await;
    one.shut_down().await;
    other.shut_down().await;
    let next = open().await;
    for n in (0..200).filter(|n| n % 10 >= 2) {
        let again = async { Err::<Kept, _>(Error::of(Code::Internal)) };
        assert_eq!(next.once(&format!("key {n}"), &n, again).await.unwrap().body, n.to_string());
    }
    next.shut_down().await;
}

#[tokio::test]
async fn what_failed_is_tried_again() {
    let directory = tempfile::tempdir().unwrap();
    let runtime = Runtime::open(Config::new(directory.path())).await.unwrap();
    let failing = async { Err(Error::of(Code::Busy)) };
    assert_eq!(runtime.once("k", &"a", failing).await.unwrap_err().code, Code::Busy);
    let done = AtomicU32::new(0);
    assert_eq!(ask(&runtime, "stop", &done).await.unwrap(), "1");
    runtime.shut_down().await;
}
