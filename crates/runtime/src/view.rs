//! What is told about sessions, messages and open questions: the same words on every surface.

use std::collections::BTreeMap;

use selvedge_session::{
    ApprovalId, Event, Failure, Json, Lifecycle, MessageId, Session, SessionId, Settings, Status, Timestamp,
    ToolCallId, Usage, data::ApprovalKind,
};
use serde::{Deserialize, Serialize};

use crate::config::Config;

/// A session at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Summary {
    /// Which.
    pub id: SessionId,
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is doing.
    pub state: Lifecycle,
    /// Codex's thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// Where it works.
    pub cwd: String,
    /// Its model: the one that was chosen, or else the one that Codex chose for its thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Messages that wait.
    pub queued: usize,
    /// The queue waits until somebody says go.
    #[serde(default)]
    pub held: bool,
    /// Put away.
    #[serde(default)]
    pub archived: bool,
    /// What it used.
    pub usage: Usage,
    /// What that cost, if the price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// How full the model's context is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_used_percent: Option<u64>,
    /// Its newest event.
    pub last_seq: u64,
    /// How often its thread was loaded: grows with every app-server it had.
    #[serde(default)]
    pub epoch: u64,
    /// Since when.
    pub created_at: Timestamp,
    /// Its newest notable change.
    pub updated_at: Timestamp,
    /// Who answers.
    pub backend: Backend,
    /// Words its users gave it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

impl Summary {
    /// What is told about a session as it stands.
    pub(crate) fn of(session: &Session, created_at: Timestamp, now: Timestamp, backend: Backend) -> Self {
        let settings = session.settings();
        Self {
            id: session.id(),
            name: settings.name.clone(),
            state: session.lifecycle(),
            thread_id: session.thread_id().map(str::to_owned),
            cwd: settings.cwd.clone(),
            model: settings.model.clone().or_else(|| session.made_with()?.model.clone()),
            queued: session.queued().count(),
            held: session.is_held(),
            archived: session.is_archived(),
            usage: session.usage(),
            cost_usd: session.cost_usd(),
            context_used_percent: session.context_used_percent(),
            last_seq: session.last_seq(),
            epoch: session.epoch(),
            created_at,
            updated_at: now,
            backend,
            labels: settings.labels.clone(),
        }
    }
}

/// Who answers for Codex.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BackendInUse))]
pub struct Backend {
    /// `codex`, or `rehearsal` if the stand-in was asked for.
    pub kind: String,
    /// Its version, when it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

impl Backend {
    /// The one that was chosen for a session.
    pub(crate) fn of(settings: &Settings, config: &Config) -> Self {
        let kind = if is_rehearsal(settings, config) { "rehearsal" } else { "codex" };
        Self { kind: kind.to_owned(), version: None }
    }
}

/// Whether the stand-in answers: a session stays with whoever it was made for, whatever the runtime is set to later.
pub(crate) fn is_rehearsal(settings: &Settings, config: &Config) -> bool {
    match settings.backend {
        Some(backend) => backend == selvedge_session::Backend::Rehearsal,
        None => config.is_rehearsal(),
    }
}

/// Where a message stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MessageState {
    /// In the queue.
    Queued,
    /// In a turn.
    Running,
    /// In a turn that waits for an answer.
    Waiting,
    /// Done.
    Completed,
    /// Not done, and we know why.
    Failed,
    /// Stopped.
    Interrupted,
    /// Outcome unknown.
    Lost,
}

impl MessageState {
    /// Whether it has ended.
    #[must_use]
    pub fn is_end(self) -> bool {
        !matches!(self, Self::Queued | Self::Running | Self::Waiting)
    }
}

impl From<Status> for MessageState {
    fn from(status: Status) -> Self {
        match status {
            Status::Completed => Self::Completed,
            Status::Failed => Self::Failed,
            Status::Interrupted => Self::Interrupted,
            Status::Lost => Self::Lost,
        }
    }
}

/// A message and, when it has ended, its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MessageView {
    /// Which.
    pub message_id: MessageId,
    /// Where it stands.
    pub state: MessageState,
    /// The answer.
    #[serde(default)]
    pub text: String,
    /// The answer as JSON, if a shape was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Json>,
    /// What it used.
    pub usage: Usage,
    /// What that cost, if the price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
    /// The turn it was in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// The message whose turn it joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steered_into: Option<MessageId>,
}

impl MessageView {
    /// One that has not ended.
    pub(crate) fn open(message_id: MessageId, state: MessageState, turn_id: Option<String>) -> Self {
        Self {
            message_id,
            state,
            text: String::new(),
            output: None,
            usage: Usage::default(),
            cost_usd: None,
            error: None,
            turn_id,
            steered_into: None,
        }
    }

    /// What `message.finished` says; nothing of any other event.
    #[must_use]
    pub fn of_event(event: &Event) -> Option<Self> {
        let selvedge_session::What::MessageFinished(it) = &event.what else { return None };
        Some(Self {
            message_id: it.message_id,
            state: it.status.into(),
            text: it.text.clone(),
            output: it.output.clone(),
            usage: it.usage,
            cost_usd: it.cost_usd,
            error: it.error.clone(),
            turn_id: event.turn_id.clone(),
            steered_into: it.steered_into,
        })
    }
}

/// What a sent message came to at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Receipt {
    /// Ours; it names the message from now on.
    pub message_id: MessageId,
    /// Where it stands.
    pub state: MessageState,
}

/// Something Codex asks a person, still open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PendingApproval {
    /// Which.
    pub approval_id: ApprovalId,
    /// Whose.
    pub session_id: SessionId,
    /// What for.
    pub kind: ApprovalKind,
    /// Codex's own fields.
    pub request: Json,
    /// In which turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// Since when.
    pub at: Timestamp,
}

/// A call of one of a session's own tools, still open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PendingToolCall {
    /// Which.
    pub tool_call_id: ToolCallId,
    /// Whose.
    pub session_id: SessionId,
    /// The tool's name.
    pub tool: String,
    /// What it is called with.
    pub arguments: Json,
    /// In which turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// Since when.
    pub at: Timestamp,
}
