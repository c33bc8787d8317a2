//! What a later Codex may say: words, fields, types, items, notifications and requests that nobody knows yet.
//!
//! Decided by the seed, by what a message is, and by how many of its kind came before it in its thread; never by time. Each
//! thing that is done has a mark of its own, by which it is found again, and a line of JSON in the log.

mod added;
mod chance;
mod changed;
mod idle;
mod ids;
mod place;
mod told;
mod walk;

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::{kind::Direction, log::Log};
use added::Added;
use chance::Chances;
use idle::Idle;
use ids::{Answer, Ids};
use place::Place;
use told::{Did, Marks};

/// How often something of each kind happens, in percent, unless it is said otherwise.
pub(super) const USUAL_PERCENT: u8 = 10;

/// Makes the app-server behind the proxy speak as a later one might; shared by both directions.
#[derive(Debug, Clone)]
pub(super) struct Future {
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    percent: u64,
    chances: Chances,
    marks: Marks,
    ids: Ids,
    idle: Idle,
    /// Nobody says anything new before it was asked who it is.
    introduced: bool,
    log: Log,
}

impl Future {
    pub(super) fn new(seed: u64, percent: u8, log: &Log) -> Self {
        let state = State {
            percent: u64::from(percent),
            chances: Chances::new(seed),
            marks: Marks::default(),
            ids: Ids::default(),
            idle: Idle::default(),
            introduced: false,
            log: log.clone(),
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// What is passed on instead of a line: none, one, or several. A line that is no JSON stays what it is.
    pub(super) fn pass(&self, direction: Direction, name: &str, line: &[u8]) -> Vec<u8> {
        let Ok(message) = serde_json::from_slice::<Value>(line) else { return line.to_vec() };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match direction {
            Direction::FromCodex => state.codex_says(name, message, line),
            Direction::ToCodex => state.codex_hears(message, line),
        }
    }
}

impl State {
    fn codex_says(&mut self, name: &str, mut message: Value, line: &[u8]) -> Vec<u8> {
        let mut place = Place::of(&message);
        place.rests = self.idle.is_said_of(&place);
        let chance = self.chances.next(name, &place, self.percent);
        let mut did = changed::change(name, &mut message, &chance, &mut self.marks);
        did.extend(self.ids.rename(&mut message, &chance));
        if name == "turn/completed" && place.rests && chance.strikes("unsaid", 1) {
            did.extend(changed::method(&mut message, &mut self.marks));
        }
        self.idle.note(name, &place, &message);
        self.introduced |= name == "answer:initialize";
        let added =
            if self.introduced { added::around(name, &place, &chance, &mut self.marks) } else { vec![] };
        let own = if did.is_empty() { line.to_vec() } else { written(&message) };
        for did in &mut did {
            did.thread.clone_from(&place.thread);
            name.clone_into(&mut did.name);
        }
        // What is added comes after the message, but before the end of a turn: it belongs to it.
        if name == "turn/completed" {
            let lines = self.add(added);
            self.tell(&did);
            [lines, own].concat()
        } else {
            self.tell(&did);
            [own, self.add(added)].concat()
        }
    }

    fn add(&mut self, added: Vec<Added>) -> Vec<u8> {
        let mut lines = Vec::new();
        for added in added {
            if let Some(id) = added.message.get("id") {
                self.ids.ask(id, &added.mark);
            }
            lines.extend(written(&added.message));
            self.tell(&[added.into_did()]);
        }
        lines
    }

    fn codex_hears(&mut self, message: Value, line: &[u8]) -> Vec<u8> {
        match self.ids.answered(message) {
            Answer::NotOurs => line.to_vec(),
            Answer::Renamed(message) => written(&message),
            Answer::Kept(did) => {
                self.tell(&[did]);
                Vec::new()
            }
        }
    }

    /// Before anybody hears of it.
    fn tell(&self, did: &[Did]) {
        for did in did {
            self.log.add(&did.to_string());
        }
    }
}

fn written(message: &Value) -> Vec<u8> {
    format!("{message}\n").into_bytes()
}

#[cfg(test)]
mod tests;
