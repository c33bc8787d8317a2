//! Talks with several sessions at once through a program that it kills, and starts again, and kills.

use std::{
    collections::BTreeMap,
    fs,
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use tokio::time::timeout;

use super::{
    dice::Dice,
    output::Output,
    point::{Happened, Point},
    scenario::{self, Kind},
    seen::{Open, Seen},
};
use crate::{
    host::Host,
    setup::Scene,
    stage::{marked, named, until},
};

const SESSIONS: usize = 6;
/// So many messages of one session may wait for their ends.
const AT_ONCE: usize = 2;
/// Longer than this no program lives, whatever it was to wait for.
const LONGEST_LIFE: Duration = Duration::from_secs(3);
/// How often the logs are copied.
const COPIED: Duration = Duration::from_millis(250);

/// A message that was sent.
pub(super) struct Sent {
    pub(super) session: usize,
    pub(super) token: String,
    pub(super) kind: Kind,
    busy: &'static str,
    /// What it was called when it was accepted.
    pub(super) id: Option<String>,
}

/// A command without an answer.
#[derive(Clone)]
enum Asked {
    Create(usize),
    Send(usize),
    Answer,
    Interrupt,
    Follow,
}

/// A line of the program's.
#[derive(Deserialize)]
struct Line<'a> {
    reader: Option<usize>,
    #[serde(borrow)]
    event: Option<&'a RawValue>,
    id: Option<u64>,
    #[serde(borrow)]
    ok: Option<&'a RawValue>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
}

/// What everything came to.
pub(super) struct Ended {
    pub(super) sessions: Vec<Seen>,
    pub(super) messages: Vec<Sent>,
    pub(super) output: Output,
    /// What the commands wrote.
    pub(super) ran: Vec<String>,
}

pub(super) struct Driver {
    scene: Scene,
    seed: u64,
    is_real: bool,
    host: Option<Host>,
    lives: u64,
    begun: Instant,
    happened: Happened,
    sessions: Vec<Seen>,
    messages: Vec<Sent>,
    asked: BTreeMap<u64, Asked>,
    /// No more is sent, and every question is answered at once.
    is_closing: bool,
    answers: u64,
    turns: u64,
    output: Output,
    copied: Instant,
}

impl Driver {
    pub(super) fn new(scene: Scene, seed: u64, is_real: bool) -> Self {
        let output = Output::of(&scene.config.data_dir);
        Self {
            scene,
            seed,
            is_real,
            host: None,
            lives: 0,
            begun: Instant::now(),
            happened: Happened::default(),
            sessions: (0..SESSIONS).map(|_| Seen::default()).collect(),
            messages: Vec::new(),
            asked: BTreeMap::new(),
            is_closing: false,
            answers: 0,
            turns: 0,
            output,
            copied: Instant::now(),
        }
    }

    /// Starts the program, and kills it at some point.
    pub(super) async fn live_and_be_killed(&mut self) {
        let point = Point::any(&mut Dice::of(self.seed, "life", self.lives));
        self.begin_to_live().await;
        while !point.is_reached(&self.happened, self.begun.elapsed()) && self.begun.elapsed() < LONGEST_LIFE {
            self.listen().await;
            self.keep_busy().await;
        }
        let last_words = self.host.take().unwrap().killed().await;
        for line in last_words {
            self.hear(&line).await;
        }
        self.output.copy();
    }

