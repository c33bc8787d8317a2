//! What a response says: messages, reasoning, answers, summaries, and the tokens it reports.

use serde::Deserialize;

/// An agent message.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Say {
    /// The text; `$1` and `$name` stand for what the rule's regular expression found.
    pub text: String,
    /// How often the text is said (a long answer from a short file).
    pub repeat: Option<usize>,
    /// In how many deltas (default: one a word).
    pub deltas: Option<usize>,
    /// Milliseconds between two deltas.
    #[serde(default)]
    pub pace_ms: u64,
    /// `commentary` or `final_answer`, where the version knows phases.
    pub phase: Option<String>,
    /// The message is left unfinished: the `fail` or `hang` after it comes in its middle.
    #[serde(default)]
    pub open: bool,
}

/// Reasoning.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Think {
    /// The summary's text.
    pub text: String,
    /// In how many deltas (default: one a word).
    pub deltas: Option<usize>,
    /// Milliseconds between two deltas.
    #[serde(default)]
    pub pace_ms: u64,
}

/// A search of the web.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// What is looked for.
    pub query: String,
}

/// A structured answer.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Said as it is; without it a value is made from the turn's schema (first enum value, empty list, 0, "").
    pub json: Option<serde_json::Value>,
}

/// A compaction.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compact {
    /// The summary. Codex goes on from it as the last user text, so a rule should match it.
    pub summary: String,
}

/// Token counts of one response.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Input tokens, cached ones included.
    #[serde(default)]
    pub input: u64,
    /// Of them from the cache.
    #[serde(default)]
    pub cached: u64,
    /// Output tokens, reasoning included.
    #[serde(default)]
    pub output: u64,
    /// Of them reasoning.
    #[serde(default)]
    pub reasoning: u64,
}

impl Usage {
    /// What a response counts that says nothing about it: four bytes a token, over a fixed share for instructions.
    pub fn estimate(input_bytes: usize, output_bytes: usize) -> Self {
        let tokens = |bytes: usize| (bytes as u64).div_ceil(4);
        Self { input: 1000 + tokens(input_bytes), output: tokens(output_bytes).max(1), ..Self::default() }
    }

    /// More than any model's context holds, so that Codex compacts before its next request.
    pub fn full_context() -> Self {
        Self { input: 2_000_000, output: 1, ..Self::default() }
    }
}
