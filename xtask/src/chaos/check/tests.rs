//! The checker can fail: a good run has no violation, and each thing that must not be is found.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Coverage, Found, all};
use crate::chaos::ledger::{GivenAnswer, Ledger, MessageLedger, SeenEvent, SessionLedger};
use crate::chaos::plan::{Answer, Kind, MessagePlan, Plan, Reaction, SessionPlan};

const TRACE: &str = "s000m00000a";

/// One session that asks, and one message that ran one command after it was allowed.
struct Run {
    plan: Plan,
    ledger: Ledger,
    traces: Vec<String>,
}

impl Run {
    fn good() -> Self {
        let texts: Vec<String> = story().iter().map(Value::to_string).collect();
        let seen = |text: &String| SeenEvent { text: text.clone(), at: Duration::ZERO };
        let session = SessionLedger {
            id: Some("S".into()),
            events: texts.iter().map(seen).collect(),
            reread: texts,
            ..SessionLedger::default()
        };
        let answer = GivenAnswer { decision: "accept", taken: Some(true) };
        let ledger = Ledger {
            sessions: vec![session],
            messages: vec![MessageLedger { replies: vec![Ok("M".into())] }],
            answers: BTreeMap::from([("A".into(), vec![answer])]),
            ..Ledger::default()
        };
        Self { plan: plan(), ledger, traces: vec![TRACE.into()] }
    }

    /// Changes the story, for those who saw it and those who read it again.
    fn told(mut self, change: impl FnOnce(&mut Vec<Value>)) -> Self {
        let mut events = story();
        change(&mut events);
        for (place, event) in events.iter_mut().enumerate() {
            event["seq"] = json!(place + 1);
        }
        let session = &mut self.ledger.sessions[0];
        session.reread = events.iter().map(Value::to_string).collect();
        let seen = |text: &String| SeenEvent { text: text.clone(), at: Duration::ZERO };
        session.events = session.reread.iter().map(seen).collect();
        self
    }

    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    fn found(&self) -> Found {
        all(&self.plan, &self.ledger, &self.traces)
    }

    fn violated(&self) -> Vec<&'static str> {
        let mut promises: Vec<_> =
            self.found().violations.iter().map(|violation| violation.promise).collect();
        promises.dedup();
        promises
    }
}

fn plan() -> Plan {
    let session = SessionPlan {
        token: "s000".into(),
        environment: 0,
        isolated: false,
        asks: true,
        busy: "queue",
        on_lost: "hold",
        parent: None,
    };
    let message = MessagePlan {
        token: "s000m00000".into(),
        session: 0,
        kind: Kind::Command,
        busy: None,
        retry: "safe",
        reaction: Reaction { after: Duration::ZERO, answer: Answer::Accept },
    };
    Plan {
        seed: 1,
        relay: false,
        environments: vec![None],
        sessions: vec![session],
        messages: vec![message],
        steps: Vec::new(),
    }
}

fn story() -> Vec<Value> {
    let said = json!([{ "type": "text", "text": "s000m00000 [command]" }]);
    let command = format!("echo {TRACE} >> ran.txt");
    let told = [
        ("message.accepted", json!({ "message_id": "M", "input": said })),
        ("message.started", json!({ "message_id": "M", "attempt": 1 })),
        ("item.completed", json!({ "item": { "type": "userMessage", "content": said } })),
        ("approval.requested", json!({ "approval_id": "A", "request": { "command": command } })),
        ("approval.resolved", json!({ "approval_id": "A", "decision": "accept" })),
        ("turn.completed", json!({ "message_ids": ["M"], "status": "completed" })),
        ("message.finished", json!({ "message_id": "M", "status": "completed", "text": "done" })),
    ];
    let event = |(place, (kind, data)): (usize, (&str, Value))| {
        json!({
            "seq": place + 1, "session_id": "S", "turn_id": "T", "item_id": "I", "type": kind, "data": data,
        })
    };
    told.into_iter().enumerate().map(event).collect()
}

#[test]
fn a_good_run_violates_nothing() {
    assert_eq!(Run::good().violated(), [] as [&str; 0]);
}

#[test]
fn what_readers_saw_must_be_there_unchanged() {
    let shorter = Run::good().with(|run| drop(run.ledger.sessions[0].reread.pop()));
    assert_eq!(shorter.violated(), ["what was shown survives"]);
    let changed = Run::good().with(|run| run.ledger.sessions[0].events[6].text.push(' '));
    assert_eq!(changed.violated(), ["what was shown never changes"]);
    let gap = Run::good().with(|run| {
        drop(run.ledger.sessions[0].reread.remove(1));
        drop(run.ledger.sessions[0].events.remove(1));
    });
    assert_eq!(gap.violated(), ["no gap, no repeat"]);
    let foreign = Run::good().told(|events| events[6]["session_id"] = json!("other"));
    assert_eq!(foreign.violated(), ["no event in a wrong session"]);
    let crossed = Run::good().told(|events| events[6]["data"]["text"] = json!("s001m00000 has run."));
    assert_eq!(crossed.violated(), ["no event in a wrong session"]);
}

