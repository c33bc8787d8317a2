//! Failures of the model, in the words and codes that Codex makes of them.

use serde_json::{Value, json};

use super::{Cut, Played, Playing};
use crate::scenario::{Fail, FailKind};

impl Playing {
    pub(super) async fn fail(&mut self, fail: &Fail, first: bool) -> Played {
        if fail.kind == FailKind::UsageLimit || !first {
            self.tell(&super::super::messages::rate_limits()).await;
        }
        let (message, info) = words(fail.kind);
        let info = if first { info } else { info_of_stream(fail.kind) };
        Err(Cut::Failed { message: fail.message.clone().unwrap_or_else(|| message.to_owned()), info })
    }
}

/// A response that fails after it began has other codes.
fn info_of_stream(kind: FailKind) -> Value {
    match kind {
        FailKind::TooManyRequests => json!("rateLimitExceeded"),
        FailKind::ServerError | FailKind::Unauthorized | FailKind::ModelNotFound => json!("other"),
        kind => words(kind).1,
    }
}

/// A stream that was cut.
pub(super) fn disconnected() -> Cut {
    let (message, info) = words(FailKind::Disconnect);
    Cut::Failed { message: message.to_owned(), info }
}

fn words(kind: FailKind) -> (&'static str, Value) {
    match kind {
        FailKind::ServerError => (
            "We’re currently experiencing high demand, which may cause temporary errors.",
            json!("internalServerError"),
        ),
        FailKind::Overloaded => {
            ("Selected model is at capacity. Please try a different model.", json!("serverOverloaded"))
        }
        FailKind::TooManyRequests => (
            "exceeded retry limit, last status: 429 Too Many Requests",
            json!({ "responseTooManyFailedAttempts": { "httpStatusCode": 429 } }),
        ),
        FailKind::UsageLimit => {
            ("You’ve hit your usage limit. Try again later.", json!("usageLimitExceeded"))
        }
        FailKind::Unauthorized => (
            "unexpected status 401 Unauthorized: bad key",
            json!({ "httpConnectionFailed": { "httpStatusCode": 401 } }),
        ),
        FailKind::BadRequest => ("bad request", json!("other")),
        FailKind::ModelNotFound => ("The model does not exist", json!("modelNotFound")),
        FailKind::ContextWindow => (
            "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
            json!("contextWindowExceeded"),
        ),
        FailKind::Disconnect => {
            ("stream disconnected before completion: stream closed before response.completed", json!("other"))
        }
    }
}
