//! Whatever people say, Codex says and breaks, in whatever order: these hold.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::too_many_lines, reason = "a table of what can happen")]

#[path = "properties/seen.rs"]
mod seen;
#[path = "properties/steps.rs"]
mod steps;

use std::collections::BTreeMap;

use proptest::prelude::*;
use seen::Seen;
use selvedge_session::{
    ApprovalId, BusyPolicy, Code, Command, Effect, Event, Fact, Failure, Heard, Input, InputPart, Json,
    MessageId, NewMessage, Options, Output, Patch, Phase, Place, Price, RequestKey, Retry, Session,
    SessionId, Settings, Status, ThreadSource, Timestamp, ToolCallId, TurnEnd, Usage, Verdict,
    data::DeltaKind,
};
use serde_json::json;
use steps::{Step, settings, steps};
use uuid::Uuid;

const CHILD: &str = "child";

/// A session, and everything an observer has seen of it.
struct Watched {
    session: Session,
    /// Built only from what was recorded.
    replayed: Session,
    now: Timestamp,
    seen: Seen,
    ids: u128,
    used: BTreeMap<String, u64>,
    /// The session's own thread: another one after a fork.
    own: String,
    forks: u32,
}

impl Watched {
    fn new(settings: Settings) -> Self {
        let id = SessionId(Uuid::from_u128(1));
        let mut watched = Self {
            session: Session::new(id),
            replayed: Session::new(id),
            now: Timestamp(1_000_000),
            seen: Seen::default(),
            ids: 100,
            used: BTreeMap::new(),
            own: "own".into(),
            forks: 0,
        };
        let output = watched.session.create(settings, watched.now);
        watched.observe(&output);
        watched
    }

    fn apply(&mut self, input: Input) {
        let before = self.session.clone();
        match self.session.apply(input, self.now) {
            Ok(output) => self.observe(&output),
            Err(_refusal) => assert_eq!(self.session, before, "a refused command changes nothing"),
        }
        assert_eq!(self.session, self.replayed, "the records say what the session is");
        self.assert_wakes();
        assert!(self.seen.usage <= self.used.values().sum(), "usage is never counted twice");
    }

    /// Whoever wakes the session when it wants is never wanted at once again: no storm of ticks.
    fn assert_wakes(&mut self) {
        if self.session.next_wake().is_none_or(|wake| wake > self.now) {
            return;
        }
        for _ in 0..4 {
            let output = self.session.apply(Input::Tick, self.now).unwrap();
            self.observe(&output);
        }
        assert!(self.session.next_wake().is_none_or(|wake| wake > self.now), "{:?}", self.session);
    }

    /// What was written, read again: a start after a crash has nothing else.
    fn restart(&mut self) {
        let text = serde_json::to_string(&self.session).unwrap();
        let read: Session = serde_json::from_str(&text).unwrap();
        assert_eq!(read, self.session, "a snapshot is what it was made of");
        self.session = read;
    }

    fn observe(&mut self, output: &Output) {
        let facts: Vec<(usize, Fact)> =
            serde_json::from_str(&serde_json::to_string(&output.facts).unwrap()).unwrap();
        self.replayed.replay(&output.events, &facts, self.now);
        for event in &output.events {
            assert_eq!(event.seq, self.seen.last_seq + 1, "dense");
            self.seen.last_seq = event.seq;
            let text = serde_json::to_string(event).unwrap();
            assert_eq!(
                &serde_json::from_str::<Event>(&text).unwrap(),
                event,
                "it is what it is written as: {text}"
            );
            self.seen.event(event);
        }
        for effect in &output.effects {
            self.seen.effect(effect);
        }
    }

    fn fresh(&mut self) -> Uuid {
        self.ids += 1;
        Uuid::from_u128(self.ids)
    }

    fn step(&mut self, step: &Step) {
        let finished_before = self.seen.finished.len();
        let child_ends = matches!(step, Step::TurnEnded(false, ..));
        if let Some(input) = self.input(step) {
            self.apply(input);
        }
        if child_ends {
            assert_eq!(self.seen.finished.len(), finished_before, "a sub-agent never ends its parent");
        }
    }

