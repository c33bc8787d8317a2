//! What was done, as a line of JSON, and the marks by which it is found again.

use std::{fmt, process};

use serde::Serialize;
use serde_json::Value;

/// Gives marks: no two are the same, also not of two proxies.
#[derive(Debug, Default)]
pub(super) struct Marks {
    given: u64,
}

impl Marks {
    pub(super) fn next(&mut self) -> String {
        self.given += 1;
        format!("future-{}-{}", process::id(), self.given)
    }

    /// A number that goes with the newest mark.
    pub(super) fn number(&self) -> u64 {
        self.given
    }
}

/// One thing that was done.
#[derive(Debug, Default, Serialize)]
pub(super) struct Did {
    /// `field`, `word`, `type`, `method`, `end`, `id`; `item`, `notification`, `request`; `answer`, `stray`.
    pub(super) did: &'static str,
    pub(super) pid: u32,
    /// To which message: its method, or `answer:` and the method it answers.
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thread: Option<String>,
    /// Where in the message.
    pub(super) path: String,
    pub(super) mark: String,
    /// What was said there before, what was added, or what came back.
    pub(super) value: Value,
}

impl Did {
    pub(super) fn new(did: &'static str, mark: &str, value: Value) -> Self {
        Self { did, pid: process::id(), mark: mark.to_owned(), value, ..Self::default() }
    }

    pub(super) fn at(self, path: &str) -> Self {
        Self { path: path.to_owned(), ..self }
    }
}

impl fmt::Display for Did {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_unwritable| fmt::Error)?)
    }
}
