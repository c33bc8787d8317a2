//! What a session is made with and works with, for a browser.

use selvedge_session::{ApprovalPolicy, Event, Lifecycle, PermissionMode, Settings, data::StateChanged};

use super::{Message, Speaker, Update, error};
use crate::companion::{phase::Phase, state::Connected};

impl Speaker {
    pub(super) fn created(&mut self, event: &Event, settings: &Settings, said: &mut Vec<Message>) {
        self.state.session_id = event.session_id.to_string();
        self.state.backend_type = "codex".to_owned();
        self.works_with(settings, said);
    }

    /// A server that was switched or added is told as `mcp_get_status` would be answered.
    pub(super) fn changed(&mut self, settings: &Settings, said: &mut Vec<Message>) {
        let before = self.state.mcp_servers.clone();
        self.works_with(settings, said);
        if before != self.state.mcp_servers {
            said.push(self.mcp_status());
        }
    }

    fn works_with(&mut self, settings: &Settings, said: &mut Vec<Message>) {
        let mode = mode(settings);
        if mode != PermissionMode::Plan {
            self.unplanned = Some(mode);
        }
        self.mode = mode;
        let update = Update {
            model: settings.model.clone(),
            cwd: Some(settings.cwd.clone()),
            permission_mode: Some(word(mode).to_owned()),
            tools: Some(settings.tools.iter().map(|tool| tool.name.clone()).collect()),
            mcp_servers: self.servers(settings),
            is_worktree: Some(settings.worktree.is_some()),
            repo_root: Some(settings.repository.clone().unwrap_or_else(|| settings.cwd.clone())),
            ..Update::default()
        };
        self.update(update, said);
        if settings.name != self.name {
            self.name.clone_from(&settings.name);
            said.extend(settings.name.clone().map(|name| Message::SessionNameUpdate { name }));
        }
    }

    /// With servers that are only named so far, and those that were switched off or on.
    fn servers(&self, settings: &Settings) -> Option<Vec<Connected>> {
        let mut servers = self.state.mcp_servers.clone();
        for name in settings.mcp_servers.iter().chain(settings.mcp_enabled.keys()) {
            if !servers.iter().any(|server| server.name == *name) {
                servers.push(Connected { name: name.clone(), status: "connecting".to_owned() });
            }
        }
        for server in &mut servers {
            match settings.mcp_enabled.get(&server.name) {
                Some(false) => server.status = "disabled".to_owned(),
                // How it starts is told when it does.
                Some(true) if server.status == "disabled" => server.status = "connecting".to_owned(),
                _ => {}
            }
        }
        (!servers.is_empty()).then_some(servers)
    }

    pub(super) fn does(&mut self, it: &StateChanged, said: &mut Vec<Message>) {
        self.lifecycle = it.state;
        let reason = it.reason.as_deref().filter(|_| it.state == Lifecycle::Failed);
        said.extend(reason.map(|reason| error(reason, None)));
        self.go(said);
        if self.disconnected && matches!(self.phase, Phase::Ready | Phase::Streaming) {
            self.disconnected = false;
            said.push(Message::CliConnected);
        }
    }
}

/// The mode, or what the policy means in its words.
fn mode(settings: &Settings) -> PermissionMode {
    match (settings.approval_policy, settings.permission_mode) {
        (None, Some(mode)) => mode,
        (Some(ApprovalPolicy::Never), _) => PermissionMode::BypassPermissions,
        _ => PermissionMode::Default,
    }
}

pub(crate) fn word(mode: PermissionMode) -> &'static str {
    match mode {
        PermissionMode::Default => "default",
        PermissionMode::AcceptEdits => "acceptEdits",
        PermissionMode::Plan => "plan",
        PermissionMode::BypassPermissions => "bypassPermissions",
    }
}
