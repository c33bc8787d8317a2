//! How a gateway ends: nothing new, time for what runs, and everything that is left can be gone on with.

use http_body_util::BodyExt as _;
use hyper::Method;
use selvedge_runtime::{
    Answer, Message, MessageState, NewSession, SessionHandle,
    session::{ApprovalPolicy, MessageId, data::Decision},
};
use selvedge_server::{Ended, Settings, Stop};
use serde_json::json;

use crate::{
    gate::{Gate, settings},
    metrics,
    support::stage::in_time,
};

/// A session with a turn that has come so far.
async fn at_work(gate: &Gate, prompt: &str, so_far: &str) -> (SessionHandle, MessageId) {
    let cwd = gate.work().to_str().unwrap().to_owned();
    let mut new = NewSession::in_directory(cwd);
    new.settings.approval_policy = Some(ApprovalPolicy::OnRequest);
    let session = gate.runtime.create(new).await.unwrap();
    let sent = session.send(Message::text(prompt)).await.unwrap();
    let mut events = session.events(0).await.unwrap();
    'waiting: loop {
        for written in events.next(100).await.unwrap() {
            if written.read().unwrap().what.name() == so_far {
                break 'waiting;
            }
        }
    }
    (session, sent.message_id)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_runs_may_end_and_nothing_new_is_taken() {
    in_time(async {
        let gate = Gate::with(Settings { drain: 3600, ..settings() }).await;
        let (session, message) = at_work(&gate, "[approve]", "approval.requested").await;
        let id = session.id();
        let owner = gate.owner();
        gate.stop.send_replace(Stop::Drain);
        while owner.get("/readyz").await.status == 200 {
            tokio::task::yield_now().await;
        }
        let new = owner.post("/v1/sessions", json!({"cwd": gate.work()})).await;
        assert_eq!(new.problem(503), "draining");
        assert!(new.headers.contains_key("retry-after"));
        assert_eq!(owner.get("/healthz").await.status, 200, "who looks is answered until the end");
        let asked = gate.runtime.approvals().await.unwrap();
        let answer = Answer::new(Decision::Decline, "test");
        gate.runtime.answer(asked[0].approval_id, answer).await.unwrap();
        assert_eq!(gate.running.await.unwrap(), Ended::AtRest);
        let gate = Gate::at(gate.directory, settings()).await;
        let view = gate.runtime.session(id).await.unwrap().message(message).await.unwrap();
        assert_eq!(view.state, MessageState::Completed, "it was waited for");
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_does_not_end_in_time_is_left_to_the_next_start() {
    in_time(async {
        let gate = Gate::with(Settings { drain: 0, ..settings() }).await;
        let (session, message) = at_work(&gate, "[hang]", "turn.started").await;
        let id = session.id();
        gate.stop.send_replace(Stop::Drain);
        assert_eq!(gate.running.await.unwrap(), Ended::AtRest);
        let gate = Gate::at(gate.directory, settings()).await;
        let session = gate.runtime.session(id).await.unwrap();
        let view = session.message(message).await.unwrap();
        assert!(!view.state.is_end(), "it was cut before it acted, and is run again");
        session.take_back(message).await.unwrap();
        assert_eq!(session.finished(message).await.unwrap().state, MessageState::Interrupted);
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn told_twice_it_ends_at_once() {
    in_time(async {
        let gate = Gate::with(Settings { drain: 3600, ..settings() }).await;
        at_work(&gate, "[hang]", "turn.started").await;
        gate.stop.send_replace(Stop::Drain);
        gate.stop.send_replace(Stop::Now);
        assert_eq!(gate.running.await.unwrap(), Ended::AtOnce);
        gate.runtime.shut_down().await;
    })
    .await;
}

/// Tells a gateway so to end, and looks at what those learn who wait for a message and for events.
async fn everybody_is_told(drain: u64, told: &[Stop], ended: Ended) {
    let gate = Gate::with(Settings { drain, ..settings() }).await;
    let (session, message) = at_work(&gate, "[hang]", "turn.started").await;
    let path = format!("/v1/sessions/{}", session.id());
    let (owner, held) = (gate.owner(), format!("{path}/messages/{message}?wait=600"));
    let held = tokio::spawn(async move { owner.get(&held).await });
    let reader = gate.owner().with("accept", "text/event-stream");
    let stream = reader.open(Method::GET, &format!("{path}/events"), None).await;
    assert_eq!(metrics::value(&gate, "selvedge_event_streams").await, 1.0);
    // The one that looks is one too.
    metrics::until(&gate, "selvedge_http_requests_in_flight", 2.0).await;
    for stop in told {
        gate.stop.send_replace(*stop);
    }
    let held = held.await.unwrap().expect(200);
    assert_eq!((&held["state"], &held["message_id"]), (&json!("running"), &json!(message)));
    let read = stream.into_body().collect().await.expect("it is not cut").to_bytes();
    let read = String::from_utf8(read.to_vec()).unwrap();
    assert!(read.contains("event: turn.started\n"), "{read}");
    let last = read.trim_end().rsplit("\n\n").next().unwrap();
    assert!(last.starts_with(": draining: "), "it says why it ends: {last:?}");
    assert_eq!(gate.running.await.unwrap(), ended);
    gate.runtime.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_is_told_how_it_stands() {
    in_time(everybody_is_told(0, &[Stop::Drain], Ended::AtRest)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn also_when_it_ends_at_once() {
    in_time(everybody_is_told(3600, &[Stop::Drain, Stop::Now], Ended::AtOnce)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_a_turn_that_ends_in_the_drain_gets_its_end() {
    in_time(async {
        let gate = Gate::with(Settings { drain: 3600, ..settings() }).await;
        let (session, message) = at_work(&gate, "[approve]", "approval.requested").await;
        let path = format!("/v1/sessions/{}/messages/{message}?wait=600", session.id());
        let owner = gate.owner();
        let held = tokio::spawn(async move { owner.get(&path).await });
        metrics::until(&gate, "selvedge_http_requests_in_flight", 2.0).await;
        gate.stop.send_replace(Stop::Drain);
        while gate.owner().get("/readyz").await.status == 200 {
            tokio::task::yield_now().await;
        }
        let asked = gate.owner().get("/v1/approvals").await.expect(200);
        let answer = format!("/v1/approvals/{}", asked["items"][0]["approval_id"].as_str().unwrap());
        gate.owner().post(&answer, json!({"decision": "decline"})).await.expect(200);
        assert_eq!(held.await.unwrap().expect(200)["state"], "completed");
        assert_eq!(gate.running.await.unwrap(), Ended::AtRest);
    })
    .await;
}
