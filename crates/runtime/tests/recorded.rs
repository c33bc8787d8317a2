//! Recorded conversations with the real Codex, told to sessions: each turn ends there as it ended in Codex.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
};

use selvedge_runtime::from_codex::{Meaning, Reader};
use selvedge_session::{
    BusyPolicy, Command, Event, Heard, Input, InputPart, MessageId, NewMessage, Options, Session, SessionId,
    Settings, Status, Timestamp, What,
};
use serde_json::Value;
use uuid::Uuid;

/// A recorded conversation, played to sessions as a runtime would.
#[derive(Default)]
struct Replay {
    sessions: BTreeMap<String, Session>,
    events: BTreeMap<String, Vec<Event>>,
    /// Requests of the recorded client that wait for their answer.
    asked: HashMap<String, (String, String, MessageId)>,
    /// How each turn of a session's own thread ended in Codex.
    ended: Vec<(String, String, String)>,
    unknown: Vec<String>,
    clock: i64,
}

impl Replay {
    fn play(file: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../transcripts/recorded").join(file);
        let mut replay = Self::default();
        let mut ids = 0;
        let fresh = move || {
            ids += 1;
            Uuid::from_u128(ids)
        };
        let mut reader = Reader { fresh, process: Uuid::nil() };
        for line in fs::read_to_string(path).unwrap().lines() {
            let entry: Value = serde_json::from_str(line).unwrap();
            let message = &entry["msg"];
            match entry["dir"].as_str().unwrap() {
                "->" => replay.said(message),
                "<-" if message.get("method").is_none() => replay.answered(message),
                "<-" => replay.heard(&mut reader, message),
                _ => {}
            }
        }
        replay
    }

    fn apply(&mut self, thread: &str, input: Input) {
        self.clock += 1;
        let Some(session) = self.sessions.get_mut(thread) else { return };
        if let Ok(output) = session.apply(input, Timestamp(self.clock)) {
            self.events.entry(thread.to_owned()).or_default().extend(output.events);
        }
    }

    /// What the recorded client said.
    fn said(&mut self, message: &Value) {
        let thread = message["params"]["threadId"].as_str().unwrap_or_default().to_owned();
        let method = message["method"].as_str().unwrap_or_default();
        let id = MessageId(Uuid::from_u128(0x1000 + self.asked.len() as u128));
        match method {
            "turn/start" | "turn/steer" => {
                let policy = if method == "turn/steer" { BusyPolicy::Steer } else { BusyPolicy::Queue };
                let options = Options { busy_policy: Some(policy), ..Options::default() };
                let input = vec![InputPart::Text { text: "recorded".into() }];
                let new = NewMessage { id, input, options, sender: None };
                self.apply(&thread, Input::Command(Command::Send(Box::new(new))));
            }
            "thread/compact/start" => self.apply(&thread, Input::Command(Command::Compact)),
            "review/start" => {
                self.apply(&thread, Input::Command(Command::Review(serde_json::json!({}).into())));
            }
            "turn/interrupt" => self.apply(&thread, Input::Command(Command::Interrupt { force: false })),
            _ => {}
        }
        if message.get("method").is_some() {
            self.asked.insert(message["id"].to_string(), (method.to_owned(), thread, id));
        }
    }

    /// What Codex answered it.
    fn answered(&mut self, message: &Value) {
        let Some((method, thread, id)) = self.asked.get(&message["id"].to_string()).cloned() else { return };
        let result = &message["result"];
        match method.as_str() {
            "thread/start" | "thread/fork" | "thread/resume" => {
                let Some(thread) = result["thread"]["id"].as_str() else { return };
                let mut session = Session::new(SessionId(Uuid::nil()));
                session.create(Settings::default(), Timestamp(0));
                self.sessions.entry(thread.to_owned()).or_insert(session);
                self.apply(thread, Input::Heard(Heard::ThreadReady { thread_id: thread.to_owned() }));
            }
            "turn/start" | "review/start" => {
                if let Some(turn_id) = result["turn"]["id"].as_str() {
                    self.apply(&thread, Input::Heard(Heard::TurnAccepted { turn_id: turn_id.to_owned() }));
                }
            }
            "turn/steer" => {
                let joined = result["turnId"].is_string();
                self.apply(&thread, Input::Heard(Heard::Steered { message_id: id, joined }));
            }
            _ => {}
        }
    }

    fn heard(&mut self, reader: &mut Reader<impl FnMut() -> Uuid>, message: &Value) {
        match reader.read(&message.to_string()) {
            Meaning::Thread { thread, heard, more } => {
                assert_eq!(more, None, "all of what was recorded is known");
                // A sub-agent's thread belongs to the session that named it; with one session there is no doubt.
                let owner = if self.sessions.contains_key(&thread) {
                    Some(thread)
                } else {
                    self.sessions.keys().next().cloned()
                };
                if let Some(owner) = owner {
                    self.note_end(&owner, &heard);
                    self.apply(&owner, Input::Heard(*heard));
                }
            }
            Meaning::Unknown { raw, .. } => self.unknown.push(raw),
            Meaning::Process { .. } | Meaning::Reply { .. } | Meaning::LateAnswer { .. } => {}
        }
    }

