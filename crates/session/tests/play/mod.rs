//! A session on a stage: short words for what happens to it, and short words for what it says.

use std::mem;

use selvedge_session::{
    Answer, ApprovalId, Command, Effect, Heard, Input, InputPart, Json, MessageId, NewMessage, Options,
    Output, Place, Refusal, RequestKey, Session, SessionId, Settings, Status, Timestamp, ToolCallId, TurnEnd,
    Usage, Verdict, What,
    data::{self, ApprovalKind, Decision, DeltaKind},
};
use serde_json::{Value, json};
use uuid::Uuid;

const THREAD: &str = "thread";

pub(crate) struct Play {
    session: Session,
    now: Timestamp,
    effects: Vec<Effect>,
    said: Vec<What>,
    asked: u128,
    finished_in: Option<String>,
    turns: Vec<String>,
}

impl Play {
    pub(crate) fn new(settings: Settings) -> Self {
        let mut session = Session::new(SessionId(Uuid::nil()));
        session.create(settings, Timestamp(0));
        Self {
            session,
            now: Timestamp(0),
            effects: Vec::new(),
            said: Vec::new(),
            asked: 1000,
            finished_in: None,
            turns: Vec::new(),
        }
    }

    /// With message 1 in this turn.
    pub(crate) fn running(turn: &str) -> Self {
        Self::running_with(turn, Settings::default())
    }