    fn input(&mut self, step: &Step) -> Option<Input> {
        let heard = |heard| Some(Input::Heard(heard));
        let command = |command| Some(Input::Command(command));
        match *step {
            Step::Send(policy, own_model) => {
                let id = MessageId(self.fresh());
                let mut options = Options { busy_policy: Some(policy), ..Options::default() };
                options.price = own_model.then(|| Price { input: 2.5, output: 10.0, ..Price::default() });
                options.model = own_model.then(|| "another".to_owned());
                options.queue_seconds = self.ids.is_multiple_of(5).then_some(100);
                options.retry =
                    [Retry::Safe, Retry::Always, Retry::Never][usize::try_from(self.ids % 3).unwrap()];
                let plain = policy == BusyPolicy::Queue && options.queue_seconds.is_none();
                if plain {
                    self.seen.plain.insert(id);
                }
                let input = vec![InputPart::Text { text: format!("message {}", self.ids) }];
                command(Command::Send(Box::new(NewMessage { id, input, options, sender: None })))
            }
            Step::TakeBack(n) => command(Command::TakeBack(*self.seen.accepted.get(usize::from(n))?)),
            Step::Edit(n, position) => {
                let message_id = *self.seen.accepted.get(usize::from(n))?;
                // Moved: its place in the order is no longer the one in which it came.
                self.seen.plain.clear();
                let input = vec![InputPart::Text { text: "edited".into() }];
                command(Command::Edit {
                    message_id,
                    input: Some(input),
                    position: Some(usize::from(position)),
                })
            }
            Step::Interrupt(force) => command(Command::Interrupt { force }),
            Step::Compact => command(Command::Compact),
            Step::Review => command(Command::Review(json!({}).into())),
            Step::Rename(n) => command(Command::Update(Box::new(Patch {
                name: Some(format!("name {n}")),
                ..Patch::default()
            }))),
            Step::Archive(true) => command(Command::Archive),
            Step::Archive(false) => command(Command::Unarchive),
            Step::Named(n, told) => heard(Heard::Named { name: format!("name {n}"), told }),
            Step::PutAway(away) => heard(Heard::PutAway { away }),
            Step::Stop => command(Command::Stop),
            Step::Start => command(Command::Start),
            Step::Answer(n, decision, says) => {
                let approval_id = ApprovalId(*self.seen.asked.get(usize::from(n))?);
                command(Command::Answer {
                    approval_id,
                    decision,
                    by: "test".into(),
                    message: says.then(|| "not like that".into()),
                    content: None,
                })
            }
            Step::AnswerTool(n) => {
                let tool_call_id = ToolCallId(*self.seen.asked.get(usize::from(n))?);
                command(Command::AnswerTool { tool_call_id, success: true, content: json!([]).into() })
            }
            Step::ThreadReady(another) => Some(self.thread_ready(another)),
            Step::ThreadFailed => heard(Heard::ThreadFailed(failure())),
            Step::StartUnanswered => heard(Heard::StartUnanswered),
            Step::Told(turn, reached) => heard(Heard::Told { turn_id: turn_id(turn), reached }),
            Step::Accepted(turn) => heard(Heard::TurnAccepted { turn_id: turn_id(turn) }),
            Step::Refused => heard(Heard::TurnRefused(failure())),
            Step::Steered(n, joined) => {
                let message_id = *self.seen.accepted.get(usize::from(n))?;
                self.seen.in_doubt.remove(&message_id);
                heard(Heard::Steered { message_id, joined })
            }
            Step::SteerUnanswered(n) => {
                heard(Heard::SteerUnanswered { message_id: *self.seen.accepted.get(usize::from(n))? })
            }
            Step::TurnStarted(own, turn) => heard(Heard::TurnStarted(self.place(own, turn))),
            Step::TurnEnded(own, turn, status) => heard(Heard::TurnEnded(self.place(own, turn), end(status))),
            Step::ItemStarted(own, turn, item, message) => {
                heard(Heard::ItemStarted(self.place(own, turn), item_json(item, message)))
            }
            Step::ItemCompleted(own, turn, item, message) => {
                heard(Heard::ItemCompleted(self.place(own, turn), item_json(item, message)))
            }
            Step::Delta(turn, item) => heard(Heard::Delta {
                place: self.place(true, turn),
                item_id: format!("item-{item}"),
                kind: DeltaKind::Text,
                delta: "x".into(),
            }),
            Step::Usage(own, turn, added) => {
                let place = self.place(own, turn);
                let total = self.used.entry(place.thread.clone()).or_default();
                *total += u64::from(added);
                let total = Usage { total: *total, input: *total, ..Usage::default() };
                let last = Usage { total: u64::from(added), input: u64::from(added), ..Usage::default() };
                heard(Heard::Usage { place, total, last, context_window: Some(1000) })
            }
            Step::UserMessage(turn, n) => {
                let id = *self.seen.accepted.get(usize::from(n))?;
                let item = json!({"type": "userMessage", "id": format!("u{n}"), "clientId": id.to_string()});
                heard(Heard::ItemCompleted(self.place(true, turn), item.into()))
            }
            Step::Asked(own, turn, kind) => {
                let id = self.fresh();
                self.seen.asked.push(id);
                heard(Heard::Asked {
                    approval_id: ApprovalId(id),
                    key: RequestKey((self.ids % 4).to_string()),
                    place: self.place(own, turn),
                    item_id: None,
                    kind,
                    request: json!({}).into(),
                })
            }
            Step::ToolCalled(turn) => {
                let id = self.fresh();
                self.seen.asked.push(id);
                heard(Heard::ToolCalled {
                    tool_call_id: ToolCallId(id),
                    key: RequestKey((self.ids % 4).to_string()),
                    place: self.place(true, turn),
                    item_id: None,
                    tool: "look".into(),
                    arguments: json!({}).into(),
                    timeout_seconds: Some(30),
                })
            }
            Step::Withdrawn(n) => heard(Heard::Withdrawn(RequestKey(n.to_string()))),
            Step::Trouble(turn, will_retry) => {
                heard(Heard::Trouble { place: self.place(true, turn), will_retry, failure: failure() })
            }
            Step::Idle => heard(Heard::Idle),
            Step::InterruptAnswered(not_started) => heard(Heard::InterruptAnswered { not_started }),
            Step::Verdict(n) => heard(Heard::Verdict(verdict(n))),
            Step::ProcessGone => {
                heard(Heard::ProcessGone { reason: "killed".into(), stderr_tail: String::new() })
            }
            Step::ProcessBack => heard(Heard::ProcessBack { attempt: 1, version: None }),
            Step::Warning => heard(Heard::Warning {
                code: Code::PolicyReplaced,
                message: "another policy".into(),
                hint: None,
            }),
            Step::GaveUp => heard(Heard::GaveUp("too many".into())),
            Step::Wait(ms) => {
                self.now.0 += i64::from(ms);
                Some(Input::Tick)
            }
        }
    }