    fn note_end(&mut self, owner: &str, heard: &Heard) {
        if let Heard::TurnEnded(place, end) = heard
            && place.thread == owner
        {
            let status = serde_json::to_value(end.status).unwrap().as_str().unwrap().to_owned();
            self.ended.push((owner.to_owned(), place.turn.clone(), status));
        }
    }

    /// How each turn ended in our words: thread, turn, status.
    fn our_ends(&self) -> Vec<(String, String, String)> {
        let mut ends = Vec::new();
        for (thread, events) in &self.events {
            for event in events {
                if let (What::TurnCompleted(it), None) = (&event.what, &event.thread_id) {
                    let status = serde_json::to_value(it.status).unwrap().as_str().unwrap().to_owned();
                    ends.push((thread.clone(), event.turn_id.clone().unwrap(), status));
                }
            }
        }
        ends
    }

    fn finished(&self) -> Vec<(Status, String)> {
        let events = self.events.values().flatten();
        let ends = events.filter_map(|event| match &event.what {
            What::MessageFinished(it) => Some((it.status, it.text.clone())),
            _ => None,
        });
        ends.collect()
    }
}

#[test]
fn every_turn_ends_as_it_ended_in_codex() {
    let files = [
        "simple.jsonl",
        "codemode.jsonl",
        "command_approval.jsonl",
        "concurrent.jsonl",
        "dynamic_edge.jsonl",
        "dynamic_structured.jsonl",
        "failed_500.jsonl",
        "failed_500_retries.jsonl",
        "fork.jsonl",
        "interrupted.jsonl",
        "mcp.jsonl",
        "patch_approval.jsonl",
        "plan_mode.jsonl",
        "sandbox_unavailable.jsonl",
        "steer_instant_false.jsonl",
        "steer_instant_true.jsonl",
        "subagent.jsonl",
        "thread_ops.jsonl",
    ];
    for file in files {
        let replay = Replay::play(file);
        let (mut theirs, mut ours) = (replay.ended.clone(), replay.our_ends());
        theirs.sort();
        ours.sort();
        assert!(!theirs.is_empty(), "{file} has no turn");
        assert_eq!(ours, theirs, "{file}");
        assert_eq!(replay.unknown, Vec::<String>::new(), "{file}");
        for events in replay.events.values() {
            let unknown = events.iter().filter(|event| matches!(event.what, What::CodexUnknown(_)));
            assert_eq!(unknown.count(), 0, "{file}");
        }
    }
}

#[test]
fn the_answer_is_the_agents_last_word() {
    let replay = Replay::play("simple.jsonl");
    let finished = replay.finished();
    assert!(finished.iter().all(|(status, _)| *status == Status::Completed), "{finished:?}");
    assert!(finished.iter().all(|(_, text)| !text.is_empty()), "{finished:?}");
}

#[test]
fn a_sub_agent_is_shown_under_its_own_thread_and_ends_only_itself() {
    let replay = Replay::play("subagent.jsonl");
    let events: Vec<_> = replay.events.values().flatten().collect();
    let of_children = events.iter().filter(|event| event.thread_id.is_some());
    assert!(of_children.count() > 5);
    let own_end = events.iter().rposition(|event| matches!(event.what, What::MessageFinished(_))).unwrap();
    let child_end = events
        .iter()
        .position(|event| event.thread_id.is_some() && matches!(event.what, What::TurnCompleted(_)))
        .unwrap();
    assert!(child_end < own_end, "the parent goes on after its child has ended");
}

#[test]
fn what_was_used_is_counted_once_in_every_version() {
    // One response of the recorded model is 120 tokens; a sub-agent's count to its parent.
    for (file, total) in
        [("simple.jsonl", 0), ("subagent.jsonl", 480), ("compat_0.98.jsonl", 0), ("compat_0.120.jsonl", 0)]
    {
        let replay = Replay::play(file);
        let used: u64 = replay.sessions.values().map(|session| session.usage().total).sum();
        let finished: u64 = replay.events.values().flatten().map(used_by_message).sum();
        assert!(used > 0 && finished <= used, "{file}: {finished} of {used}");
        assert_eq!(used % 120, 0, "{file}: {used}");
        assert!(total == 0 || used == total, "{file}: {used}");
    }
}

fn used_by_message(event: &Event) -> u64 {
    match &event.what {
        What::MessageFinished(it) => it.usage.total,
        _ => 0,
    }
}

#[test]
fn each_session_is_told_once_that_there_is_no_sandbox() {
    let replay = Replay::play("sandbox_unavailable.jsonl");
    let told =
        |event: &&Event| matches!(&event.what, What::SessionWarning(it) if it.code == "sandbox_unavailable");
    for (session, events) in &replay.events {
        let failed = events.iter().any(|event| {
            matches!(&event.what, What::ItemCompleted(it) if it.item.text().contains("bwrap: Creating new namespace failed"))
        });
        assert_eq!(events.iter().filter(told).count(), usize::from(failed), "{session}");
    }
    assert!(replay.events.values().flatten().any(|event| told(&event)));
}
