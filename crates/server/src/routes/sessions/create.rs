//! What a session is made with, as its caller writes it.

mod checks;
mod parts;

use std::collections::BTreeMap;

use selvedge_runtime::NewSession;
use selvedge_session::{
    ApprovalPolicy, Backend, BusyPolicy, Isolation, OnLost, PermissionMode, Sandbox, Settings, ToolsVia,
    Unattended,
};
use serde::Deserialize;
use serde_json::{Map, Value};

pub(super) use self::checks::one_language;
use self::parts::{McpServer, Tool};
use crate::{by_name::ByName, gateway::Gateway, problem::Problem, routes::messages::Limits};

/// What a session is made with. Only `cwd` is needed, and not even that if it is `bare`.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateSession {
    /// Where it works: a directory, as an absolute path. A `bare` session that is given none gets one of its own, empty, which
    /// goes with it.
    cwd: Option<String>,
    /// For people.
    name: Option<String>,
    /// Codex's default, unless given.
    model: Option<String>,
    /// How hard the model thinks.
    effort: Option<String>,
    /// How its thoughts are summed up.
    summary: Option<String>,
    /// How it speaks.
    personality: Option<String>,
    /// When Codex asks before it acts.
    approval_policy: Option<ApprovalPolicy>,
    /// The same in other words; one of the two. `default`, unless given.
    permission_mode: Option<PermissionMode>,
    /// What commands may do; `workspace-write`, unless given.
    sandbox: Option<Sandbox>,
    /// Instead of Codex's own.
    base_instructions: Option<String>,
    /// Beside Codex's own.
    developer_instructions: Option<String>,
    /// What to do with a message that comes while a turn runs.
    busy_policy: Option<BusyPolicy>,
    /// Whether it shares an app-server with other sessions.
    isolation: Option<Isolation>,
    /// Whether Codex does not store the thread.
    ephemeral: Option<bool>,
    /// Put into its environment. The values are secrets: only the names come back.
    env: Option<BTreeMap<String, String>>,
    /// MCP servers by name. What they are made with is secret: only the names come back.
    mcp_servers: Option<BTreeMap<String, McpServer>>,
    /// Codex's own configuration, for this thread.
    #[schema(value_type = Option<Object>)]
    config: Option<Map<String, Value>>,
    /// A thread of Codex's to go on with.
    thread_id: Option<String>,
    /// For programs.
    labels: Option<BTreeMap<String, String>>,
    /// What it runs on.
    backend: Option<Backend>,
    /// Limits on each message.
    #[schema(value_type = Option<Limits>)]
    budget: Option<ByName<Limits>>,
    /// How long a turn may run, without the time it waits for answers.
    deadline_seconds: Option<u64>,
    /// How long an approval may wait; then it is declined.
    approval_timeout_seconds: Option<u64>,
    /// After how much silence a turn is interrupted; never, unless given.
    stall_seconds: Option<u64>,
    /// What to do when Codex asks and nobody is there.
    unattended: Option<Unattended>,
    /// What the queue does after a message was lost.
    on_lost: Option<OnLost>,
    /// A branch: the session gets a git worktree of its own, on it.
    worktree: Option<String>,
    /// Without the user's AGENTS.md and skills, the project's and those in Codex's directory.
    bare: Option<bool>,
    /// What the caller runs for it.
    #[schema(value_type = Option<Vec<Tool>>)]
    tools: Option<Vec<ByName<Tool>>>,
    /// How those reach the agent; as Codex's dynamic tools, unless given.
    tools_via: Option<ToolsVia>,
}

impl CreateSession {
    /// A session that can be made, with what holds for those over HTTP.
    pub(super) async fn checked(self, gateway: &Gateway, key: Option<String>) -> Result<NewSession, Problem> {
        let config = gateway.runtime().config();
        checks::directory(&config.allow_roots, self.cwd.as_deref(), self.bare).await?;
        one_language(self.approval_policy, self.permission_mode)?;
        let env = self.env.clone().unwrap_or_default();
        checks::environment(&env)?;
        let mcp_servers = parts::servers(self.mcp_servers.as_ref())?;
        let mut settings = self.settings();
        checks::tools(&settings.tools)?;
        if settings.approval_policy.or(config.approval_policy).is_none() {
            settings.permission_mode = Some(settings.permission_mode.unwrap_or(PermissionMode::Default));
        }
        settings.sandbox = Some(settings.sandbox.or(config.sandbox).unwrap_or(Sandbox::WorkspaceWrite));
        Ok(NewSession { settings, env, mcp_servers, idempotency_key: key })
    }

    fn settings(self) -> Settings {
        Settings {
            cwd: self.cwd.unwrap_or_default(),
            name: self.name,
            model: self.model,
            effort: self.effort,
            summary: self.summary,
            personality: self.personality,
            approval_policy: self.approval_policy,
            permission_mode: self.permission_mode,
            sandbox: self.sandbox,
            base_instructions: self.base_instructions,
            developer_instructions: self.developer_instructions,
            busy_policy: self.busy_policy.unwrap_or_default(),
            isolation: self.isolation.unwrap_or_default(),
            ephemeral: self.ephemeral.unwrap_or_default(),
            config: self.config.unwrap_or_default(),
            thread_id: self.thread_id,
            labels: self.labels.unwrap_or_default(),
            backend: self.backend,
            budget: self.budget.map(|ByName(limits)| limits.into()),
            deadline_seconds: self.deadline_seconds,
            approval_timeout_seconds: self.approval_timeout_seconds,
            stall_seconds: self.stall_seconds,
            unattended: self.unattended.unwrap_or_default(),
            on_lost: self.on_lost.unwrap_or_default(),
            worktree: self.worktree,
            bare: self.bare.unwrap_or_default(),
            tools_via: self.tools_via,
            tools: self.tools.unwrap_or_default().into_iter().map(|ByName(tool)| tool.into()).collect(),
            ..Settings::default()
        }
    }
}
