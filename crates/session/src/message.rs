//! A message: what was sent, and how it ended.

use serde::{Deserialize, Serialize};

use crate::{
    code::Code,
    ids::MessageId,
    json::Json,
    price::Price,
    settings::{Budget, BusyPolicy},
};

/// A part of what somebody says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum InputPart {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture, kept apart under its hash.
    Image {
        /// Its SHA-256.
        sha256: String,
        /// For example `image/png`.
        media_type: String,
    },
}

/// A message to be accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewMessage {
    /// Ours; Codex gets it as `clientUserMessageId`.
    pub id: MessageId,
    /// What is said.
    pub input: Vec<InputPart>,
    /// How it is to be run.
    pub options: Options,
    /// Who said it.
    pub sender: Option<String>,
}

/// How a message is to be run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Instead of the session's.
    pub busy_policy: Option<BusyPolicy>,
    /// The shape of the answer.
    pub output_schema: Option<Json>,
    /// How long its turn may run.
    pub deadline_seconds: Option<u64>,
    /// How long it may wait in the queue.
    pub queue_seconds: Option<u64>,
    /// Whether it may be run again after a crash.
    pub retry: Retry,
    /// Instead of the session's.
    pub model: Option<String>,
    /// Instead of the session's.
    pub effort: Option<String>,
    /// Instead of the session's.
    pub budget: Option<Budget>,
    /// What tokens cost, kept with the message so that nobody has to look it up again.
    pub price: Option<Price>,
}

impl Options {
    /// Whether it can join a turn that another message opened: not if it wants something of its own.
    pub(crate) fn can_join(&self) -> bool {
        self.output_schema.is_none()
            && self.model.is_none()
            && self.effort.is_none()
            && self.deadline_seconds.is_none()
            && self.budget.is_none()
    }
}

/// Whether a message may be run again when nobody knows whether it ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// Once, if it has done nothing.
    #[default]
    Safe,
    /// Once, whatever it has done.
    Always,
    /// No.
    Never,
}

/// How a message or turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Done.
    Completed,
    /// Not done, and we know why.
    Failed,
    /// Stopped.
    Interrupted,
    /// Outcome unknown.
    Lost,
}

impl Status {
    /// As programs read it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
            Self::Lost => "lost",
        }
    }
}

/// In which part of the work a failure arose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before or on the way to the model.
    Request,
    /// In what the model answered.
    Response,
    /// In a tool.
    Tool,
    /// A limit of ours or of the account's.
    Budget,
}

/// Why something failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Failure {
    /// Where.
    pub phase: Phase,
    /// Stable, for programs.
    pub code: String,
    /// For people.
    pub message: String,
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What else Codex said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Json>,
}

impl Failure {
    /// What a code says, in its own words.
    #[must_use]
    pub fn of(code: Code) -> Self {
        Self::coded(code, code.message())
    }

    /// What a code says, in these words.
    #[must_use]
    pub fn coded(code: Code, message: impl Into<String>) -> Self {
        Self {
            phase: code.phase(),
            code: code.as_str().to_owned(),
            message: message.into(),
            hint: Some(code.hint().to_owned()),
            details: None,
        }
    }
}
