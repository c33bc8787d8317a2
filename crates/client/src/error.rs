//! What can go wrong with a call, in words for the person who reads it.

use std::{sync::Arc, time::Duration};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::end::End;

/// A line that says what to do about an error.
pub trait Hint {
    /// What to do, if there is something to do.
    fn hint(&self) -> Option<String>;
}

/// Why a call has no result.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// Codex answered with an error.
    #[error("codex refused `{method}`: {error}")]
    Refused {
        /// What was asked.
        method: String,
        /// Its words.
        error: RpcError,
    },
    /// No answer within the time limit. If it was sent, the outcome is unknown.
    #[error("no answer to `{method}` within {} s{}", .after.as_secs_f32(), if *.sent { "" } else { " (it was never sent)" })]
    TimedOut {
        /// What was asked.
        method: String,
        /// How long we waited.
        after: Duration,
        /// Whether it may have reached Codex.
        sent: bool,
    },
    /// The conversation ended first. If it was sent, the outcome is unknown.
    #[error("no answer to `{method}`: {end}{}", if *.sent { "" } else { " (it was never sent)" })]
    Ended {
        /// What was asked.
        method: String,
        /// How it ended.
        end: Arc<End>,
        /// Whether it may have reached Codex.
        sent: bool,
    },
    /// Stdin is closed: nothing more can be said, though Codex may still speak.
    #[error("`{method}` cannot be sent: the app-server's input is closed")]
    InputClosed {
        /// What was to be asked.
        method: String,
    },
    /// What was to be sent cannot be written as JSON.
    #[error("`{method}` cannot be written as JSON: {error}")]
    Unwritable {
        /// What was to be asked.
        method: String,
        /// Why.
        error: serde_json::Error,
    },
    /// The result lacks what it must have; its raw text is still there.
    #[error("the result of `{method}` lacks its ids: {raw}")]
    Unreadable {
        /// What was asked.
        method: String,
        /// The result, as Codex wrote it.
        raw: String,
    },
}

impl CallError {
    /// Whether the request may have reached Codex, so that its outcome is unknown or refused.
    #[must_use]
    pub fn may_have_been_sent(&self) -> bool {
        match self {
            Self::Refused { .. } | Self::Unreadable { .. } => true,
            Self::TimedOut { sent, .. } | Self::Ended { sent, .. } => *sent,
            Self::InputClosed { .. } | Self::Unwritable { .. } => false,
        }
    }

    /// Codex's own error, if it answered with one.
    #[must_use]
    pub fn refusal(&self) -> Option<&RpcError> {
        match self {
            Self::Refused { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl Hint for CallError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::TimedOut { sent: true, .. } => {
                Some("the outcome is unknown: ask Codex (thread/turns/list) before sending it again".into())
            }
            Self::TimedOut { sent: false, .. } => {
                Some("64 requests were already waiting for Codex; see whether it still answers".into())
            }
            Self::Ended { end, .. } if !end.stderr_tail.is_empty() => {
                Some(format!("the end of its stderr:\n{}", end.stderr_tail))
            }
            Self::Ended { .. } | Self::InputClosed { .. } => {
                Some("start a new app-server and resume the thread".into())
            }
            Self::Refused { .. } | Self::Unwritable { .. } | Self::Unreadable { .. } => None,
        }
    }
}

/// An error in Codex's own words.
#[derive(Debug, Clone, Deserialize, thiserror::Error)]
#[error("{message} ({code})")]
pub struct RpcError {
    /// JSON-RPC's code; -32600 for almost everything.
    #[serde(default)]
    pub code: i64,
    /// What it says.
    #[serde(default)]
    pub message: String,
    /// What it adds.
    #[serde(default)]
    pub data: Option<Box<RawValue>>,
}

/// Codex's way of saying "later".
const OVERLOADED: i64 = -32001;

impl RpcError {
    /// Reads an `error` object; one of another shape is kept as its message.
    pub(crate) fn read(raw: &RawValue) -> Self {
        serde_json::from_str(raw.get()).unwrap_or_else(|_| Self {
            code: 0,
            message: raw.get().to_owned(),
            data: None,
        })
    }

    /// Whether the same request may simply be made again a little later.
    #[must_use]
    pub fn is_overload(&self) -> bool {
        self.code == OVERLOADED
    }
}
