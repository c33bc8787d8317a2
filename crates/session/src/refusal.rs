//! Why a command was refused.

use std::fmt;

use crate::code::Code;

/// Why a command was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The session takes nothing until somebody says go.
    NotRunning,
    /// A turn runs, and the message wanted to be refused then.
    Busy,
    /// There is no such message, approval or call here.
    NotFound,
    /// The message is no longer in the queue.
    NotQueued,
    /// Somebody answered already.
    Answered {
        /// Who, if it is known.
        by: Option<String>,
    },
    /// Codex does not offer this decision.
    NotOffered,
    /// The session is put away.
    Archived,
    /// A limit in money needs a price.
    PriceUnknown,
    /// There is nothing to stop.
    Idle,
    /// A message with this id was accepted before.
    Duplicate,
}

impl Refusal {
    /// Stable, for programs.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::NotRunning => Code::NotRunning,
            Self::Busy => Code::Busy,
            Self::NotFound => Code::NotFound,
            Self::NotQueued => Code::NotQueued,
            Self::Answered { .. } => Code::AlreadyAnswered,
            Self::NotOffered => Code::DecisionNotOffered,
            Self::Archived => Code::Archived,
            Self::PriceUnknown => Code::PriceUnknown,
            Self::Idle => Code::Idle,
            Self::Duplicate => Code::Duplicate,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered { by: Some(by) } => write!(f, "it was answered before, by {by}"),
            other => f.write_str(other.code().message()),
        }
    }
}

impl std::error::Error for Refusal {}