    /// Waits until all messages have ended, reads everything again, and lets the program end.
    pub(super) async fn bring_to_an_end(mut self) -> Ended {
        self.is_closing = true;
        self.begin_to_live().await;
        let waits = |asked: &Asked| matches!(asked, Asked::Create(_) | Asked::Send(_));
        while self.asked.values().any(waits)
            || self.sessions.iter().any(|session| !session.unended.is_empty())
        {
            self.listen().await;
            self.keep_busy().await;
        }
        self.read_again().await;
        self.host.take().unwrap().leave().await;
        self.output.copy();
        let directory = self.scene.directory.path();
        // The next one only ends what is there.
        Host::on(directory, &self.scene.config).close().await;
        let relays: Vec<_> = fs::read_dir(self.scene.config.data_dir.join("relays")).unwrap().collect();
        assert!(relays.is_empty(), "{relays:?}");
        until(|| marked(directory).is_empty() && named(directory).is_empty()).await;
        let ran = fs::read_to_string(self.work().join("ran.txt")).unwrap_or_default();
        let ran = ran.lines().map(str::to_owned).collect();
        if let Some(model) = self.scene.model {
            model.stop().await.unwrap();
        }
        Ended { sessions: self.sessions, messages: self.messages, output: self.output, ran }
    }

    fn work(&self) -> std::path::PathBuf {
        self.scene.directory.path().join("work")
    }

    /// The next program on the same data: readers go on, and what was not answered is asked again.
    async fn begin_to_live(&mut self) {
        self.lives += 1;
        self.happened = Happened::default();
        self.begun = Instant::now();
        self.host = Some(Host::on(self.scene.directory.path(), &self.scene.config));
        let unanswered = std::mem::take(&mut self.asked);
        for session in 0..self.sessions.len() {
            self.sessions[session].another_life();
            match self.sessions[session].id {
                Some(_) => self.follow(session).await,
                None => self.create(session).await,
            }
        }
        for asked in unanswered.into_values() {
            if let Asked::Send(message) = asked {
                self.send(message).await;
            }
        }
    }

    /// Hears one line, if there is one soon.
    async fn listen(&mut self) {
        let soon = timeout(Duration::from_millis(5), self.host.as_mut().unwrap().hear()).await;
        if let Ok(line) = soon {
            let line = line.expect("the program lives until it is killed");
            self.hear(&line).await;
        }
        if self.copied.elapsed() > COPIED {
            self.copied = Instant::now();
            self.output.copy();
        }
    }

    /// What a dying program had said only half was said to nobody.
    async fn hear(&mut self, line: &str) {
        let Ok(line) = serde_json::from_str::<Line<'_>>(line) else { return };
        match (line.reader, line.event, line.id) {
            (Some(session), Some(event), _) => self.hear_event(session, event.get()).await,
            (_, _, Some(id)) => {
                let Some(asked) = self.asked.remove(&id) else { return };
                self.hear_answer(asked, line.ok.map(RawValue::get), line.error).await;
            }
            _ => {}
        }
    }

    async fn hear_event(&mut self, session: usize, text: &str) {
        let event = self.sessions[session].take(text);
        self.happened.event(&event, self.sessions[session].is_asked());
        if event["type"] == "turn.started" && event["thread_id"].is_null() {
            self.turns += 1;
            if !self.is_closing && Dice::of(self.seed, "turn", self.turns).percent(8) {
                self.interrupt(session).await;
            }
        }
    }

    async fn hear_answer(&mut self, asked: Asked, ok: Option<&str>, error: Option<Value>) {
        let ok: Value = ok.map(|ok| serde_json::from_str(ok).unwrap()).unwrap_or_default();
        match asked {
            Asked::Create(session) => {
                self.sessions[session].id = Some(ok["session"].as_str().unwrap().to_owned());
                if self.host.is_some() {
                    self.follow(session).await;
                }
            }
            Asked::Send(message) => {
                let message = &mut self.messages[message];
                let id = ok["message"].as_str().unwrap_or_else(|| panic!("{}: {error:?}", message.token));
                let id = message.id.get_or_insert_with(|| id.to_owned()).clone();
                assert_eq!(ok["message"], id.as_str(), "one key, one message");
                self.happened.is_accepted = true;
            }
            // Somebody's answer before a kill may have been taken: then this one came too late.
            Asked::Answer | Asked::Interrupt => {}
            Asked::Follow => assert_eq!(error, None),
        }
    }

