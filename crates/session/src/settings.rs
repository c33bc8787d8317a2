//! What a session was made with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ids::SessionId, json::Json};

macro_rules! choices {
    // The case is a bare token: the description's derive does not see a `literal` that was handed through.
    ($($(#[$doc:meta])+ $name:ident as $case:tt { $($(#[$about:meta])+ $variant:ident,)+ })+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(rename_all = $case)]
        pub enum $name {
            $($(#[$about])+ $variant,)+
        }
    )+};
}

choices! {
    /// What to do with a message that comes while a turn runs.
    BusyPolicy as "snake_case" {
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
    Unattended as "snake_case" {
        /// The turn waits.
        #[default]
        Wait,
        /// The answer is no.
        Decline,
    }
    /// What the queue does after a message was lost.
    OnLost as "snake_case" {
        /// It is held until somebody says go.
        #[default]
        Hold,
        /// It goes on.
        Continue,
    }
    /// When Codex asks before it acts.
    ApprovalPolicy as "kebab-case" {
        /// Never: what it asks nevertheless is accepted, but for more permissions and forms.
        Never,
        /// Unless it is known to be harmless.
        #[default]
        Untrusted,
        /// When something failed in the sandbox.
        OnFailure,
        /// When the agent wants to.
        OnRequest,
    }
    /// The same in the words of people who know them from elsewhere.
    PermissionMode as "camelCase" {
        /// Asks.
        #[default]
        Default,
        /// Asks, but not before it changes files.
        AcceptEdits,
        /// Asks, and plans before it acts.
        Plan,
        /// Never asks.
        BypassPermissions,
    }
    /// What commands may do.
    Sandbox as "kebab-case" {
        /// Look.
        ReadOnly,
        /// Change what lies in the working directory.
        #[default]
        WorkspaceWrite,
        /// Everything.
        DangerFullAccess,
    }
    /// Whether it shares an app-server with other sessions.
    Isolation as "snake_case" {
        /// It does.
        #[default]
        Shared,
        /// It has its own.
        Isolated,
    }
    /// How its tools reach the agent.
    ToolsVia as "snake_case" {
        /// As Codex's own dynamic tools: fixed with the thread.
        #[default]
        Dynamic,
        /// By an MCP endpoint of the gateway that is this session's alone.
        Mcp,
    }
    /// What the session runs on.
    Backend as "snake_case" {
        /// Codex.
        #[default]
        Codex,
        /// The stand-in, asked for by name.
        Rehearsal,
    }
}

/// Limits on what a message may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
    /// In money; needs a price with the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost_usd: Option<f64>,
}

/// A tool that the session's caller runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ToolSpec {
    /// As the model calls it.
    pub name: String,
    /// For the model.
    pub description: String,
    /// The JSON schema of its arguments.
    pub input_schema: Json,
    /// How long a call may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u64>,
}

/// Whose history a session began with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ForkedFrom {
    /// The session.
    pub session_id: SessionId,
    /// Its thread.
    pub thread_id: String,
    /// The last turn that is taken over; all, unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// What a session was made with. Values of `env` and `mcp_servers` are secrets and lie elsewhere: here are their names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Settings {
    /// Where it works.
    pub cwd: String,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Codex's default, unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How hard the model thinks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// How its thoughts are summed up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// How it speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub personality: Option<String>,
    /// When Codex asks before it acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_policy: Option<ApprovalPolicy>,
    /// The same in other words; the policy counts if both are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<PermissionMode>,
    /// What commands may do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
    /// Instead of Codex's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_instructions: Option<String>,
    /// Beside Codex's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub developer_instructions: Option<String>,
    /// What to do with a message that comes while a turn runs.
    pub busy_policy: BusyPolicy,
    /// Whether it shares an app-server with other sessions.
    pub isolation: Isolation,
    /// Whether the thread is not stored by Codex; of such a one nothing can be asked after a crash.
    pub ephemeral: bool,
    /// The names of what is put into its environment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// The names of its MCP servers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mcp_servers: Vec<String>,
    /// MCP servers that were switched on or off since, its own and those of Codex's configuration, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mcp_enabled: BTreeMap<String, bool>,
    /// Codex's own configuration.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Object))]
    pub config: Map<String, Value>,
    /// A thread of Codex's that it goes on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// For programs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// What it runs on; what the runtime is set to, unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<Backend>,
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
    /// What to do when Codex asks and nobody is there.
    pub unattended: Unattended,
    /// What the queue does after a message was lost.
    pub on_lost: OnLost,
    /// The branch of a git worktree of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,
    /// The directory that the worktree was made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Without the user's AGENTS.md and skills.
    pub bare: bool,
    /// What its caller runs for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpec>,
    /// How those reach the agent; as dynamic tools, unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools_via: Option<ToolsVia>,
    /// Whose history it began with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<ForkedFrom>,
    /// The commit its working directory was at when it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_commit: Option<String>,
    /// Everything else, as it was given.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub extra: Map<String, Value>,
}