    fn place(&self, own: bool, turn: u8) -> Place {
        let thread = if own { self.own.clone() } else { CHILD.into() };
        Place { thread, turn: turn_id(turn) }
    }

    /// The thread as its source says; or another one, because it could not be loaded.
    fn thread_ready(&mut self, another: bool) -> Input {
        let fork = matches!(self.session.thread_source(), ThreadSource::Fork { .. });
        if fork || (another && !self.session.thread_ready()) {
            self.forks += 1;
            self.own = format!("own {}", self.forks);
        }
        Input::Heard(Heard::ThreadReady { thread_id: self.own.clone() })
    }

    /// Plays a Codex that does its part, until nothing is left to do. Then every message must have ended, and
    /// every errand is done.
    fn bring_to_an_end(&mut self) {
        self.restart();
        self.apply(Input::Command(Command::Unarchive));
        self.apply(Input::Command(Command::Start));
        for turn in (10..14_u8).cycle().take(100) {
            let effects = self.session.unfinished();
            let adrift: Vec<_> =
                self.seen.accepted.iter().filter(|id| !self.seen.finished.contains(id)).copied().collect();
            if adrift.is_empty() && !self.session.has_errands() {
                return;
            }
            for effect in effects {
                self.respond(&effect, turn);
            }
            // A turn that runs without anything to be done by us: it ends by itself, or by silence and the interrupt.
            for id in adrift {
                self.seen.in_doubt.remove(&id);
                self.apply(Input::Heard(Heard::Steered { message_id: id, joined: false }));
            }
            self.end_running_turns();
            self.apply(Input::Command(Command::Start));
        }
        panic!("never ended: {:?}", self.session);
    }