    /// Each session has something to do, and what waits long enough is answered.
    async fn keep_busy(&mut self) {
        if self.host.is_none() {
            return;
        }
        for session in 0..self.sessions.len() {
            if self.sessions[session].id.is_none() {
                continue;
            }
            self.answer_questions(session).await;
            let unanswered =
                |asked: &&Asked| matches!(asked, Asked::Send(m) if self.messages[*m].session == session);
            let sent = self.asked.values().filter(unanswered).count();
            if !self.is_closing && sent == 0 && self.sessions[session].unended.len() < AT_ONCE {
                self.send_another(session).await;
            }
        }
    }

    async fn answer_questions(&mut self, session: usize) {
        let due: Vec<Open> = self.sessions[session].due(self.is_closing);
        for open in due {
            self.answers += 1;
            let mut dice = Dice::of(self.seed, "answer", self.answers);
            let decision = dice.pick(&[("accept", 78), ("decline", 14), ("cancel", 8)]);
            let id = self.sessions[session].id.clone().unwrap();
            let command = match &open {
                Open::Approval(approval) => {
                    json!({"op": "answer", "session": id, "approval": approval, "decision": decision})
                }
                Open::Tool(call) => json!({
                    "op": "answer_tool", "session": id, "tool_call": call, "success": true,
                    "content": [{"type": "text", "text": "found"}],
                }),
            };
            self.ask(Asked::Answer, command).await;
            self.happened.is_answered = true;
        }
    }

    async fn send_another(&mut self, session: usize) {
        let number = self.messages.len();
        let mut dice = Dice::of(self.seed, "message", number as u64);
        let kind = Kind::any(&mut dice, self.is_real);
        let busy = dice.pick(&[("queue", 60), ("steer", 25), ("interrupt", 15)]);
        self.messages.push(Sent { session, token: format!("k{number:04}"), kind, busy, id: None });
        self.send(number).await;
        self.happened.is_sent = true;
    }

    async fn send(&mut self, message: usize) {
        let Sent { session, token, kind, busy, .. } = &self.messages[message];
        let id = &self.sessions[*session].id;
        let command = json!({
            "op": "send", "session": id, "key": token, "text": kind.text(token), "busy_policy": busy,
        });
        self.ask(Asked::Send(message), command).await;
    }

    async fn create(&mut self, session: usize) {
        let settings = scenario::settings(session, &self.work());
        let key = format!("session {session}");
        let command = json!({"op": "create", "key": key, "env": {}, "settings": settings});
        self.ask(Asked::Create(session), command).await;
    }

    async fn follow(&mut self, session: usize) {
        let Seen { id, events, .. } = &self.sessions[session];
        let command = json!({"op": "follow", "session": id, "after": events.len(), "reader": session});
        self.ask(Asked::Follow, command).await;
    }

    async fn interrupt(&mut self, session: usize) {
        if self.host.is_some() {
            let command = json!({"op": "interrupt", "session": self.sessions[session].id});
            self.ask(Asked::Interrupt, command).await;
        }
    }

    async fn ask(&mut self, asked: Asked, command: Value) {
        let id = self.host.as_mut().unwrap().say(command).await;
        self.asked.insert(id, asked);
    }

    /// Everything from the first event on, and how the sessions stand.
    async fn read_again(&mut self) {
        let host = self.host.as_mut().unwrap();
        for session in &mut self.sessions {
            loop {
                let after = session.again.len();
                let command = json!({"op": "events", "session": session.id, "after": after, "limit": 1000});
                let page = host.ask_raw(command).await;
                let page: Page<'_> = serde_json::from_str(&page).unwrap();
                if page.events.is_empty() {
                    break;
                }
                session.again.extend(page.events.iter().map(|event| event.get().to_owned()));
            }
            session.summary = host.ask(json!({"op": "summary", "session": session.id})).await;
        }
    }
}
