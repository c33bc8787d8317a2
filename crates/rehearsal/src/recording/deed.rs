//! What a client did that Codex acted on: the player waits until it is done again.

use std::time::Duration;

use serde_json::Value;

/// One deed of the recorded client.
#[derive(Debug, Clone, PartialEq)]
pub struct Deed {
    /// About which thread.
    pub thread: String,
    /// What.
    pub done: Done,
    /// When, since the start, if that is known.
    pub at: Option<Duration>,
}

/// What was done.
#[derive(Debug, Clone, PartialEq)]
pub enum Done {
    /// A thread was started.
    Started {
        /// With what.
        params: Value,
        /// What Codex answered.
        result: Value,
    },
    /// A thread that there was before was resumed, or copied from another.
    Resumed {
        /// With what.
        params: Value,
        /// What Codex answered.
        result: Value,
    },
    /// A turn was started.
    Turn {
        /// With what.
        params: Value,
        /// What Codex answered.
        result: Value,
    },
    /// Something was said into a running turn.
    Steered {
        /// With what.
        params: Value,
        /// What Codex answered.
        result: Value,
    },
    /// A turn was interrupted.
    Interrupted,
    /// The thread was compacted.
    Compacted,
    /// A review was started.
    Reviewed {
        /// With what.
        params: Value,
        /// What Codex answered.
        result: Value,
    },
    /// A request of Codex's was answered.
    Answered(Box<Answered>),
}

/// An answer to what Codex asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The request's id, as JSON.
    pub id: String,
    /// What was asked.
    pub method: String,
    /// With what.
    pub params: Value,
    /// The result; nothing if it was refused.
    pub result: Option<Value>,
}

impl Deed {
    /// Whether it begins something in a thread, so that the thread is opened for it.
    #[must_use]
    pub fn begins(&self) -> bool {
        matches!(self.done, Done::Turn { .. } | Done::Compacted | Done::Reviewed { .. })
    }

    /// Whether it opens a thread.
    #[must_use]
    pub fn opens(&self) -> bool {
        matches!(self.done, Done::Started { .. } | Done::Resumed { .. })
    }

    /// The turn that it began, if Codex named it.
    #[must_use]
    pub fn turn(&self) -> Option<&str> {
        match &self.done {
            Done::Turn { result, .. } | Done::Reviewed { result, .. } => result["turn"]["id"].as_str(),
            _ => None,
        }
    }

    /// By which request a client does it, beside an answer.
    pub(super) fn methods(&self) -> &'static [&'static str] {
        match self.done {
            Done::Started { .. } => &["thread/start"],
            Done::Resumed { .. } => &["thread/resume"],
            Done::Turn { .. } => &["turn/start"],
            // Codex takes a start on a thread that works as a steer.
            Done::Steered { .. } => &["turn/steer", "turn/start"],
            Done::Interrupted => &["turn/interrupt"],
            Done::Compacted => &["thread/compact/start", "thread/compact"],
            Done::Reviewed { .. } => &["review/start"],
            Done::Answered(_) => &[],
        }
    }

    /// What Codex answered it.
    pub(super) fn result(&self) -> Value {
        match &self.done {
            Done::Started { result, .. }
            | Done::Resumed { result, .. }
            | Done::Turn { result, .. }
            | Done::Steered { result, .. }
            | Done::Reviewed { result, .. } => result.clone(),
            Done::Interrupted | Done::Compacted | Done::Answered(_) => Value::Object(serde_json::Map::new()),
        }
    }

    /// The client's own id of the message that it sent.
    pub(super) fn message_id(&self) -> Option<&str> {
        match &self.done {
            Done::Turn { params, .. } | Done::Steered { params, .. } => {
                params["clientUserMessageId"].as_str()
            }
            _ => None,
        }
    }
}
