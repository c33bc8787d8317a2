//! Failures of the model, in the words and codes that Codex makes of them.

use serde_json::{Value, json};

use super::{super::messages, Cut, Played, Playing};
use crate::scenario::{Fail, FailKind};

impl Playing {
    /// A failure that comes first is one of the request; later it is one of the stream, and Codex calls it otherwise.
    pub(super) async fn fail(&mut self, fail: &Fail, first: bool) -> Played {
        let has_begun = matches!(fail.kind, FailKind::UsageLimit | FailKind::ContextWindow) || !first;
        if has_begun {
            self.repeat_usage().await;
        }
        if fail.kind == FailKind::ContextWindow {
            // Codex counts the context as full now.
            let totals = self.thread.state().usage;
            self.tell(&self.place().usage(&totals)).await;
            self.tell(&messages::rate_limits()).await;
        }
        let said = fail.message.clone().unwrap_or_else(|| format!("rehearsal: failed as {:?}", fail.kind));
        let (message, info) = words(fail.kind, said);
        let info = if first { info } else { info_of_stream(fail.kind, info) };
        Err(Cut::Failed { message, info })
    }
}

/// A stream that was cut.
pub(super) fn disconnected() -> Cut {
    let (message, info) = words(FailKind::Disconnect, String::new());
    Cut::Failed { message, info }
}

fn info_of_stream(kind: FailKind, info: Value) -> Value {
    match kind {
        FailKind::TooManyRequests => json!("rateLimitExceeded"),
        FailKind::ServerError | FailKind::Unauthorized | FailKind::ModelNotFound => json!("other"),
        _ => info,
    }
}

/// What Codex says and which code it gives; some keep what the server said.
fn words(kind: FailKind, said: String) -> (String, Value) {
    let fixed = |words: &str, info: Value| (words.to_owned(), info);
    match kind {
        FailKind::ServerError => fixed(
            "We’re currently experiencing high demand, which may cause temporary errors.",
            json!("internalServerError"),
        ),
        FailKind::Overloaded => {
            fixed("Selected model is at capacity. Please try a different model.", json!("serverOverloaded"))
        }
        FailKind::TooManyRequests => fixed(
            "exceeded retry limit, last status: 429 Too Many Requests",
            json!({ "responseTooManyFailedAttempts": { "httpStatusCode": 429 } }),
        ),
        FailKind::UsageLimit => fixed(
            "You’ve hit your usage limit. Visit https://chatgpt.com/settings/usage to purchase more credits or try again later.",
            json!("usageLimitExceeded"),
        ),
        FailKind::Unauthorized => (
            format!("unexpected status 401 Unauthorized: {said}"),
            json!({ "httpConnectionFailed": { "httpStatusCode": 401 } }),
        ),
        FailKind::BadRequest => {
            let body = json!({ "error": { "message": said, "type": "invalid_request_error" } });
            (body.to_string(), json!("other"))
        }
        FailKind::ModelNotFound => (said, json!("modelNotFound")),
        FailKind::ContextWindow => fixed(
            "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
            json!("contextWindowExceeded"),
        ),
        FailKind::Disconnect => fixed(
            "stream disconnected before completion: Transport error: network error: error decoding response body",
            json!("other"),
        ),
    }
}
