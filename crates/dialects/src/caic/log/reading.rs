//! A log that is read, and what a task is that is taken up from it.

use serde_json::Value;

use super::{Meta, Trailer};
use crate::caic::{
    message::{Message, Said},
    parse::Parser,
    speaker::Generation,
    unknown::UnknownField,
};

/// The states that caic has.
const STATES: [&str; 15] = [
    "pending",
    "branching",
    "provisioning",
    "starting",
    "running",
    "waiting",
    "asking",
    "has_plan",
    "pulling",
    "pushing",
    "stopping",
    "stopped",
    "purging",
    "failed",
    "purged",
];
/// What says nothing about whether a turn has ended.
const PASSED_OVER: [&str; 6] =
    ["caic_diff_stat", "text_delta", "thinking_delta", "usage", "stream_event", "system"];

/// A log that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Log {
    /// Its header.
    pub meta: Meta,
    /// What its lines say; what is no JSON is left out, as caic leaves it out.
    pub messages: Vec<Message>,
    /// Its trailer; of a log that was cut, that it failed.
    pub trailer: Trailer,
    /// The thread that it goes on with: the last that was begun.
    pub session_id: Option<String>,
    /// Fields that nobody knows.
    pub unknown: Vec<UnknownField>,
}

impl Log {
    /// Reads a log; nothing if it does not begin as one.
    #[must_use]
    pub fn read(text: &str, generation: Generation) -> Option<Self> {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let meta: Meta = serde_json::from_str(lines.next()?).ok()?;
        if !meta.is_valid() {
            return None;
        }
        let mut parser = Parser::of(generation);
        let (mut messages, mut trailer) = (Vec::new(), None);
        for line in lines {
            let said = parser.line(line).unwrap_or_default();
            match said.first().map(|message| message.kind.as_ref()) {
                Some("caic_result") => trailer = serde_json::from_str::<Trailer>(line).ok(),
                // Each time that it was opened again, another header was written.
                Some("caic_meta") => {}
                _ => messages.extend(said),
            }
        }
        let session_id = messages.iter().rev().find_map(begun);
        let trailer = trailer.map_or_else(cut, known);
        Some(Self { meta, messages, trailer, session_id, unknown: parser.unknown().to_vec() })
    }

    /// The state of a task that is taken up from this log: after a turn that ended it waits; in the middle of one, and once it
    /// was given up, it is as the trailer says.
    #[must_use]
    pub fn restored(&self) -> &str {
        let given_up = matches!(self.trailer.state.as_str(), "purged" | "purging" | "failed");
        let says = |message: &&Message| {
            !matches!(message.said, Said::Raw(_)) && !PASSED_OVER.contains(&message.kind.as_ref())
        };
        let ended = self.messages.iter().rfind(says).is_some_and(|last| last.kind == "result");
        if ended && !given_up { "waiting" } else { &self.trailer.state }
    }
}

impl Meta {
    /// As caic checks it; the first specification wanted a repository and a branch.
    fn is_valid(&self) -> bool {
        let says = !self.prompt.is_empty() && !self.harness.is_empty();
        self.r#type == "caic_meta"
            && self.version == 1
            && says
            && self.repo.is_some() == self.branch.is_some()
    }
}

/// The thread that a message begins.
fn begun(message: &Message) -> Option<String> {
    let said: Value = serde_json::to_value(message).ok()?;
    let begins = message.kind == "init" || said["subtype"] == "init";
    said["session_id"].as_str().filter(|_| begins).map(str::to_owned)
}

/// A log without its last line was cut.
fn cut() -> Trailer {
    let error = Some("the log has no end".to_owned());
    Trailer { r#type: "caic_result".to_owned(), state: "failed".to_owned(), error, ..Trailer::default() }
}

fn known(mut trailer: Trailer) -> Trailer {
    if trailer.state == "terminated" {
        "purged".clone_into(&mut trailer.state);
    } else if !STATES.contains(&trailer.state.as_str()) {
        "failed".clone_into(&mut trailer.state);
    }
    trailer
}
