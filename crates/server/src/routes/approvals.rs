//! What Codex asks a person, and the answers.

mod fit;

use std::collections::BTreeMap;

use axum::extract::State;
use selvedge_runtime::{Answer as Given, PendingApproval};
use selvedge_session::{
    ApprovalId, Json,
    data::{ApprovalResolved, Decision},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::pending::Pending;
use crate::{
    access::Caller,
    answer::Answer,
    gateway::Gateway,
    idempotent::Once,
    in_path::InPath,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
    strict::{Asked, Strict},
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(answer))
}

/// Everything that waits for a person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct Approvals {
    /// Oldest first.
    items: Vec<PendingApproval>,
}

/// What Codex asks a person, in all sessions.
#[utoipa::path(
    get, operation_id = "list_approvals", path = "/v1/approvals", tag = "approvals", params(Pending),
    responses(
        (status = 200, body = Approvals, description = "All that wait.", links(
            ("answer" = (operation_id = "answer_approval", parameters(("id" = "$response.body#/items/0/approval_id")))),
        )),
        Problems
    )
)]
async fn list(
    State(gateway): State<Gateway>,
    Asked(_): Asked<Pending>,
) -> Result<Answer<Approvals>, Problem> {
    Ok(Answer::ok(Approvals { items: gateway.runtime().approvals().await? }))
}

/// What a person decides.
#[derive(Debug, Clone, Copy, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum Choice {
    /// Yes.
    Accept,
    /// Yes, and for the rest of the app-server's life.
    AcceptForSession,
    /// No; the turn goes on.
    Decline,
    /// No; the turn ends.
    Cancel,
}

/// An answer to what Codex asks.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
struct AnswerApproval {
    /// What is decided.
    decision: Choice,
    /// Said to the agent with a no.
    message: Option<String>,
    /// To questions (`user_input`): by the question's id, a text or several.
    answers: Option<BTreeMap<String, Answers>>,
    /// Of a form (`elicitation`): its fields.
    content: Option<Value>,
    /// With a command: the words that may begin a command from now on, in every session of this Codex, or a host with what
    /// is decided about it.
    amendment: Option<Amendment>,
}

/// One text, or several.
#[derive(Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(untagged)]
enum Answers {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

/// A rule that Codex keeps for good.
#[derive(Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(untagged)]
enum Amendment {
    /// The words a command begins with.
    Words(Vec<String>),
    /// A host that commands may reach, or may not.
    Host {
        /// Which.
        host: String,
        /// Whether they may.
        action: Action,
    },
}

/// Whether a host may be reached.
#[derive(Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    /// It may.
    Allow,
    /// It may not.
    Deny,
}

/// Answers what Codex asks a person.
///
/// The first answer wins: a later one is refused with `already_answered`, and who answered.
#[utoipa::path(
    post, operation_id = "answer_approval", path = "/v1/approvals/{id}", tag = "approvals", params(("id" = ApprovalId, Path)),
    request_body = AnswerApproval,
    responses((status = 200, body = ApprovalResolved, description = "It is answered so."), Problems)
)]
async fn answer(
    State(gateway): State<Gateway>,
    InPath(id): InPath<ApprovalId>,
    (caller, Once(key)): (Caller, Once),
    Strict(body): Strict<AnswerApproval>,
) -> Result<Answer<ApprovalResolved>, Problem> {
    let waiting = gateway.runtime().approvals().await?;
    // One that does not wait is refused with why, by whoever knows.
    if let Some(asked) = waiting.iter().find(|asked| asked.approval_id == id) {
        body.fits(asked)?;
    }
    let given = body.given(caller.name);
    let (decision, by, message) = (given.decision, given.by.clone(), given.message.clone());
    gateway.runtime().asked_in(id).await?.keyed(key).answer(id, given).await?;
    Ok(Answer::ok(ApprovalResolved { approval_id: id, decision, by, message }))
}

impl AnswerApproval {
    fn given(self, by: String) -> Given {
        let decision = match self.decision {
            Choice::Accept => Decision::Accept,
            Choice::AcceptForSession => Decision::AcceptForSession,
            Choice::Decline => Decision::Decline,
            Choice::Cancel => Decision::Cancel,
        };
        let parts = [
            ("answers", self.answers.and_then(|answers| serde_json::to_value(answers).ok())),
            ("content", self.content),
            ("amendment", self.amendment.and_then(|amendment| serde_json::to_value(amendment).ok())),
        ];
        let parts = parts.into_iter().filter_map(|(name, part)| Some((name.to_owned(), part?)));
        let content: Map<String, Value> = parts.collect();
        let content = (!content.is_empty()).then(|| Json::from(Value::Object(content)));
        Given { decision, by, message: self.message, content }
    }
}