    pub(crate) fn running_with(turn: &str, settings: Settings) -> Self {
        let mut play = Self::new(settings);
        play.send(1);
        play.thread_ready();
        play.turn_starts(turn);
        play.effects();
        play
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    fn apply(&mut self, input: Input) -> Result<(), Refusal> {
        let Output { events, effects, .. } = self.session.apply(input, self.now)?;
        let finished = events.iter().rfind(|event| matches!(event.what, What::MessageFinished(_)));
        self.finished_in = finished.map_or(self.finished_in.take(), |event| event.turn_id.clone());
        let turns = events.iter().filter_map(|event| {
            let what = event.what.name().strip_prefix("turn.")?;
            Some(format!("{what} {}", event.turn_id.as_deref()?))
        });
        self.turns.extend(turns);
        self.said.extend(events.into_iter().map(|event| event.what));
        self.effects.extend(effects);
        Ok(())
    }

    pub(crate) fn hear(&mut self, heard: Heard) {
        self.apply(Input::Heard(heard)).unwrap();
    }

    pub(crate) fn tell(&mut self, command: Command) -> Result<(), Refusal> {
        self.apply(Input::Command(command))
    }

    pub(crate) fn send(&mut self, n: u128) {
        self.send_with(n, Options::default());
    }

    pub(crate) fn send_with(&mut self, n: u128, options: Options) {
        self.try_send(n, options).unwrap();
    }

    pub(crate) fn try_send(&mut self, n: u128, options: Options) -> Result<(), Refusal> {
        let input = vec![InputPart::Text { text: format!("message {n}") }];
        self.tell(Command::Send(Box::new(NewMessage { id: message(n), input, options, sender: None })))
    }

    pub(crate) fn interrupt(&mut self) {
        self.tell(Command::Interrupt { force: false }).unwrap();
    }

    pub(crate) fn kill(&mut self) {
        self.tell(Command::Interrupt { force: true }).unwrap();
    }

    pub(crate) fn stop(&mut self) {
        self.tell(Command::Stop).unwrap();
    }

    pub(crate) fn go(&mut self) {
        self.tell(Command::Start).unwrap();
    }

    pub(crate) fn thread_ready(&mut self) {
        self.hear(Heard::ThreadReady { thread_id: THREAD.into() });
    }

    pub(crate) fn turn_starts(&mut self, turn: &str) {
        self.hear(Heard::TurnStarted(place(turn)));
    }

    pub(crate) fn turn_ends(&mut self, turn: &str, status: Status) {
        self.hear(Heard::TurnEnded(place(turn), TurnEnd { status, error: None, text: None }));
    }

    pub(crate) fn item_starts(&mut self, turn: &str, item: Json) {
        self.hear(Heard::ItemStarted(place(turn), item));
    }

    pub(crate) fn item_completes(&mut self, turn: &str, item: Json) {
        self.hear(Heard::ItemCompleted(place(turn), item));
    }

    pub(crate) fn delta(&mut self, turn: &str, item: &str, delta: &str) {
        let (item_id, delta) = (item.to_owned(), delta.to_owned());
        self.hear(Heard::Delta { place: place(turn), item_id, kind: DeltaKind::Text, delta });
    }

    pub(crate) fn used(&mut self, turn: &str, total: u64) {
        self.used_with(place(turn), Usage { total, ..Usage::default() }, Usage::default());
    }

    pub(crate) fn used_with(&mut self, place: Place, total: Usage, last: Usage) {
        self.hear(Heard::Usage { place, total, last, context_window: Some(1_000) });
    }

    pub(crate) fn steered(&mut self, n: u128, joined: bool) {
        self.hear(Heard::Steered { message_id: message(n), joined });
    }

    pub(crate) fn process_gone(&mut self) {
        self.hear(Heard::ProcessGone { reason: "killed".into(), stderr_tail: String::new() });
    }

    pub(crate) fn verdict(&mut self, verdict: Verdict) {
        self.hear(Heard::Verdict(verdict));
    }

    pub(crate) fn asked(&mut self, turn: &str) -> ApprovalId {
        self.asked_for(place(turn), ApprovalKind::Command, json!({}))
    }

    pub(crate) fn asked_for(&mut self, place: Place, kind: ApprovalKind, request: Value) -> ApprovalId {
        self.asked += 1;
        let approval_id = ApprovalId(Uuid::from_u128(self.asked));
        self.hear(Heard::Asked {
            approval_id,
            key: RequestKey(self.asked.to_string()),
            place,
            item_id: None,
            kind,
            request: request.into(),
        });
        approval_id
    }

    pub(crate) fn tool_called(&mut self, turn: &str, key: &str) -> ToolCallId {
        self.asked += 1;
        let tool_call_id = ToolCallId(Uuid::from_u128(self.asked));
        self.hear(Heard::ToolCalled {
            tool_call_id,
            key: RequestKey(key.into()),
            place: place(turn),
            item_id: None,
            tool: "look".into(),
            arguments: json!({}).into(),
            timeout_seconds: None,
        });
        tool_call_id
    }

    pub(crate) fn answer_saying(&mut self, id: ApprovalId, decision: Decision, text: &str) {
        let (by, message) = ("somebody".into(), Some(text.to_owned()));
        self.tell(Command::Answer { approval_id: id, decision, by, message, content: None }).unwrap();
    }

    pub(crate) fn answer(&mut self, approval_id: ApprovalId, decision: Decision) -> Result<(), Refusal> {
        self.tell(Command::Answer {
            approval_id,
            decision,
            by: "somebody".into(),
            message: None,
            content: None,
        })
    }

    /// A session made only from what was recorded, as after a crash of ours.
    pub(crate) fn restarted(&self) -> Session {
        let text = serde_json::to_string(&self.session).unwrap();
        let read: Session = serde_json::from_str(&text).unwrap();
        assert_eq!(read, self.session, "a snapshot is what it was made of");
        read
    }

    /// Lets time pass, as a runtime would: waking when the session wants to be woken.
    pub(crate) fn wait(&mut self, milliseconds: i64) {
        let until = Timestamp(self.now.0 + milliseconds);
        while let Some(wake) = self.session.next_wake().filter(|wake| *wake <= until) {
            self.now = wake.max(self.now);
            self.apply(Input::Tick).unwrap();
        }
        self.now = until;
        self.apply(Input::Tick).unwrap();
    }

    pub(crate) fn last_effect(&self) -> Option<Effect> {
        self.effects.last().cloned()
    }

    /// What was to be done since the last time.
    pub(crate) fn effects(&mut self) -> Vec<String> {
        mem::take(&mut self.effects).iter().map(effect).collect()
    }

    /// How messages ended since the last time.
    pub(crate) fn ends(&mut self) -> Vec<String> {
        self.take(|what| match what {
            What::MessageFinished(it) => {
                let status = serde_json::to_value(it.status).unwrap();
                let code = it
                    .error
                    .as_ref()
                    .map(|error| error.code.clone())
                    .filter(|code| code != "outcome_unknown");
                let code = code.map(|code| format!(" ({code})")).unwrap_or_default();
                let steered = if it.steered_into.is_some() { " (steered)" } else { "" };
                Some(format!(
                    "{} {}: {}{code}{steered}",
                    it.message_id.0.as_u128(),
                    status.as_str()?,
                    it.text
                ))
            }
            _ => None,
        })
    }

    pub(crate) fn last_turn_of_a_finished_message(&self) -> Option<String> {
        self.finished_in.clone()
    }

    pub(crate) fn warnings(&mut self) -> Vec<String> {
        self.take(|what| match what {
            What::SessionWarning(it) => Some(it.code.clone()),
            _ => None,
        })
    }

    /// The ends of messages since the last time, whole.
    pub(crate) fn finished(&mut self) -> Vec<data::Finished> {
        let (ends, rest): (Vec<_>, Vec<_>) =
            mem::take(&mut self.said).into_iter().partition(|what| matches!(what, What::MessageFinished(_)));
        self.said = rest;
        let whole = |what| if let What::MessageFinished(it) = what { Some(it) } else { None };
        ends.into_iter().filter_map(whole).collect()
    }

    /// How approvals were settled since the last time.
    pub(crate) fn resolved(&mut self) -> Vec<String> {
        self.take(|what| match what {
            What::ApprovalResolved(it) => {
                Some(format!("{} by {}", serde_json::to_value(it.decision).unwrap().as_str()?, it.by))
            }
            _ => None,
        })
    }

    /// What calls of tools came to since the last time, in words.
    pub(crate) fn tool_answers(&mut self) -> Vec<String> {
        self.take(|what| match what {
            What::ToolResolved(it) => {
                let content: Value = serde_json::from_str(it.content.text()).unwrap();
                let words = content[0]["text"].as_str().or(content.as_str()).unwrap_or_default();
                Some(format!("{}: {words}", it.tool_call_id.0.as_u128()))
            }
            _ => None,
        })
    }

    /// How waiting messages were changed since the last time: what they say, how many are before them.
    pub(crate) fn edits(&mut self) -> Vec<String> {
        self.take(|what| match what {
            What::MessageUpdated(it) => {
                let says = it.input.as_ref().map(|input| format!(" says {}", text_of(input)));
                let after = it.position.map(|before| format!(" after {before}"));
                let changed = says.unwrap_or_default() + &after.unwrap_or_default();
                Some(format!("{}{changed}", it.message_id.0.as_u128()))
            }
            _ => None,
        })
    }

    /// The turns that began and ended since the last look.
    pub(crate) fn turns(&mut self) -> Vec<String> {
        mem::take(&mut self.turns)
    }

    /// Which items we closed since the last time, and why.
    pub(crate) fn closed(&mut self) -> Vec<String> {
        self.take(|what| match what {
            What::ItemCompleted(it) => {
                let id = serde_json::from_str::<serde_json::Value>(it.item.text()).unwrap()["id"].clone();
                it.closed.as_ref().map(|closed| format!("{} {closed}", id.as_str().unwrap_or_default()))
            }
            _ => None,
        })
    }

    /// Takes out what `pick` recognises.
    fn take(&mut self, pick: impl Fn(&What) -> Option<String>) -> Vec<String> {
        let (picked, rest): (Vec<_>, Vec<_>) =
            mem::take(&mut self.said).into_iter().partition(|what| pick(what).is_some());
        self.said = rest;
        picked.iter().filter_map(pick).collect()
    }
}

pub(crate) fn place(turn: &str) -> Place {
    Place { thread: THREAD.into(), turn: turn.into() }
}

pub(crate) fn child_place(turn: &str) -> Place {
    Place { thread: "child".into(), turn: turn.into() }
}

pub(crate) fn item(id: &str, kind: &str) -> Json {
    json!({"type": kind, "id": id}).into()
}

pub(crate) fn agent_message(id: &str, text: &str, phase: Option<&str>) -> Json {
    json!({"type": "agentMessage", "id": id, "text": text, "phase": phase}).into()
}

pub(crate) fn text_of(input: &[InputPart]) -> &str {
    match input {
        [InputPart::Text { text }] => text,
        _ => "",
    }
}

pub(crate) fn message(n: u128) -> MessageId {
    MessageId(Uuid::from_u128(n))
}

fn effect(effect: &Effect) -> String {
    match effect {
        Effect::EnsureThread => "EnsureThread".into(),
        Effect::Tell { turn_id, text } => format!("Tell {turn_id}: {text}"),
        Effect::KillProcess => "KillProcess".into(),
        Effect::Compact => "Compact".into(),
        Effect::Review(_) => "Review".into(),
        Effect::SetName(name) => format!("SetName {name}"),
        Effect::Archive => "Archive".into(),
        Effect::Unarchive => "Unarchive".into(),
        Effect::StartTurn { message_id, attempt, .. } => {
            format!("StartTurn {} #{attempt}", message_id.0.as_u128())
        }
        Effect::Steer { message_id, turn_id, .. } => {
            format!("Steer {} into {turn_id}", message_id.0.as_u128())
        }
        Effect::Interrupt { turn_id } => format!("Interrupt {turn_id}"),
        Effect::InterruptChild { thread_id, turn_id } => format!("Interrupt {turn_id} of {thread_id}"),
        Effect::AskTurn { .. } => "AskTurn".into(),
        Effect::Examine { steered: true, .. } => "Examine steered".into(),
        Effect::Examine { .. } => "Examine".into(),
        Effect::DropTurn { turn_id } => format!("DropTurn {turn_id}"),
        Effect::LeaveProcess => "LeaveProcess".into(),
        Effect::CleanTerminals => "CleanTerminals".into(),
        Effect::Answer { answer: Answer::Approval { decision, .. }, .. } => format!("Answer {decision:?}"),
        Effect::Answer { .. } => "AnswerTool".into(),
    }
}
