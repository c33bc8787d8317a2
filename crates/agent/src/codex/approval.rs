//! What Codex asks before it acts, and who answers.

use std::future::Future;
use std::pin::Pin;

use selvedge_runtime::session::ApprovalPolicy;
use selvedge_runtime::session::data::{ApprovalKind, ApprovalRequested, Decision};
use serde_json::Value;

/// Decides about what Codex asks.
pub(crate) type Approver =
    dyn Fn(ApprovalRequest) -> Pin<Box<dyn Future<Output = Approval> + Send>> + Send + Sync;

/// What Codex wants to do.
///
/// ```
/// use selvedge_agent::{Approval, ApprovalKind, ApprovalPolicy, ApprovalRequest, Session, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let rehearsal = Rehearsal::builder().otherwise(|model| model.asks_to_run("rm -r target", "It is in the way.").says("Well.")).build()?;
/// let decide = async |asked: ApprovalRequest| {
///     assert_eq!((asked.kind, asked.reason()), (ApprovalKind::Command, Some("It is in the way.")));
///     if asked.command().is_some_and(|command| command.contains("rm ")) { Approval::Decline } else { Approval::Accept }
/// };
/// let codex = rehearsal.codex().approval_policy(ApprovalPolicy::OnRequest).approvals(decide).build().await?;
/// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
/// assert_eq!(codex.evaluate(&prompt, &Session::new()).await?.text, "Well.");
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// What kind of thing it is.
    pub kind: ApprovalKind,
    /// Codex's own fields.
    pub request: Value,
}

impl ApprovalRequest {
    /// The command that is to be run, if it is about one.
    #[must_use]
    pub fn command(&self) -> Option<&str> {
        self.request.get("command").and_then(Value::as_str)
    }

    /// Why, in Codex's words.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.request.get("reason").and_then(Value::as_str)
    }
}

/// What was decided.
///
/// ```
/// use selvedge_agent::{Approval, ApprovalPolicy, ApprovalRequest, Codex};
///
/// // Somebody could be asked here, and take as long as they like: only this turn waits.
/// let decide = async |asked: ApprovalRequest| match asked.command() {
///     Some(command) if command.starts_with("cargo test") => Approval::Accept,
///     _ => Approval::Decline,
/// };
/// let codex = Codex::builder().approval_policy(ApprovalPolicy::OnRequest).approvals(decide);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// Yes.
    Accept,
    /// No; the turn goes on.
    Decline,
}

impl From<Approval> for Decision {
    fn from(approval: Approval) -> Self {
        match approval {
            Approval::Accept => Self::Accept,
            Approval::Decline => Self::Decline,
        }
    }
}

/// Who answers a question.
pub(crate) enum Answering {
    /// The runtime has answered already, by its policy.
    Nobody,
    /// It is clear.
    At(Approval),
    /// The program is asked.
    Program(ApprovalRequest),
}

/// Who answers this question, under this policy.
pub(crate) fn answering(asked: &ApprovalRequested, policy: ApprovalPolicy, has_approver: bool) -> Answering {
    let request: Value = serde_json::from_str(asked.request.text()).unwrap_or_default();
    let is_tool_call = request["_meta"]["codex_approval_kind"].is_string();
    match asked.kind {
        _ if policy == ApprovalPolicy::Never => Answering::Nobody,
        ApprovalKind::UserInput => Answering::At(Approval::Decline),
        ApprovalKind::Elicitation if !is_tool_call => Answering::At(Approval::Decline),
        kind if has_approver => Answering::Program(ApprovalRequest { kind, request }),
        ApprovalKind::Permissions => Answering::At(Approval::Decline),
        _ if policy == ApprovalPolicy::OnRequest => Answering::At(Approval::Decline),
        _ => Answering::At(Approval::Accept),
    }
}

#[cfg(test)]
mod tests {
    use selvedge_runtime::session::ApprovalId;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    /// `-` nobody, `y` yes, `n` no, `?` the program.
    fn answered(kind: ApprovalKind, request: Value, policy: ApprovalPolicy, has_approver: bool) -> char {
        let asked =
            ApprovalRequested { approval_id: ApprovalId(Uuid::now_v7()), kind, request: request.into() };
        match answering(&asked, policy, has_approver) {
            Answering::Nobody => '-',
            Answering::At(Approval::Accept) => 'y',
            Answering::At(Approval::Decline) => 'n',
            Answering::Program(_) => '?',
        }
    }

    #[test]
    fn who_answers_what_under_which_policy() {
        use ApprovalPolicy::{Never, OnFailure, OnRequest, Untrusted};
        let call = json!({"_meta": {"codex_approval_kind": "mcp_tool_call"}});
        // In the order never, untrusted, on-failure, on-request; then the same with somebody who decides.
        let cases = [
            (ApprovalKind::Command, json!({}), "-yyn", "-???"),
            (ApprovalKind::FileChange, json!({}), "-yyn", "-???"),
            (ApprovalKind::Elicitation, call, "-yyn", "-???"),
            (ApprovalKind::Permissions, json!({}), "-nnn", "-???"),
            (ApprovalKind::Elicitation, json!({}), "-nnn", "-nnn"),
            (ApprovalKind::UserInput, json!({}), "-nnn", "-nnn"),
        ];
        for (kind, request, alone, with_somebody) in cases {
            for (has_approver, expected) in [(false, alone), (true, with_somebody)] {
                let policies = [Never, Untrusted, OnFailure, OnRequest];
                let found = policies.map(|policy| answered(kind, request.clone(), policy, has_approver));
                assert_eq!(String::from_iter(found), expected, "{kind:?}, {has_approver}");
            }
        }
    }
}
