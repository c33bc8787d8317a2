//! Answers to `applyPatchApproval` and `execCommandApproval`, which only old versions ask, in their old words.

use selvedge_protocol::say::{
    ApprovedExecpolicyAmendmentReviewDecision, ExecCommandApprovalResponse, ReviewDecision,
};
use selvedge_session::data::Decision;
use serde_json::{Value, json};

use super::command::words;

/// Only they name their thread so.
pub(super) fn is_legacy(request: &Value) -> bool {
    request.get("conversationId").is_some() && request.get("threadId").is_none()
}

/// Both are answered alike. `denied` is a plain word where these requests are still made; today's schema has an object.
pub(super) fn answer(decision: Decision, content: &Value) -> ExecCommandApprovalResponse {
    let rule = words(&content["amendment"]).map(ApprovedExecpolicyAmendmentReviewDecision::new);
    ExecCommandApprovalResponse::new(match decision {
        Decision::Accept => {
            rule.map_or(ReviewDecision::Approved, ReviewDecision::ApprovedExecpolicyAmendment)
        }
        Decision::AcceptForSession => ReviewDecision::ApprovedForSession,
        Decision::Decline | Decision::Expired => ReviewDecision::Other(json!("denied")),
        Decision::Cancel => ReviewDecision::Abort,
    })
}
