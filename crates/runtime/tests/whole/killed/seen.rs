//! One session, as those saw it who read it and sent to it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// What Codex waits for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Open {
    Approval(String),
    Tool(String),
}

/// How long it is to wait, in lives of the program; and whether it was answered in this one.
#[derive(Debug)]
struct Waiting {
    lives: u64,
    is_answered: bool,
}

/// A session.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) id: Option<String>,
    /// Each event's text as it came; the first has seq 1.
    pub(super) events: Vec<String>,
    /// What Codex waits for.
    open: BTreeMap<Open, Waiting>,
    asked: u64,
    /// Messages that were accepted and have not ended.
    pub(super) unended: BTreeSet<String>,
    /// Read from the beginning when everything was over.
    pub(super) again: Vec<String>,
    /// How it stands then.
    pub(super) summary: Value,
}

impl Seen {
    /// Takes the next event, and says what it is.
    pub(super) fn take(&mut self, text: &str) -> Value {
        let event: Value = serde_json::from_str(text).unwrap();
        let due = self.events.len() as u64 + 1;
        assert_eq!(event["seq"], due, "no gap, no repeat: {event}");
        self.events.push(text.to_owned());
        let data = &event["data"];
        let id = |name: &str| data[name].as_str().unwrap().to_owned();
        match event["type"].as_str().unwrap() {
            "message.accepted" => _ = self.unended.insert(id("message_id")),
            "message.finished" => _ = self.unended.remove(&id("message_id")),
            "approval.requested" => self.waits(Open::Approval(id("approval_id"))),
            "approval.resolved" => _ = self.open.remove(&Open::Approval(id("approval_id"))),
            "tool.requested" => self.waits(Open::Tool(id("tool_call_id"))),
            "tool.resolved" => _ = self.open.remove(&Open::Tool(id("tool_call_id"))),
            _ => {}
        }
        event
    }
    /// Some questions are answered at once, some by the next program, some by the one after that.
    fn waits(&mut self, open: Open) {
        self.asked += 1;
        self.open
            .insert(open, Waiting { lives: [0, 1, 0, 2][(self.asked % 4) as usize], is_answered: false });
    }

    /// Whether somebody is asked, and nobody has answered.
    pub(super) fn is_asked(&self) -> bool {
        self.open.values().any(|waiting| !waiting.is_answered)
    }

    /// What is to be answered now.
    pub(super) fn due(&mut self, all: bool) -> Vec<Open> {
        let due =
            self.open.iter_mut().filter(|(_, waiting)| !waiting.is_answered && (all || waiting.lives == 0));
        let answered = due.map(|(open, waiting)| {
            waiting.is_answered = true;
            open.clone()
        });
        answered.collect()
    }

    /// Another program: nobody knows whether the one before took an answer.
    pub(super) fn another_life(&mut self) {
        for waiting in self.open.values_mut() {
            waiting.lives = waiting.lives.saturating_sub(1);
            waiting.is_answered = false;
        }
    }
}
