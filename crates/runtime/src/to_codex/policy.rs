//! When Codex asks, what commands may do, and whether it plans first: a session's settings in Codex's words.

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

/// What Codex offers for one word of ours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dialect {
    /// Whether this version still has the policy `on-failure` (0.120 has it, 0.166 refuses it).
    pub has_on_failure: bool,
}

/// When Codex asks: the policy if there is one, else what the mode means, else what Codex is configured for.
#[must_use]
pub fn approval_policy(settings: &Settings, dialect: Dialect) -> Option<AskForApproval> {
    Some(match wanted(settings)? {
        ApprovalPolicy::Never => AskForApproval::Never,
        ApprovalPolicy::Untrusted => AskForApproval::Untrusted,
        ApprovalPolicy::OnRequest => AskForApproval::OnRequest,
        ApprovalPolicy::OnFailure if dialect.has_on_failure => AskForApproval::Other(json!("on-failure")),
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

/// What had to be said in other words.
pub(super) fn warnings(settings: &Settings, dialect: Dialect) -> Vec<Warning> {
    let replaced = wanted(settings) == Some(ApprovalPolicy::OnFailure) && !dialect.has_on_failure;
    let warning = replaced.then(|| Warning {
        code: Code::PolicyReplaced,
        message: "this Codex has no approval policy `on-failure`: `on-request` took its place".to_owned(),
        hint: Some("choose `on-request` or `untrusted`".to_owned()),
    });
    warning.into_iter().collect()
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

    const TODAY: Dialect = Dialect { has_on_failure: false };

    fn said(policy: Option<ApprovalPolicy>, mode: Option<PermissionMode>, dialect: Dialect) -> Value {
        let settings = Settings { approval_policy: policy, permission_mode: mode, ..Settings::default() };
        to_value(approval_policy(&settings, dialect)).unwrap()
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
            assert_eq!(said(None, Some(mode), TODAY), policy);
            assert_eq!(said(Some(ApprovalPolicy::OnRequest), Some(mode), TODAY), "on-request");
        }
        assert_eq!(said(None, None, TODAY), Value::Null, "Codex's own configuration counts");
    }

    #[test]
    fn on_failure_is_kept_where_it_exists_and_replaced_with_a_warning_where_not() {
        let policy = Some(ApprovalPolicy::OnFailure);
        let settings = Settings { approval_policy: policy, ..Settings::default() };
        let old = Dialect { has_on_failure: true };
        assert_eq!(said(policy, None, old), "on-failure");
        assert_eq!(warnings(&settings, old), []);
        assert_eq!(said(policy, None, TODAY), "on-request");
        assert_eq!(warnings(&settings, TODAY)[0].code, Code::PolicyReplaced);
    }
}