#[test]
fn a_message_has_one_id_and_one_end() {
    let endless = Run::good().told(|events| drop(events.pop()));
    assert_eq!(endless.violated(), ["each accepted message has exactly one end"]);
    let twice = Run::good().told(|events| events.push(events[6].clone()));
    assert_eq!(twice.violated(), ["each accepted message has exactly one end"]);
    let two_ids = Run::good().with(|run| run.ledger.messages[0].replies.push(Ok("N".into())));
    assert_eq!(two_ids.violated(), ["one key is one message", "every accepted send survives"]);
    let forgotten = Run::good().with(|run| run.ledger.messages[0].replies.push(Err("busy".into())));
    assert_eq!(forgotten.violated(), ["one key, one answer"]);
    let refused = Run::good().with(|run| run.ledger.messages[0].replies = vec![Err("busy".into())]);
    assert_eq!(refused.violated(), ["a refused message is not run"]);
    let unheard = Run::good().told(|events| events[2]["data"]["item"]["content"] = json!("other words"));
    assert_eq!(unheard.violated(), ["a completed message was heard"]);
}

#[test]
fn a_command_runs_once_and_only_if_it_was_approved() {
    let twice = Run::good().with(|run| run.traces.push(TRACE.into()));
    assert_eq!(twice.violated(), ["no approval is applied to another request", "no command runs twice"]);
    let never = Run::good().with(|run| run.traces.clear());
    assert_eq!(never.violated(), ["a completed message has run"]);
    let strange = Run::good().with(|run| run.traces.push("s000m0".into()));
    assert_eq!(strange.violated(), ["a trace is whole and of a message"]);
    let unasked = Run::good().told(|events| drop(events.drain(3..5)));
    assert_eq!(unasked.violated(), ["no approval is applied to another request"]);
    let unanswered = Run::good().with(|run| run.ledger.answers.clear());
    assert_eq!(unanswered.violated(), ["nothing is approved that nobody approved"]);
    let turned = Run::good().told(|events| events[4]["data"]["decision"] = json!("decline"));
    let expected = ["the answer that was taken is the decision", "no approval is applied to another request"];
    assert_eq!(turned.violated(), expected);
}

#[test]
fn what_was_opened_is_closed_and_nothing_is_left() {
    let open = Run::good().told(|events| drop(events.remove(4)));
    assert!(open.violated().contains(&"what was opened is closed, once"));
    let left = Run::good().with(|run| run.ledger.left.push("7 sleep 1000".into()));
    assert_eq!(left.violated(), ["no process is left"]);
}

/// An app-server died before the event at this place.
fn died(events: &mut Vec<Value>, place: usize) {
    events.insert(place, json!({ "session_id": "S", "type": "codex.exited", "data": {} }));
}

#[test]
fn a_turn_that_nobody_could_follow_is_not_asked_what_was_seen_of_it() {
    let other_words = |events: &mut Vec<Value>| events[2]["data"]["item"]["content"] = json!("other words");
    let unheard = |place: usize| {
        Run::good().told(|events| {
            other_words(events);
            died(events, place);
        })
    };
    let after_a_crash = Coverage { after_a_crash: 1, ..Coverage::default() };
    assert_eq!(unheard(5).violated(), [] as [&str; 0]);
    assert_eq!(unheard(5).found().heard, after_a_crash);
    // A death before it started, or after its end, hides nothing of it.
    assert_eq!(unheard(1).violated(), ["a completed message was heard"]);
    assert_eq!(unheard(7).violated(), ["a completed message was heard"]);
    let never = |place: usize| Run::good().told(|events| died(events, place)).with(|run| run.traces.clear());
    assert_eq!(never(5).violated(), [] as [&str; 0]);
    assert_eq!(never(5).found().ran, after_a_crash);
    assert_eq!(never(1).violated(), ["a completed message has run"]);
    assert_eq!(never(7).violated(), ["a completed message has run"]);
}

#[test]
fn a_message_that_was_started_again_is_followed_from_there() {
    let again = Run::good().told(|events| {
        died(events, 2);
        events.insert(3, events[1].clone());
    });
    assert_eq!(again.violated(), [] as [&str; 0]);
    let never = again.with(|run| run.traces.clear());
    assert_eq!(never.violated(), ["a completed message has run"]);
    assert_eq!(never.found().heard, Coverage { applied: 1, ..Coverage::default() });
}

#[test]
fn who_joined_a_turn_is_followed_with_it() {
    let joined = |place: usize| {
        Run::good().told(|events| {
            events[2]["data"]["item"]["content"] = json!("other words");
            let begun = json!({ "session_id": "S", "turn_id": "T", "type": "turn.started", "data": {} });
            events.insert(1, begun);
            died(events, place);
            // Found in the turn only afterwards, as its steer was not answered.
            let started = events.iter().position(|event| event["type"] == "message.started").unwrap();
            let mut start = events.remove(started);
            start["data"]["steered_into"] = json!("N");
            events.insert(events.len() - 2, start);
        })
    };
    let unheard = |run: &Run| run.violated().contains(&"a completed message was heard");
    assert!(!unheard(&joined(3)));
    assert!(unheard(&joined(1)));
}

#[test]
fn a_crash_excuses_no_command_that_runs_twice() {
    let twice = Run::good().told(|events| died(events, 5)).with(|run| run.traces.push(TRACE.into()));
    assert_eq!(twice.violated(), ["no approval is applied to another request", "no command runs twice"]);
    assert_eq!(twice.found().ran.after_a_crash, 1);
}
