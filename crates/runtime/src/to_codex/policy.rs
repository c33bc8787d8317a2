//! When Codex asks, what commands may do, and whether it plans first: a session's settings in Codex's words.

use selvedge_client::Abilities;
use selvedge_protocol::say::{AskForApproval, ModeKind, SandboxMode};
use selvedge_session::{ApprovalPolicy, Code, PermissionMode, Sandbox, Settings};
use serde_json::json;

/// Something the session's people should know about what was said to Codex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Stable, for programs.
    pub code: Code,
    /// For people.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

/// When Codex asks: the policy if there is one, else what the mode means, else what Codex is configured for.
#[must_use]
pub fn approval_policy(settings: &Settings, can: &Abilities) -> Option<AskForApproval> {
    Some(match wanted(settings)? {
        ApprovalPolicy::Never => AskForApproval::Never,
        ApprovalPolicy::Untrusted => AskForApproval::Untrusted,
        ApprovalPolicy::OnRequest => AskForApproval::OnRequest,
        ApprovalPolicy::OnFailure if can.on_failure() => AskForApproval::Other(json!("on-failure")),
        ApprovalPolicy::OnFailure => AskForApproval::OnRequest,
    })
}

/// The policy that counts.
fn wanted(settings: &Settings) -> Option<ApprovalPolicy> {
    settings.approval_policy.or_else(|| {
        Some(match settings.permission_mode? {
            PermissionMode::BypassPermissions => ApprovalPolicy::Never,
            PermissionMode::Default | PermissionMode::AcceptEdits | PermissionMode::Plan => {
                ApprovalPolicy::Untrusted
            }
        })
    })
}

/// A policy that had to be said in another word.
pub(super) fn replaced(settings: &Settings, can: &Abilities) -> Option<Warning> {
    let replaced = wanted(settings) == Some(ApprovalPolicy::OnFailure) && !can.on_failure();
    replaced.then(|| Warning {
        code: Code::PolicyReplaced,
        message: "this Codex has no approval policy `on-failure`: `on-request` took its place".to_owned(),
        hint: Some("choose `on-request` or `untrusted`".to_owned()),
    })
}

/// What commands may do; unless given, what Codex is configured for.
pub(super) fn sandbox(settings: &Settings) -> Option<SandboxMode> {
    settings.sandbox.map(|sandbox| match sandbox {
        Sandbox::ReadOnly => SandboxMode::ReadOnly,
        Sandbox::WorkspaceWrite => SandboxMode::WorkspaceWrite,
        Sandbox::DangerFullAccess => SandboxMode::DangerFullAccess,
    })
}

/// Whether Codex plans before it acts.
#[must_use]
pub fn mode(settings: &Settings) -> ModeKind {
    match settings.permission_mode {
        Some(PermissionMode::Plan) => ModeKind::Plan,
        _ => ModeKind::Default,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, to_value};

    use super::*;

    fn said(policy: Option<ApprovalPolicy>, mode: Option<PermissionMode>) -> Value {
        let settings = Settings { approval_policy: policy, permission_mode: mode, ..Settings::default() };
        to_value(approval_policy(&settings, &Abilities::newest())).unwrap()
    }

    #[test]
    fn modes_mean_what_the_companion_says_and_a_policy_counts_before_them() {
        let modes = [
            (PermissionMode::BypassPermissions, "never"),
            (PermissionMode::AcceptEdits, "untrusted"),
            (PermissionMode::Plan, "untrusted"),
            (PermissionMode::Default, "untrusted"),
        ];
        for (mode, policy) in modes {
            assert_eq!(said(None, Some(mode)), policy);
            assert_eq!(said(Some(ApprovalPolicy::OnRequest), Some(mode)), "on-request");
        }
        assert_eq!(said(None, None), Value::Null, "Codex's own configuration counts");
    }

    /// That it is kept where it exists is tried on the real 0.120.
    #[test]
    fn on_failure_is_replaced_with_a_warning_where_it_does_not_exist() {
        let policy = Some(ApprovalPolicy::OnFailure);
        let settings = Settings { approval_policy: policy, ..Settings::default() };
        assert_eq!(said(policy, None), "on-request");
        assert_eq!(replaced(&settings, &Abilities::newest()).unwrap().code, Code::PolicyReplaced);
    }
}
