//! What a browser keeps of a session.

use serde::Serialize;

macro_rules! state {
    ($($(#[$about:meta])+ $field:ident: $type:ty,)+) => {
        /// A session as a browser keeps it.
        #[derive(Debug, Clone, Default, PartialEq, Serialize)]
        pub struct SessionState {
            $($(#[$about])+ pub $field: $type,)+
        }

        /// What changed of it.
        #[derive(Debug, Clone, Default, PartialEq, Serialize)]
        pub struct Update {
            $($(#[$about])+ #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)+
        }

        impl SessionState {
            /// Takes over what changed.
            pub fn take(&mut self, update: Update) {
                $(if let Some(value) = update.$field {
                    self.$field = value;
                })+
            }
        }

        impl Update {
            /// What it says that is not so already; nothing if it says nothing new.
            pub(super) fn news(mut self, known: &SessionState) -> Option<Self> {
                $(self.$field = self.$field.filter(|value| *value != known.$field);)+
                (self != Self::default()).then_some(self)
            }
        }
    };
}

state! {
    /// Which.
    session_id: String,
    /// Always `codex`.
    backend_type: String,
    /// As it was chosen or as Codex says; empty until either is known.
    model: String,
    /// Where it works.
    cwd: String,
    /// The names of the session's own tools.
    tools: Vec<String>,
    /// When Codex asks.
    #[serde(rename = "permissionMode")]
    permission_mode: String,
    /// Codex's version, under the name that the browser reads.
    claude_code_version: String,
    /// MCP servers and how they are.
    mcp_servers: Vec<Connected>,
    /// Of Claude's only.
    agents: Vec<String>,
    /// Of Claude's only.
    slash_commands: Vec<String>,
    /// Of Claude's only.
    skills: Vec<String>,
    /// What it cost, as far as prices are known.
    total_cost_usd: f64,
    /// Turns of its own that ended.
    num_turns: u64,
    /// How full the model's context is.
    context_used_percent: u64,
    /// Whether its history is being made shorter.
    is_compacting: bool,
    /// Its branch.
    git_branch: String,
    /// Whether it has a worktree of its own.
    is_worktree: bool,
    /// Never: sessions are not put into containers.
    is_containerized: bool,
    /// What its worktree was made of, else where it works.
    repo_root: String,
    /// Commits that its upstream lacks.
    git_ahead: u64,
    /// Commits that it lacks.
    git_behind: u64,
    /// Lines added since it began.
    total_lines_added: u64,
    /// Lines removed since then.
    total_lines_removed: u64,
    /// Tokens of the whole session.
    codex_token_details: TokenDetails,
    /// Limits of the account.
    codex_rate_limits: RateLimits,
}

/// An MCP server and how it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Connected {
    /// Which.
    pub name: String,
    /// `connected`, `failed`, `disabled` or `connecting`.
    pub status: String,
}

/// Tokens of the whole session, as Codex counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenDetails {
    /// All input.
    pub input_tokens: u64,
    /// All output.
    pub output_tokens: u64,
    /// Input from the cache.
    pub cached_input_tokens: u64,
    /// Output that was reasoning.
    pub reasoning_output_tokens: u64,
    /// How much the model can hold.
    pub model_context_window: u64,
}

/// Limits of the account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct RateLimits {
    /// The shorter one.
    pub primary: Option<RateLimit>,
    /// The longer one.
    pub secondary: Option<RateLimit>,
}

/// One limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RateLimit {
    /// How much of it is used.
    pub used_percent: f64,
    /// How long it counts.
    pub window_duration_mins: u64,
    /// When it begins anew, in milliseconds since 1970.
    pub resets_at: u64,
}