    fn respond(&mut self, effect: &Effect, turn: u8) {
        match effect {
            Effect::EnsureThread => {
                let ready = self.thread_ready(false);
                self.apply(ready);
            }
            Effect::Compact | Effect::Review(_) => {
                self.apply(Input::Heard(Heard::TurnStarted(self.place(true, turn))));
                self.apply(Input::Heard(Heard::TurnEnded(self.place(true, turn), end(Status::Completed))));
            }
            Effect::SetName(name) => {
                self.apply(Input::Heard(Heard::Named { name: name.clone(), told: true }));
            }
            Effect::Archive => self.apply(Input::Heard(Heard::PutAway { away: true })),
            Effect::Unarchive => self.apply(Input::Heard(Heard::PutAway { away: false })),
            Effect::KillProcess => {
                let (reason, stderr_tail) = ("killed".into(), String::new());
                self.apply(Input::Heard(Heard::ProcessGone { reason, stderr_tail }));
            }
            Effect::StartTurn { .. } => {
                self.apply(Input::Heard(Heard::TurnAccepted { turn_id: turn_id(turn) }));
                self.apply(Input::Heard(Heard::TurnStarted(self.place(true, turn))));
                self.apply(Input::Heard(Heard::TurnEnded(self.place(true, turn), end(Status::Completed))));
            }
            Effect::Examine { .. } => self.apply(Input::Heard(Heard::Verdict(Verdict::Unknown))),
            Effect::Interrupt { turn_id } => {
                let place = Place { thread: self.own.clone(), turn: turn_id.clone() };
                self.apply(Input::Heard(Heard::TurnEnded(place, end(Status::Interrupted))));
            }
            _ => {}
        }
    }

    fn end_running_turns(&mut self) {
        for turn in (0..4).chain(10..14) {
            let place = self.place(true, turn);
            self.apply(Input::Heard(Heard::TurnStarted(place.clone())));
            self.apply(Input::Heard(Heard::TurnEnded(place, end(Status::Completed))));
        }
    }
}

fn turn_id(turn: u8) -> String {
    format!("turn-{turn}")
}

fn end(status: Status) -> TurnEnd {
    TurnEnd { status, error: (status == Status::Failed).then(failure), text: None }
}

fn failure() -> Failure {
    Failure {
        phase: Phase::Response,
        code: "other".into(),
        message: "it broke".into(),
        hint: None,
        details: None,
    }
}

fn item_json(item: u8, message: bool) -> Json {
    let kind = if message { "agentMessage" } else { "commandExecution" };
    json!({"type": kind, "id": format!("item-{item}"), "text": "said"}).into()
}

fn verdict(n: u8) -> Verdict {
    match n {
        0 => Verdict::InProgress { turn_id: None },
        1 => Verdict::Ended(end(Status::Completed)),
        2 => Verdict::NeverReached,
        6 => Verdict::InProgress { turn_id: Some(turn_id(1)) },
        7 => Verdict::InProgress { turn_id: Some(turn_id(2)) },
        3 => Verdict::Cut { acted: true },
        4 => Verdict::Cut { acted: false },
        _ => Verdict::Unknown,
    }
}

/// `PROPTEST_CASES`, if somebody wants more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_turn_is_left_behind(settings in settings(), steps in steps()) {
        let mut watched = Watched::new(settings);
        for step in &steps {
            watched.step(step);
        }
        watched.bring_to_an_end();
        watched.seen.assert_order();
    }
}
