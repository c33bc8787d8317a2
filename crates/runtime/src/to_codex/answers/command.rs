//! The answer about a command: also with a rule for all like it, or for a host.

use selvedge_protocol::say::{
    AcceptWithExecpolicyAmendmentCommandExecutionApprovalDecision as WithRule,
    ApplyNetworkPolicyAmendmentCommandExecutionApprovalDecision as WithHost,
    CommandExecutionApprovalDecision as Said, CommandExecutionRequestApprovalResponse,
    NetworkPolicyAmendment, NetworkPolicyRuleAction,
};
use selvedge_session::data::Decision;
use serde_json::Value;

pub(super) fn answer(decision: Decision, content: &Value) -> CommandExecutionRequestApprovalResponse {
    let amendment = &content["amendment"];
    CommandExecutionRequestApprovalResponse::new(match decision {
        Decision::Accept => rule(amendment).or_else(|| host(amendment)).unwrap_or(Said::Accept),
        Decision::AcceptForSession => Said::AcceptForSession,
        Decision::Decline | Decision::Expired => Said::Decline,
        Decision::Cancel => Said::Cancel,
    })
}

/// The words of a command: everything that begins with them may run from now on, in every session.
fn rule(amendment: &Value) -> Option<Said> {
    let words = words(amendment)?;
    Some(Said::AcceptWithExecpolicyAmendment(WithRule::new(words)))
}

/// Words, all of them; one that is none makes it no rule at all.
pub(super) fn words(amendment: &Value) -> Option<Vec<String>> {
    let words = amendment.as_array().filter(|words| !words.is_empty())?;
    words.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

/// A host that commands may reach, or may not.
fn host(amendment: &Value) -> Option<Said> {
    let host = amendment["host"].as_str()?;
    let action = match amendment["action"].as_str()? {
        "allow" => NetworkPolicyRuleAction::Allow,
        "deny" => NetworkPolicyRuleAction::Deny,
        _ => return None,
    };
    Some(Said::ApplyNetworkPolicyAmendment(WithHost::new(NetworkPolicyAmendment::new(action, host))))
}
