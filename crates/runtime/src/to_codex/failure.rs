//! A call without a result, as a failure of ours: what Codex meant by its refusal, and what to do about it.

use selvedge_client::{CallError, Hint, RpcError};
use selvedge_session::{Failure, Json, Phase};
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
const GONE: [&str; 4] =
    ["no rollout found", "thread not found", "thread not loaded", "is not materialized yet"];

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

/// The failure to show: a stable code, the words, and in the details what to do.
#[must_use]
pub fn failure(error: &CallError) -> Failure {
    let (code, hint) = match refused(error) {
        Some(refused) => explained(refused),
        None => (unanswered(error), None),
    };
    let hint = hint.map(str::to_owned).or_else(|| error.hint());
    let refusal = error.refusal();
    let details = json!({
        "hint": hint,
        "rpc_code": refusal.map(|error| error.code),
        "data": refusal.and_then(|error| error.data.as_deref()),
    });
    Failure {
        phase: Phase::Request,
        code: code.to_owned(),
        message: error.to_string(),
        details: Some(Json::from(details)),
    }
}

fn unanswered(error: &CallError) -> &'static str {
    match error {
        CallError::TimedOut { .. } => "codex_timeout",
        CallError::Ended { .. } | CallError::InputClosed { .. } => "codex_ended",
        CallError::Unreadable { .. } => "codex_unreadable",
        CallError::Unwritable { .. } | CallError::Refused { .. } => "codex_refused",
    }
}

fn explained(refused: Refused) -> (&'static str, Option<&'static str>) {
    match refused {
        Refused::WriterLocked => (
            "writer_locked",
            Some("another Codex process has this thread open: end it, or wait until it has ended"),
        ),
        Refused::ThreadGone => {
            ("thread_gone", Some("Codex has no history of this thread in this CODEX_HOME"))
        }
        Refused::Archived => ("thread_archived", Some("unarchive the session first")),
        Refused::NotLoggedIn => ("not_logged_in", Some("run `codex login`, or give an API key")),
        Refused::Busy => ("codex_busy", Some("send it again a little later")),
        Refused::TurnNotStarted => ("turn_not_started", None),
        Refused::NoActiveTurn => ("no_active_turn", None),
        Refused::Other => ("codex_refused", None),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
        assert_eq!((locked.code.as_str(), locked.phase), ("writer_locked", Phase::Request));
        assert!(locked.details.unwrap().text().contains("another Codex process"));
        let after = Duration::from_secs(120);
        let late = CallError::TimedOut { method: "turn/start".to_owned(), after, sent: true };
        assert_eq!(refused(&late), None);
        let late = failure(&late);
        assert_eq!(late.code, "codex_timeout");
        assert!(late.details.unwrap().text().contains("outcome is unknown"));
    }
}
