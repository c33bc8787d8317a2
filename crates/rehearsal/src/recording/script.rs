//! A recording as it is played: what Codex said, and in between what its client did.

mod inferred;
mod read;

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use selvedge_recording::Recording;
use serde_json::Value;

use super::{answers::Answers, deed::Deed};

/// A recording as it is played.
#[derive(Debug)]
pub struct Script {
    /// In their order.
    pub steps: Vec<Step>,
    /// What was done and cannot be done again, for people.
    pub left_out: Vec<String>,
    pub(super) answers: Answers,
    /// The thread that each sub-agent's thread belongs to.
    pub(super) parents: HashMap<String, String>,
    /// Turns whose end was said.
    ended: HashSet<String>,
    /// Threads in which a turn runs when the recording ends.
    pub unfinished: Vec<String>,
}

/// One step.
#[derive(Debug)]
pub enum Step {
    /// Codex says a line.
    Say(Say),
    /// The client does something.
    Await(Deed),
}

/// A line that Codex says.
#[derive(Debug)]
pub struct Say {
    /// When, since the start, if that is known.
    pub at: Option<Duration>,
    /// The line.
    pub text: String,
    /// What it means; nothing if it is not JSON.
    pub(super) message: Value,
}

impl Say {
    /// What it is, for people.
    #[must_use]
    pub fn name(&self) -> &str {
        match self.message["params"]["item"]["type"].as_str() {
            Some(item) => item,
            None if self.method().is_empty() => "what is no message",
            None => self.method(),
        }
    }

    pub(super) fn method(&self) -> &str {
        self.message["method"].as_str().unwrap_or_default()
    }

    pub(super) fn thread(&self) -> &str {
        self.message["params"]["threadId"].as_str().unwrap_or_default()
    }

    /// The id of what Codex asks with it.
    pub(super) fn asks(&self) -> Option<String> {
        self.message.get("id").map(Value::to_string)
    }
}

impl Step {
    /// When it was, since the start.
    pub(super) fn at(&self) -> Option<Duration> {
        match self {
            Self::Say(say) => say.at,
            Self::Await(deed) => deed.at,
        }
    }
}

impl Script {
    /// What a recording says, as it is played.
    #[must_use]
    pub fn of(recording: &Recording) -> Self {
        read::script(recording)
    }

    /// The deeds, with the places where they stand.
    pub fn deeds(&self) -> impl Iterator<Item = (usize, &Deed)> {
        self.steps.iter().enumerate().filter_map(|(place, step)| match step {
            Step::Await(deed) => Some((place, deed)),
            Step::Say(_) => None,
        })
    }

    /// Whether the end of a turn is in the recording.
    #[must_use]
    pub fn ends(&self, turn: &str) -> bool {
        self.ended.contains(turn)
    }
}

#[cfg(test)]
mod tests;
