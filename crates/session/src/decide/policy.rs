//! Who answers what Codex asks: the policy, if it says so; else a person.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    event::data::{ApprovalKind, Decision},
    json::Json,
    settings::{ApprovalPolicy, PermissionMode, Settings, Unattended},
    state::Session,
};

/// What is known about something Codex asks.
pub(super) struct Question {
    kind: ApprovalKind,
    /// An MCP server's tool is to be called; it comes as a form without fields.
    tool_call: bool,
    /// A form that can be sent without filling anything in.
    empty_form: bool,
    /// It can be granted for the rest of the app-server's life.
    lasting: bool,
}

impl Question {
    pub(super) fn read(kind: ApprovalKind, request: &Json) -> Self {
        let fields: Value = serde_json::from_str(request.text()).unwrap_or_default();
        let meta = &fields["_meta"];
        let required = fields["requestedSchema"]["required"].as_array();
        let keeps = |value: &Value| value.as_array().is_some_and(|all| all.iter().any(|it| it == "session"));
        Self {
            kind,
            tool_call: meta["codex_approval_kind"].is_string(),
            empty_form: fields["requestedSchema"].is_object() && required.is_none_or(Vec::is_empty),
            lasting: keeps(&meta["persist"]),
        }
    }

    /// What may be answered. Codex's own `availableDecisions` names less than it takes, so the kind decides.
    pub(super) fn offered(&self) -> Vec<Decision> {
        use Decision::{Accept, AcceptForSession, Cancel, Decline};
        match self.kind {
            ApprovalKind::Command | ApprovalKind::FileChange => {
                vec![Accept, AcceptForSession, Decline, Cancel]
            }
            ApprovalKind::Permissions => vec![Accept, AcceptForSession, Decline],
            ApprovalKind::UserInput => vec![Accept, Decline],
            ApprovalKind::Elicitation if self.lasting => vec![Accept, AcceptForSession, Decline, Cancel],
            ApprovalKind::Elicitation => vec![Accept, Decline, Cancel],
        }
    }

    /// What the session's policy answers; nothing if a person is to be asked.
    pub(super) fn by_policy(&self, session: &Session) -> Option<Decision> {
        let Asking { policy, mode } = session.asking();
        let never = policy == Some(ApprovalPolicy::Never);
        let bypass = never && mode == Some(PermissionMode::BypassPermissions);
        let accepts = match self.kind {
            ApprovalKind::FileChange => never || mode == Some(PermissionMode::AcceptEdits),
            ApprovalKind::Command => never,
            ApprovalKind::Elicitation if self.tool_call => never,
            ApprovalKind::Elicitation => bypass && self.empty_form,
            ApprovalKind::Permissions => bypass,
            ApprovalKind::UserInput => false,
        };
        // What has to be filled in nobody but a person can accept.
        let declines = (never && !bypass) || session.settings.unattended == Unattended::Decline;
        match (accepts, declines) {
            (true, _) => Some(Decision::Accept),
            (false, true) => Some(Decision::Decline),
            (false, false) => None,
        }
    }
}

/// When a turn asks: as it was when the turn began. What is changed later counts from the next one on, as for Codex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asking {
    policy: Option<ApprovalPolicy>,
    mode: Option<PermissionMode>,
}

impl Session {
    /// When a turn asks that begins now.
    pub(crate) fn asking_now(&self) -> Asking {
        Asking { policy: self.settings.policy(), mode: self.settings.permission_mode }
    }

    fn asking(&self) -> Asking {
        self.turn.as_ref().and_then(|turn| turn.asking).unwrap_or_else(|| self.asking_now())
    }
}

impl Settings {
    /// When Codex asks before it acts: the policy, or what the mode stands for.
    #[must_use]
    pub fn policy(&self) -> Option<ApprovalPolicy> {
        self.approval_policy.or_else(|| self.permission_mode.map(PermissionMode::policy))
    }
}

impl PermissionMode {
    /// The policy it stands for.
    #[must_use]
    pub const fn policy(self) -> ApprovalPolicy {
        match self {
            Self::BypassPermissions => ApprovalPolicy::Never,
            Self::Default | Self::AcceptEdits | Self::Plan => ApprovalPolicy::Untrusted,
        }
    }

    /// Whether Codex's collaboration mode is `plan`.
    #[must_use]
    pub const fn plans(self) -> bool {
        matches!(self, Self::Plan)
    }
}
