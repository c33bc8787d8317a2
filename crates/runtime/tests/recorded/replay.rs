//! A recorded conversation, told to sessions line by line, without a process and without a runtime.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

use selvedge_recording::{Direction, Recording};
use selvedge_runtime::from_codex::{Meaning, Reader};
use selvedge_session::{
    BusyPolicy, Command, Event, Heard, Input, InputPart, MessageId, NewMessage, Options, Session, SessionId,
    Settings, Status, Timestamp, What,
};
use serde_json::Value;
use uuid::Uuid;

/// A recorded conversation, played to sessions as a runtime would.
#[derive(Default)]
pub(crate) struct Replay {
    pub(crate) sessions: BTreeMap<String, Session>,
    pub(crate) events: BTreeMap<String, Vec<Event>>,
    /// Requests of the recorded client that wait for their answer.
    asked: HashMap<String, (String, String, MessageId)>,
    /// How each turn of a session's own thread ended in Codex.
    pub(crate) ended: Vec<(String, String, String)>,
    pub(crate) unknown: Vec<String>,
    clock: i64,
}

impl Replay {
    /// One of `transcripts/recorded`.
    pub(crate) fn play(file: &str) -> Self {
        Self::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../transcripts/recorded").join(file))
    }

    /// Any recording.
    pub(crate) fn of(path: &Path) -> Self {
        let mut replay = Self::default();
        let mut ids = 0;
        let fresh = move || {
            ids += 1;
            Uuid::from_u128(ids)
        };
        let mut reader = Reader { fresh, process: Uuid::nil() };
        for entry in Recording::open(path).unwrap().entries {
            let message: Value = serde_json::from_str(&entry.text).unwrap();
            match entry.direction {
                Direction::Sent => replay.said(&message),
                Direction::Received if message.get("method").is_none() => replay.answered(&message),
                Direction::Received => replay.heard(&mut reader, &message),
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
    pub(crate) fn our_ends(&self) -> Vec<(String, String, String)> {
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

    pub(crate) fn finished(&self) -> Vec<(Status, String)> {
        let events = self.events.values().flatten();
        let ends = events.filter_map(|event| match &event.what {
            What::MessageFinished(it) => Some((it.status, it.text.clone())),
            _ => None,
        });
        ends.collect()
    }
}
