//! The ids of requests: those that were added, and those that have become text.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{chance::Chance, told::Did};

/// Requests that wait for their answer, by their ids as JSON.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Ours, with their marks.
    asked: HashMap<String, String>,
    /// What Codex's ids have become, and back.
    renamed: HashMap<String, Value>,
    back: HashMap<String, Value>,
}

/// What an answer is to us.
pub(super) enum Answer {
    /// It passes as it is.
    NotOurs,
    /// It passes with Codex's own id.
    Renamed(Value),
    /// It goes no further.
    Kept(Did),
}

impl Ids {
    /// A request of ours is on its way.
    pub(super) fn ask(&mut self, id: &Value, mark: &str) {
        self.asked.insert(id.to_string(), mark.to_owned());
    }

    /// Gives a request of Codex's a text for an id. What is told of the request later has the same.
    pub(super) fn rename(&mut self, message: &mut Value, chance: &Chance) -> Option<Did> {
        if message["method"] == "serverRequest/resolved" {
            let named = message.pointer("/params/requestId")?;
            let renamed = self.renamed.get(&named.to_string()).filter(|new| *new != named)?.clone();
            let was = std::mem::replace(message.pointer_mut("/params/requestId")?, renamed);
            return Some(Did::new("id", "", was).at("/params/requestId"));
        }
        let was = message.get("id").filter(|_| message.get("method").is_some())?.clone();
        // Decided once: Codex may ask the same again.
        let new = self.renamed.entry(was.to_string()).or_insert_with(|| new_id(&was, chance)).clone();
        if new == was {
            return None;
        }
        self.back.insert(new.to_string(), was.clone());
        message["id"] = new;
        Some(Did::new("id", "", was).at("/id"))
    }

    /// What an answer to Codex is to us.
    pub(super) fn answered(&self, mut message: Value) -> Answer {
        let Some(id) = message.get("id").filter(|_| message.get("method").is_none()).map(Value::to_string)
        else {
            return Answer::NotOurs;
        };
        if let Some(mark) = self.asked.get(&id) {
            return Answer::Kept(Did::new("answer", mark, message));
        }
        if let Some(was) = self.back.get(&id) {
            message["id"] = was.clone();
            return Answer::Renamed(message);
        }
        if self.renamed.get(&id).is_some_and(|new| Some(new) != message.get("id")) {
            return Answer::Kept(Did::new("stray", "", message));
        }
        Answer::NotOurs
    }
}

/// Digits too: a text of digits is still no number.
fn new_id(was: &Value, chance: &Chance) -> Value {
    match chance.pick("id", 2) {
        _ if !chance.strikes("id", 5) => was.clone(),
        0 => json!(was.to_string()),
        _ => json!(format!("request {was}")),
    }
}
