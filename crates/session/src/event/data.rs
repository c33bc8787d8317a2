//! The `data` of each event, field by field as users' programs read them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    ids::{ApprovalId, MessageId, ToolCallId},
    json::Json,
    message::{Failure, InputPart, Status},
    settings::{BusyPolicy, Settings},
    state::Lifecycle,
    usage::Usage,
};

macro_rules! data {
    ($($(#[$doc:meta])+ $name:ident { $($(#[$attribute:meta])+ $field:ident: $type:ty,)* })+) => {$(
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        $(#[$doc])+
        pub struct $name {
            $($(#[$attribute])+ pub $field: $type,)*
        }
    )+};
}

/// `session.created`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Created {
    /// What it was made with.
    pub settings: Arc<Settings>,
}

/// `session.updated`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Updated {
    /// What it works with from the next turn on.
    pub settings: Arc<Settings>,
}

data! {
    /// `session.state`.
    StateChanged {
        /// Now.
        state: Lifecycle,
        /// Before.
        previous: Lifecycle,
        /// Why, if that is not plain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    }
    /// `session.warning`.
    Warning {
        /// Stable, for programs.
        code: String,
        /// For people.
        message: String,
        /// What to do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hint: Option<String>,
    }
    /// `session.removed`.
    Removed {}
    /// `message.accepted`.
    Accepted {
        /// Which.
        message_id: MessageId,
        /// What was said.
        input: Vec<InputPart>,
        /// What happens if a turn runs.
        busy_policy: BusyPolicy,
        /// Messages before it; 0 runs now.
        position: usize,
        /// Who said it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sender: Option<String>,
    }
    /// `message.updated`.
    Edited {
        /// Which.
        message_id: MessageId,
        /// What it says now, if that changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<Vec<InputPart>>,
        /// Messages before it now, if it was moved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<usize>,
    }
    /// `message.started`.
    Started {
        /// Which.
        message_id: MessageId,
        /// The first, or the one after a crash.
        attempt: u32,
        /// The message whose turn it joined.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steered_into: Option<MessageId>,
    }
    /// `message.finished`.
    Finished {
        /// Which.
        message_id: MessageId,
        /// How.
        status: Status,
        /// The answer.
        text: String,
        /// The answer as JSON, if a shape was asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<Json>,
        /// What it used; of a message that joined another's turn, nothing.
        usage: Usage,
        /// What that cost, if its price is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost_usd: Option<f64>,
        /// Why it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<Failure>,
        /// The message whose turn it joined.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steered_into: Option<MessageId>,
    }
    /// `turn.started`.
    TurnStarted {
        /// The messages it works for; none of a compaction or a review.
        message_ids: Vec<MessageId>,
    }
    /// `turn.completed`.
    TurnCompleted {
        /// The messages it worked for.
        message_ids: Vec<MessageId>,
        /// How.
        status: Status,
        /// Why it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<Failure>,
        /// From its start.
        duration_ms: u64,
    }
    /// `item.started` and `item.completed`.
    ItemData {
        /// The item, in Codex's own words.
        item: Json,
        /// Why we closed it, if Codex did not: `interrupted`, `superseded`, `failed`, `lost`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        closed: Option<String>,
    }
    /// `item.delta`.
    Delta {
        /// Of what.
        kind: DeltaKind,
        /// The piece.
        delta: String,
    }
    /// `approval.requested`.
    ApprovalRequested {
        /// Which.
        approval_id: ApprovalId,
        /// What for.
        kind: ApprovalKind,
        /// Codex's own fields.
        request: Json,
    }
    /// `approval.resolved`.
    ApprovalResolved {
        /// Which.
        approval_id: ApprovalId,
        /// What was decided.
        decision: Decision,
        /// Who decided: `policy`, `timeout`, `codex`, `expired`, or a name and a surface.
        by: String,
        /// What was said with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    }
    /// `tool.requested`.
    ToolRequested {
        /// Which.
        tool_call_id: ToolCallId,
        /// The tool's name.
        tool: String,
        /// What it is called with.
        arguments: Json,
    }
    /// `tool.resolved`.
    ToolResolved {
        /// Which.
        tool_call_id: ToolCallId,
        /// Whether it worked.
        success: bool,
        /// What it gave.
        content: Json,
    }
    /// `usage.updated`.
    UsageUpdated {
        /// Of the running turn.
        turn: Usage,
        /// Of the session.
        session: Usage,
        /// What the session cost, as far as prices are known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost_usd: Option<f64>,
        /// How much the model can hold.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context_window: Option<u64>,
        /// How much of that the last response used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context_used_percent: Option<u64>,
    }
    /// `plan.updated`.
    PlanUpdated {
        /// Its steps.
        steps: Vec<PlanStep>,
    }
    /// One step of a plan.
    PlanStep {
        /// What is to be done.
        step: String,
        /// How far it is.
        status: String,
    }
    /// `diff.updated`.
    DiffUpdated {
        /// The files, with counts of lines.
        files: Vec<FileDiff>,
    }
    /// One changed file.
    FileDiff {
        /// Which.
        path: String,
        /// Lines added.
        added: u64,
        /// Lines removed.
        removed: u64,
    }
    /// `codex.exited`.
    Exited {
        /// How it ended.
        reason: String,
        /// The last it wrote to stderr.
        stderr_tail: String,
    }
    /// `codex.restarted`.
    Restarted {
        /// The how manieth.
        attempt: u32,
        /// Its version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
    }
    /// `codex.notice`.
    Notice {
        /// What it tells.
        method: String,
        /// With what.
        params: Json,
    }
    /// `codex.unknown`.
    Unknown {
        /// From Codex, or to it.
        direction: String,
        /// The line, as it was.
        raw: String,
    }
}

/// Of what a delta is a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DeltaKind {
    /// A message.
    Text,
    /// Raw reasoning.
    Reasoning,
    /// The summary of reasoning.
    ReasoningSummary,
    /// A command's output.
    Output,
    /// A file change.
    Patch,
    /// A plan.
    Plan,
}

/// What Codex asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ApprovalKind {
    /// To run a command.
    Command,
    /// To change files.
    FileChange,
    /// To do more than it may.
    Permissions,
    /// Questions to the user.
    UserInput,
    /// A form of an MCP server.
    Elicitation,
}

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Yes.
    Accept,
    /// Yes, and for the rest of the app-server's life.
    AcceptForSession,
    /// No; the turn goes on.
    Decline,
    /// No; the turn ends.
    Cancel,
    /// Nobody can answer any more: the one who asked is gone.
    Expired,
}
