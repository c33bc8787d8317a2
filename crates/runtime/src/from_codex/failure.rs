//! Codex's errors as ours: where they arose, and a stable code.

use selvedge_protocol::see::{Turn, TurnError, TurnStatus};
use selvedge_session::{Code, Failure, Json, Phase};
use serde_json::{Value, json, value::RawValue};

/// A failure in Codex's words.
#[must_use]
pub fn failure_of(error: &TurnError<'_>) -> Failure {
    let info = error.object().raw("codexErrorInfo");
    let code = info.and_then(|raw| serde_json::from_str(raw.get()).ok()).and_then(|info| word(&info));
    let code = code.unwrap_or_else(|| "other".to_owned());
    let details = json!({
        "codexErrorInfo": info,
        "additionalDetails": error.object().raw("additionalDetails"),
    });
    let code = snake_case(&code);
    let known = Code::named(&code);
    Failure {
        // What is new in Codex is in what the model's side answered, as far as we can tell.
        phase: known.map_or(Phase::Response, Code::phase),
        hint: known.map(|code| code.hint().to_owned()),
        message: error.message().unwrap_or_default().into_owned(),
        details: Some(Json::from(details)),
        code,
    }
}

/// Why a turn failed, also if Codex does not say.
#[must_use]
pub fn failure_of_turn(turn: &Turn<'_>) -> Failure {
    let unsaid = || match turn.status() {
        Some(TurnStatus::Failed) => "the turn failed, and Codex keeps no reason".to_owned(),
        _ => {
            let status = turn.object().raw("status").map_or("no status", RawValue::get);
            format!("the turn ended in a way we do not know: {status}")
        }
    };
    turn.error().as_ref().map(failure_of).unwrap_or_else(|| Failure {
        phase: Phase::Response,
        code: "unknown_status".to_owned(),
        message: unsaid(),
        hint: None,
        details: None,
    })
}

/// The word of an error: itself, or the one key of an object.
fn word(info: &Value) -> Option<String> {
    match info {
        Value::String(word) => Some(word.clone()),
        Value::Object(fields) => fields.keys().next().cloned(),
        _ => None,
    }
}

fn snake_case(word: &str) -> String {
    let mut snake = String::with_capacity(word.len() + 4);
    for letter in word.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use selvedge_protocol::view::View;

    use super::*;

    #[test]
    fn every_error_has_a_phase_and_a_code() {
        let cases = [
            (json!("contextWindowExceeded"), Phase::Response, "context_window_exceeded"),
            (json!("usageLimitExceeded"), Phase::Budget, "usage_limit_exceeded"),
            (
                json!({"httpConnectionFailed": {"httpStatusCode": 401}}),
                Phase::Request,
                "http_connection_failed",
            ),
            (json!("sandboxError"), Phase::Tool, "sandbox_error"),
            (json!("somethingNew"), Phase::Response, "something_new"),
            (json!(7), Phase::Response, "other"),
        ];
        for (info, phase, code) in cases {
            let raw = json!({"message": "m", "codexErrorInfo": info}).to_string();
            let raw = serde_json::from_str(&raw).unwrap();
            let failure = failure_of(&TurnError::view(raw).unwrap());
            assert_eq!((failure.phase, failure.code.as_str(), failure.message.as_str()), (phase, code, "m"));
        }
    }

    #[test]
    fn a_turn_says_why_it_failed_or_which_word_nobody_knows() {
        let failure = |turn: Value| {
            let raw = turn.to_string();
            failure_of_turn(&Turn::view(serde_json::from_str(&raw).unwrap()).unwrap()).message
        };
        assert_eq!(failure(json!({"id": "t", "status": "failed", "error": {"message": "m"}})), "m");
        assert!(failure(json!({"id": "t", "status": "failed"})).contains("keeps no reason"));
        assert!(failure(json!({"id": "t", "status": "wandering"})).ends_with("\"wandering\""));
        assert!(failure(json!({"id": "t"})).ends_with("no status"));
    }
}
