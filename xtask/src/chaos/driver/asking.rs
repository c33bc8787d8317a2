//! Commands to the host: what was asked, so that its answer is understood, and asked again after a kill.

use serde_json::{Value, json};

use super::{Deed, Driver};
use crate::chaos::ledger::GivenAnswer;
use crate::chaos::plan::Kind;

/// What nobody answers ends by itself.
const APPROVAL_SECONDS: u64 = 6;
const TOOL_SECONDS: u64 = 6;

/// A command that waits for its answer.
#[derive(Debug, Clone)]
pub(super) enum Asked {
    Create(usize),
    Send(usize),
    Follow(usize),
    Answer {
        session: usize,
        approval: String,
        place: usize,
    },
    /// All events after a number, at the end.
    Read(usize),
    /// Nobody depends on it.
    Other(&'static str),
}

impl Asked {
    /// Somebody waits for what comes of it.
    pub(super) fn has_to_be_answered(&self) -> bool {
        matches!(self, Self::Create(_) | Self::Send(_))
    }
}

impl Driver<'_> {
    pub(super) fn ask(&mut self, asked: Asked, mut command: Value) {
        let id = self.number();
        command["id"] = json!(id);
        self.asked.insert(id, asked);
        self.host.say(&command);
    }

    /// After a kill nobody knows whether it was done. Keys make it safe to ask again.
    pub(super) fn ask_again(&mut self, asked: Asked) {
        match asked {
            Asked::Create(session) => self.create(session),
            Asked::Send(message) => self.send(message),
            Asked::Answer { session, approval, place } => {
                let given = &self.ledger.answers[&approval][place];
                self.answer(session, &approval, given.decision);
            }
            Asked::Follow(_) | Asked::Read(_) | Asked::Other(_) => {}
        }
    }

    pub(super) fn create(&mut self, session: usize) {
        let planned = &self.plan.sessions[session];
        let key = format!("make {}", planned.token);
        let Some(parent) = planned.parent else {
            let command = json!({
                "op": "create", "key": key, "env": self.world.environment(planned.environment),
                "settings": {
                    "cwd": self.world.work(session), "busy_policy": planned.busy, "on_lost": planned.on_lost,
                    "isolation": if planned.isolated { "isolated" } else { "shared" },
                    "approval_policy": if planned.asks { "untrusted" } else { "never" }, "sandbox": "danger-full-access",
                    "approval_timeout_seconds": APPROVAL_SECONDS, "tools": [lookup()],
                },
            });
            return self.ask(Asked::Create(session), command);
        };
        match self.ledger.sessions[parent].id.clone() {
            Some(parent) => {
                self.ask(Asked::Create(session), json!({ "op": "fork", "session": parent, "key": key }));
            }
            None => self.when_made[parent].push(Deed::Create(session)),
        }
    }

    pub(super) fn send(&mut self, message: usize) {
        self.enqueue(message);
        let planned = &self.plan.messages[message];
        let Some(session) = self.ledger.sessions[planned.session].id.clone() else {
            // It has its room already.
            self.when_made[planned.session].push(Deed::SendAgain(message));
            return;
        };
        let mut command = json!({
            "op": "send", "session": session, "key": planned.token, "retry": planned.retry,
            "text": format!("{} [{}]", planned.token, word(planned.kind)),
        });
        if let Some(busy) = planned.busy {
            command["busy_policy"] = json!(busy);
        }
        self.ask(Asked::Send(message), command);
    }

    pub(super) fn answer(&mut self, session: usize, approval: &str, decision: &'static str) {
        let Some(id) = self.ledger.sessions[session].id.clone() else { return };
        let given = self.ledger.answers.entry(approval.to_owned()).or_default();
        let place = given.len();
        given.push(GivenAnswer { decision, taken: None });
        let command = json!({ "op": "answer", "session": id, "approval": approval, "decision": decision });
        self.ask(Asked::Answer { session, approval: approval.to_owned(), place }, command);
    }

    pub(super) fn answer_tool(&mut self, session: usize, call: &str) {
        let Some(id) = self.ledger.sessions[session].id.clone() else { return };
        let command = json!({
            "op": "answer_tool", "session": id, "tool_call": call, "success": true,
            "content": [{ "type": "text", "text": "found" }],
        });
        self.ask(Asked::Other("answer_tool"), command);
    }

    pub(super) fn say_start(&mut self, session: usize) {
        let Some(id) = self.ledger.sessions[session].id.clone() else { return };
        self.ask(Asked::Other("start"), json!({ "op": "start", "session": id }));
    }

    /// Opens a reader after the last event seen; the one before it, if any, is not listened to any more.
    pub(super) fn follow(&mut self, session: usize) {
        let Some(id) = self.ledger.sessions[session].id.clone() else { return };
        let reader = self.number();
        self.readers[session] = Some(reader);
        let after = self.ledger.sessions[session].events.len();
        let command = json!({ "op": "follow", "session": id, "after": after, "reader": reader });
        self.ask(Asked::Follow(session), command);
    }
}

/// The word in brackets that the scenario knows a kind by.
fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Say => "say",
        Kind::SlowSay => "slow say",
        Kind::Command => "command",
        Kind::SlowCommand => "slow command",
        Kind::TwoCommands => "two commands",
        Kind::Tool => "tool",
    }
}

/// The tool that every session has.
fn lookup() -> Value {
    json!({
        "name": "lookup", "description": "Looks something up.", "timeout_seconds": TOOL_SECONDS,
        "input_schema": {
            "type": "object", "properties": { "id": { "type": "string" } }, "required": ["id"],
            "additionalProperties": false,
        },
    })
}
