//! One thing that was looked at, and what to do about it.

use serde::Serialize;

/// What was found.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    pub(super) name: &'static str,
    pub(super) state: State,
    pub(super) detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<String>,
}

/// How it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    Good,
    /// Neither good nor bad, but good to know.
    Note,
    /// It works, but somebody should look at it.
    Careful,
    Problem,
}

impl Finding {
    pub(super) fn good(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: State::Good, detail: detail.into(), hint: None }
    }

    pub(super) fn note(name: &'static str, detail: impl Into<String>) -> Self {
        Self { state: State::Note, ..Self::good(name, detail) }
    }

    pub(super) fn careful(name: &'static str, detail: impl Into<String>) -> Self {
        Self { state: State::Careful, ..Self::good(name, detail) }
    }

    pub(super) fn problem(name: &'static str, detail: impl Into<String>) -> Self {
        Self { state: State::Problem, ..Self::good(name, detail) }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// With what the one who found the problem says to do.
    pub(super) fn hint_if(self, hint: Option<String>) -> Self {
        Self { hint, ..self }
    }
}
