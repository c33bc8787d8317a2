//! How a gateway ends: nothing new, time for what runs, and everything that is left can be gone on with.

use selvedge_runtime::{
    Answer, Message, MessageState, NewSession, SessionHandle,
    session::{ApprovalPolicy, MessageId, data::Decision},
};
use selvedge_server::{Ended, Settings, Stop};
use serde_json::json;

use crate::{
    gate::{Gate, settings},
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
