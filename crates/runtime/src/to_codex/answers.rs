//! Answers to what Codex asks a person. Silence and doubt are a no: only what was asked for is ever granted.

mod command;
mod elicitation;
mod legacy;

use selvedge_protocol::say::{
    FileChangeApprovalDecision, FileChangeRequestApprovalResponse, GrantedPermissionProfile,
    PermissionGrantScope, PermissionsRequestApprovalResponse, ToolRequestUserInputAnswer,
    ToolRequestUserInputResponse,
};
use selvedge_session::{
    Json,
    data::{ApprovalKind, Decision},
};
use serde::Serialize;
use serde_json::{Map, Value};

/// What is to be answered. Everything in it is journaled: the request with `approval.requested`, the rest with its answer.
#[derive(Debug, Clone, Copy)]
pub struct ToAnswer<'a> {
    /// What was asked about.
    pub kind: ApprovalKind,
    /// What was decided.
    pub decision: Decision,
    /// What was given with the decision: `answers`, `content`, `_meta` or `amendment`.
    pub content: Option<&'a Json>,
    /// What Codex asked, in its own fields. Without it nothing is granted that stands only there.
    pub request: &'a Json,
}

/// The result that answers a request of Codex's.
#[must_use]
pub fn answer(it: &ToAnswer<'_>) -> Value {
    let request: Value = serde_json::from_str(it.request.text()).unwrap_or_default();
    let content: Value =
        it.content.and_then(|content| serde_json::from_str(content.text()).ok()).unwrap_or_default();
    if legacy::is_legacy(&request) {
        return written(&legacy::answer(it.decision, &content));
    }
    match it.kind {
        ApprovalKind::Command => written(&command::answer(it.decision, &content)),
        ApprovalKind::FileChange => written(&file_change(it.decision)),
        ApprovalKind::Permissions => written(&permissions(it.decision, &request)),
        ApprovalKind::UserInput => written(&user_input(it.decision, &content)),
        ApprovalKind::Elicitation => written(&elicitation::answer(it.decision, content, &request)),
    }
}

/// As JSON. What we say always can be; if not, Codex takes `null` for a no.
fn written(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).unwrap_or_default()
}

fn file_change(decision: Decision) -> FileChangeRequestApprovalResponse {
    FileChangeRequestApprovalResponse::new(match decision {
        Decision::Accept => FileChangeApprovalDecision::Accept,
        Decision::AcceptForSession => FileChangeApprovalDecision::AcceptForSession,
        Decision::Decline | Decision::Expired => FileChangeApprovalDecision::Decline,
        Decision::Cancel => FileChangeApprovalDecision::Cancel,
    })
}

/// Yes is what was asked for, no is nothing: there is no other word for it. It cannot end the turn.
fn permissions(decision: Decision, request: &Value) -> PermissionsRequestApprovalResponse {
    let (granted, scope) = match decision {
        Decision::Accept => (asked_for(request), PermissionGrantScope::Turn),
        Decision::AcceptForSession => (asked_for(request), PermissionGrantScope::Session),
        Decision::Decline | Decision::Cancel | Decision::Expired => (Map::new(), PermissionGrantScope::Turn),
    };
    let granted = GrantedPermissionProfile { extra: granted, ..Default::default() };
    PermissionsRequestApprovalResponse {
        scope: Some(scope),
        ..PermissionsRequestApprovalResponse::new(granted)
    }
}

/// Passed back as it is, also what we do not know; only what was not asked for is left out.
fn asked_for(request: &Value) -> Map<String, Value> {
    let asked = request["permissions"].as_object().into_iter().flatten();
    asked.filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Answers by question; none of them for a no.
fn user_input(decision: Decision, content: &Value) -> ToolRequestUserInputResponse {
    let given = content.get("answers").unwrap_or(content).as_object();
    let accepted = matches!(decision, Decision::Accept | Decision::AcceptForSession);
    let given = given.filter(|_| accepted).into_iter().flatten();
    let answers = given.map(|(question, answer)| {
        let answers = texts(answer.get("answers").unwrap_or(answer));
        (question.clone(), ToolRequestUserInputAnswer::new(answers))
    });
    ToolRequestUserInputResponse::new(answers.collect())
}

/// One text, or several.
fn texts(answer: &Value) -> Vec<String> {
    let one = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match answer {
        Value::Null => Vec::new(),
        Value::Array(several) => several.iter().map(one).collect(),
        other => vec![one(other)],
    }
}

#[cfg(test)]
mod tests;
