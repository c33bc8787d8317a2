//! A call without a result, as a failure of ours: what Codex meant by its refusal, and what to do about it.

use selvedge_client::{CallError, Hint, RpcError};
use selvedge_session::{Code, Failure, Json};
use serde_json::json;

/// What Codex means by a refusal. It has one code for almost everything, so its words have to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// Another process writes this thread: waited out, never answered with a new thread.
    WriterLocked,
    /// There is no such thread, or none that was ever written.
    ThreadGone,
    /// The thread was put away, and has to be brought back first.
    Archived,
    /// Nobody is logged in.
    NotLoggedIn,
    /// Not now: overloaded, or in a turn that takes nothing.
    Busy,
    /// The turn to be interrupted has not begun, or has ended.
    TurnNotStarted,
    /// The turn to be steered is not the one that runs.
    NoActiveTurn,
    /// Anything else.
    Other,
}

/// Said of a thread that is not there. One that was killed before its first word was written has an empty rollout.
const GONE: [&str; 5] = [
    "no rollout found",
    "no archived rollout found",
    "thread not found",
    "thread not loaded",
    "is not materialized yet",
];

/// What Codex meant, if it was Codex that refused.
#[must_use]
pub fn refused(error: &CallError) -> Option<Refused> {
    match error {
        CallError::Refused { method, error } => Some(meaning(method, error)),
        _ => None,
    }
}

fn meaning(method: &str, error: &RpcError) -> Refused {
    let message = error.message.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|words| message.contains(words));
    if error.is_overload() || says(&["not steerable", "cannot be steered", "cannot steer"]) {
        Refused::Busy
    } else if says(&["already has an active writer"]) {
        Refused::WriterLocked
    } else if says(&["is archived"]) {
        Refused::Archived
    } else if says(&["no active turn", "expected active turn id"]) {
        if method == "turn/interrupt" { Refused::TurnNotStarted } else { Refused::NoActiveTurn }
    } else if says(&GONE) || (says(&["rollout at"]) && says(&["is empty"])) {
        Refused::ThreadGone
    } else if says(&["not logged in", "authentication required", "log in", "login required"]) {
        Refused::NotLoggedIn
    } else {
        Refused::Other
    }
}

/// The failure to show: a code of ours, Codex's words, and what to do.
#[must_use]
pub fn failure(error: &CallError) -> Failure {
    let code = code(error);
    let refusal = error.refusal();
    let details = json!({
        "rpc_code": refusal.map(|error| error.code),
        "data": refusal.and_then(|error| error.data.as_deref()),
    });
    let hint = error.hint().or_else(|| Some(code.hint().to_owned()));
    Failure { hint, details: Some(Json::from(details)), ..Failure::coded(code, error.to_string()) }
}

fn code(error: &CallError) -> Code {
    match error {
        CallError::Refused { method, error } => refusal_code(method, error),
        CallError::TimedOut { .. } => Code::RequestTimedOut,
        CallError::Ended { sent: true, .. } => Code::OutcomeUnknown,
        CallError::Ended { sent: false, .. }
        | CallError::InputClosed { .. }
        | CallError::Unreadable { .. } => Code::CodexUnusable,
        CallError::Unwritable { .. } => Code::Internal,
    }
}

fn refusal_code(method: &str, error: &RpcError) -> Code {
    match meaning(method, error) {
        Refused::WriterLocked => Code::ThreadBusy,
        Refused::ThreadGone => Code::ThreadFailed,
        Refused::Archived => Code::Archived,
        Refused::NotLoggedIn => Code::NotLoggedIn,
        Refused::Busy if error.is_overload() => Code::ServerOverloaded,
        Refused::Busy => Code::ActiveTurnNotSteerable,
        Refused::TurnNotStarted | Refused::NoActiveTurn => Code::Idle,
        Refused::Other => other_code(method, error),
    }
}

/// A refusal with no meaning to the runtime may still have one to people.
fn other_code(method: &str, error: &RpcError) -> Code {
    let data = error.data.as_ref().map_or("", |data| data.get());
    if data.contains("input_too_large") {
        Code::InputTooLong
    } else if error.message.contains("remote image URLs") {
        Code::ImageUrlRefused
    } else if method.starts_with("thread/") {
        Code::ThreadFailed
    } else {
        Code::InvalidArgument
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::value::RawValue;

    use super::*;

    fn refusal(method: &str, code: i64, message: &str) -> CallError {
        let error = RpcError { code, message: message.to_owned(), data: None };
        CallError::Refused { method: method.to_owned(), error }
    }

    /// The words of the real 0.166.0.
    #[test]
    fn what_codex_means_is_read_from_its_words() {
        let cases = [
            ("thread/resume", "thread 01a1 already has an active writer", Refused::WriterLocked),
            ("thread/resume", "no rollout found for thread id 019a", Refused::ThreadGone),
            ("thread/unarchive", "no archived rollout found for thread id 019a", Refused::ThreadGone),
            ("turn/start", "thread not found: 019a", Refused::ThreadGone),
            ("thread/read", "thread not loaded: 019a", Refused::ThreadGone),
            ("thread/resume", "failed to read thread: rollout at /r.jsonl is empty", Refused::ThreadGone),
            ("thread/resume", "session 01a1 is archived. Run `codex unarchive 01a1`", Refused::Archived),
            ("turn/interrupt", "no active turn to interrupt", Refused::TurnNotStarted),
            ("turn/interrupt", "expected active turn id a but found b", Refused::TurnNotStarted),
            ("turn/steer", "no active turn to steer", Refused::NoActiveTurn),
            ("turn/steer", "expected active turn id `a` but found `b`", Refused::NoActiveTurn),
            (
                "account/rateLimits/read",
                "codex account authentication required to read rate limits",
                Refused::NotLoggedIn,
            ),
            ("thread/start", "failed to load configuration: x", Refused::Other),
        ];
        for (method, message, expected) in cases {
            assert_eq!(refused(&refusal(method, -32600, message)), Some(expected), "{message}");
        }
        assert_eq!(refused(&refusal("turn/start", -32001, "Server overloaded")), Some(Refused::Busy));
    }

    #[test]
    fn a_failure_has_a_code_and_says_what_to_do() {
        let locked = failure(&refusal("thread/resume", -32600, "thread x already has an active writer"));
        assert_eq!(locked.code, Code::ThreadBusy.as_str());
        assert!(locked.hint.unwrap().contains("end the other process"));
        let after = Duration::from_secs(120);
        let late = CallError::TimedOut { method: "turn/start".to_owned(), after, sent: true };
        assert_eq!(refused(&late), None);
        let late = failure(&late);
        assert_eq!(late.code, Code::RequestTimedOut.as_str());
        assert!(late.hint.unwrap().contains("outcome is unknown"));
    }

    #[test]
    fn a_refusal_without_a_meaning_to_us_still_has_the_best_code() {
        let data = RawValue::from_string(r#"{"input_error_code":"input_too_large"}"#.to_owned()).unwrap();
        let error = RpcError { code: -32602, message: "too long".to_owned(), data: Some(data) };
        let long = CallError::Refused { method: "turn/start".to_owned(), error };
        assert_eq!(failure(&long).code, Code::InputTooLong.as_str());
        let cases = [
            ("turn/start", "remote image URLs are not supported", Code::ImageUrlRefused),
            ("thread/start", "failed to load configuration: x", Code::ThreadFailed),
            ("turn/start", "Invalid request: unknown variant", Code::InvalidArgument),
        ];
        for (method, message, code) in cases {
            assert_eq!(failure(&refusal(method, -32600, message)).code, code.as_str());
        }
    }
}
