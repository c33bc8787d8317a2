//! How a response fails on the wire, so that Codex names it with the wanted `codexErrorInfo`.

use serde_json::{Value, json};

use crate::scenario::{Fail, FailKind};

/// The HTTP answer of a response that fails before it began.
pub(super) fn status_and_body(fail: &Fail) -> Option<(u16, String)> {
    let message = message(fail);
    let (status, error) = match fail.kind {
        FailKind::ServerError => (500, json!({"message": message, "type": "server_error"})),
        FailKind::Overloaded => (503, json!({"message": message, "code": "server_is_overloaded"})),
        FailKind::TooManyRequests => (429, json!({"message": message, "type": "too_many_requests"})),
        FailKind::UsageLimit => {
            (429, json!({"message": message, "type": "usage_limit_reached", "plan_type": "pro"}))
        }
        FailKind::Unauthorized => (401, json!({"message": message, "type": "invalid_request_error"})),
        FailKind::BadRequest => (400, json!({"message": message, "type": "invalid_request_error"})),
        FailKind::ModelNotFound => (404, json!({"message": message, "code": "model_not_found"})),
        FailKind::ContextWindow | FailKind::Disconnect => return None,
    };
    Some((status, json!({ "error": error }).to_string()))
}

/// The event of a response that fails after it began.
pub(super) fn failed_event(response: &str, fail: &Fail) -> Value {
    let code = match fail.kind {
        FailKind::Overloaded => "server_is_overloaded",
        FailKind::TooManyRequests => "rate_limit_exceeded",
        FailKind::UsageLimit => "insufficient_quota",
        FailKind::ContextWindow => "context_length_exceeded",
        FailKind::ModelNotFound => "model_not_found",
        FailKind::BadRequest => "invalid_prompt",
        FailKind::Unauthorized | FailKind::ServerError | FailKind::Disconnect => "server_error",
    };
    let error = json!({"code": code, "message": message(fail)});
    json!({"type": "response.failed", "response": {"id": response, "status": "failed", "error": error}})
}

fn message(fail: &Fail) -> String {
    fail.message.clone().unwrap_or_else(|| format!("rehearsal: failed as {:?}", fail.kind))
}
