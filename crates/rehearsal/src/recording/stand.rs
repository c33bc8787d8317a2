//! How the threads of a recording stand in the moment that is played: what a client may ask that nobody asked then.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::script::Say;

/// How everything stands.
#[derive(Debug, Default)]
pub(super) struct Stand {
    /// What was answered when each thread was opened.
    open: BTreeMap<String, Value>,
    /// The turns of each thread, the newest last.
    turns: HashMap<String, Vec<Value>>,
}

impl Stand {
    pub(super) fn opened(&mut self, thread: &str, result: Value) {
        self.open.insert(thread.to_owned(), result);
    }

    /// A turn was accepted.
    pub(super) fn begun(&mut self, thread: &str, turn: &Value) {
        if turn["id"].is_string() {
            let mut turn = turn.clone();
            turn["status"] = json!("inProgress");
            self.turns.entry(thread.to_owned()).or_default().push(turn);
        }
    }

    /// A line was said.
    pub(super) fn said(&mut self, say: &Say) {
        let turn = &say.message["params"]["turn"];
        let turns = self.turns.entry(say.thread().to_owned());
        match say.method() {
            "turn/started" | "turn/completed" => {
                let turns = turns.or_default();
                turns.retain(|other| other["id"] != turn["id"]);
                turns.push(turn.clone());
            }
            _ => {}
        }
    }

    /// The turn that runs in a thread.
    pub(super) fn running(&self, thread: &str) -> Option<&Value> {
        self.turns.get(thread)?.iter().rfind(|turn| turn["status"] == "inProgress")
    }

    /// How a turn that will not go on is ended.
    pub(super) fn interrupt(&mut self, thread: &str) -> Option<String> {
        let mut turn = self.running(thread)?.clone();
        turn["status"] = json!("interrupted");
        self.turns.entry(thread.to_owned()).or_default().retain(|other| other["id"] != turn["id"]);
        Some(
            json!({ "method": "turn/completed", "params": { "threadId": thread, "turn": turn } }).to_string(),
        )
    }

    /// What can be said about threads and turns without having been asked then.
    pub(super) fn answer(&self, method: &str, params: &Value, parent: Option<&String>) -> Option<Value> {
        let thread = params["threadId"].as_str().unwrap_or_default();
        match method {
            "thread/loaded/list" => {
                Some(json!({ "data": self.open.keys().collect::<Vec<_>>(), "nextCursor": null }))
            }
            "thread/turns/list" => {
                let turns = self.turns.get(thread)?;
                Some(json!({ "data": turns.iter().rev().collect::<Vec<_>>(), "nextCursor": null }))
            }
            "thread/resume" => self.open.get(thread).cloned(),
            "thread/read" => self.read(thread, parent),
            _ => None,
        }
    }

    fn read(&self, thread: &str, parent: Option<&String>) -> Option<Value> {
        let mut about = match (self.open.get(thread), parent) {
            (Some(result), _) => result["thread"].clone(),
            (None, Some(parent)) => json!({ "id": thread, "parentThreadId": parent }),
            (None, None) => return None,
        };
        let status = if self.running(thread).is_some() { "active" } else { "idle" };
        about["status"] = json!({ "type": status, "activeFlags": [] });
        Some(json!({ "thread": about }))
    }
}
