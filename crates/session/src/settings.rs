//! What a session was made with.

use serde::{Deserialize, Serialize};

/// What to do with a message that comes while a turn runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BusyPolicy {
    /// It waits its turn.
    #[default]
    Queue,
    /// The running turn is interrupted, and the message sent with what was cut.
    Interrupt,
    /// It joins the running turn.
    Steer,
    /// It is refused.
    Reject,
}

/// What to do when Codex asks and nobody is there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unattended {
    /// The turn waits.
    #[default]
    Wait,
    /// The answer is no.
    Decline,
}

/// What the queue does after a message was lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnLost {
    /// It is held until somebody says go.
    #[default]
    Hold,
    /// It goes on.
    Continue,
}

/// Limits on what a message may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Budget {
    /// Input and output together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_total_tokens: Option<u64>,
    /// Input alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_input_tokens: Option<u64>,
    /// Output alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u64>,
}

/// What the machine has to know of a session's settings; what only Codex needs travels in `codex`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Where it works.
    pub cwd: String,
    /// What to do with a message that comes while a turn runs.
    pub busy_policy: BusyPolicy,
    /// What to do when Codex asks and nobody is there.
    pub unattended: Unattended,
    /// What the queue does after a message was lost.
    pub on_lost: OnLost,
    /// Limits on each message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// How long a turn may run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline_seconds: Option<u64>,
    /// How long an approval may wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_timeout_seconds: Option<u64>,
    /// After how much silence a turn is interrupted; never, unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stall_seconds: Option<u64>,
    /// Whether the thread is stored by Codex; of one that is not, nothing can be asked after a crash.
    pub ephemeral: bool,
    /// Everything else, as it was given.
    #[serde(flatten)]
    pub codex: serde_json::Map<String, serde_json::Value>,
}
