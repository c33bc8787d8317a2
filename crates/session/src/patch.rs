//! A change of settings. It is applied by the session's owner to what holds then, so that of two at once none is lost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::settings::{ApprovalPolicy, BusyPolicy, PermissionMode, Settings, Unattended};

/// What changes in a session, from the next turn on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Patch {
    /// What people call it.
    pub name: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The effort.
    pub effort: Option<String>,
    /// What is asked.
    pub approval_policy: Option<ApprovalPolicy>,
    /// What is asked, in other words.
    pub permission_mode: Option<PermissionMode>,
    /// What to do with a message that comes while a turn runs.
    pub busy_policy: Option<BusyPolicy>,
    /// What to do when Codex asks and nobody is there.
    pub unattended: Option<Unattended>,
    /// Words its users gave it.
    pub labels: Option<BTreeMap<String, String>>,
    /// Instead of Codex's own instructions. They hold for a new thread, which begins with the next message.
    pub base_instructions: Option<String>,
    /// Beside Codex's own; the same.
    pub developer_instructions: Option<String>,
    /// The names of its MCP servers, all of them.
    pub mcp_servers: Option<Vec<String>>,
    /// MCP servers that are used from now on, or not, by name; others stay as they are.
    pub mcp_enabled: BTreeMap<String, bool>,
    /// The thread is loaded again, though nothing has changed: its MCP servers are started anew.
    pub reload: bool,
}

impl Patch {
    pub(crate) fn apply(self, settings: &mut Settings) {
        let Self { name, model, effort, approval_policy, permission_mode, busy_policy, unattended, .. } =
            self;
        settings.name = name.or(settings.name.take());
        settings.model = model.or(settings.model.take());
        settings.effort = effort.or(settings.effort.take());
        if approval_policy.is_some() || permission_mode.is_some() {
            // One replaces the other: they say the same thing in two languages.
            settings.approval_policy = approval_policy;
            settings.permission_mode = permission_mode;
        }
        settings.busy_policy = busy_policy.unwrap_or(settings.busy_policy);
        settings.unattended = unattended.unwrap_or(settings.unattended);
        if let Some(labels) = self.labels {
            settings.labels = labels;
        }
        settings.base_instructions = self.base_instructions.or(settings.base_instructions.take());
        settings.developer_instructions =
            self.developer_instructions.or(settings.developer_instructions.take());
        if let Some(servers) = self.mcp_servers {
            settings.mcp_servers = servers;
        }
        settings.mcp_enabled.extend(self.mcp_enabled);
    }
}
