//! How a turn ended, as a browser is told.

use selvedge_session::{Failure, Status, Usage};
use serde::Serialize;

use super::message::Tokens;

/// The `data` of a `result`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// `result`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// `success` or `error_during_execution`.
    pub subtype: &'static str,
    /// Whether it failed, or nobody knows how it ended.
    pub is_error: bool,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The same, where the browser looks for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
    /// From the turn's start.
    pub duration_ms: u64,
    /// Not known.
    pub duration_api_ms: u64,
    /// Turns of the session so far.
    pub num_turns: u64,
    /// What the session cost so far, as far as prices are known.
    pub total_cost_usd: f64,
    /// `completed`, `failed`, `interrupted` or `lost`.
    pub stop_reason: &'static str,
    /// What the turn used.
    pub usage: Tokens,
    /// The turn's id, or that of the message that had none.
    pub uuid: String,
    /// Whose.
    pub session_id: String,
}

/// What is needed to tell how something ended.
pub(super) struct Ended<'a> {
    pub(super) status: Status,
    pub(super) error: Option<&'a Failure>,
    pub(super) duration_ms: u64,
    pub(super) usage: Usage,
    pub(super) id: String,
}

impl Outcome {
    pub(super) fn of(ended: Ended<'_>, session_id: &str, num_turns: u64, total_cost_usd: f64) -> Self {
        let is_error = matches!(ended.status, Status::Failed | Status::Lost);
        let words = ended.error.map(|error| error.message.clone());
        let words = words.or_else(|| (ended.status == Status::Lost).then(|| UNKNOWN.to_owned()));
        let words = words.filter(|_| is_error);
        Self {
            kind: "result",
            subtype: if is_error { "error_during_execution" } else { "success" },
            is_error,
            errors: words.iter().cloned().collect(),
            result: words,
            duration_ms: ended.duration_ms,
            duration_api_ms: 0,
            num_turns,
            total_cost_usd,
            stop_reason: ended.status.as_str(),
            usage: tokens(ended.usage),
            uuid: ended.id,
            session_id: session_id.to_owned(),
        }
    }
}

const UNKNOWN: &str = "nobody knows how this turn ended; it is not run again by itself";

/// Codex counts what came from the cache among the input, Claude beside it.
pub(super) fn tokens(usage: Usage) -> Tokens {
    Tokens {
        input_tokens: usage.input.saturating_sub(usage.cached_input),
        output_tokens: usage.output,
        cache_creation_input_tokens: usage.cache_write_input,
        cache_read_input_tokens: usage.cached_input,
    }
}
