//! caic's logs: a header, lines of the wire, a trailer.

mod reading;
mod writing;

pub use reading::Log;
pub use writing::Writer;

use serde::{Deserialize, Serialize};

macro_rules! line {
    ($($(#[$about:meta])+ $name:ident { $($(#[$attribute:meta])+ $field:ident: $type:ty,)+ })+) => {$(
        $(#[$about])+
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct $name {
            $($(#[$attribute])+ pub $field: $type,)+
        }
    )+};
}

line! {
    /// The first line.
    Meta {
        /// `caic_meta`.
        r#type: String,
        /// 1.
        version: u64,
        /// What was said first.
        prompt: String,
        /// What people call it.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Where it works.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        repos: Vec<Repo>,
        /// As the first specification had it: the repository.
        #[serde(skip_serializing_if = "Option::is_none")]
        repo: Option<String>,
        /// And its branch.
        #[serde(skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
        /// `codex`.
        harness: String,
        /// The model, if one was chosen.
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// Since when.
        started_at: String,
    }
    /// A repository.
    Repo {
        /// Where it lies.
        name: String,
        /// The branch it was made from.
        #[serde(skip_serializing_if = "Option::is_none")]
        base_branch: Option<String>,
        /// Its branch.
        branch: String,
    }
    /// The last line.
    Trailer {
        /// `caic_result`.
        r#type: String,
        /// How it ended.
        state: String,
        /// What people call it.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// What it cost.
        #[serde(skip_serializing_if = "Option::is_none")]
        cost_usd: Option<f64>,
        /// How long its turns took, in seconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        duration: Option<f64>,
        /// Turns.
        #[serde(skip_serializing_if = "Option::is_none")]
        num_turns: Option<u64>,
        /// Tokens of all input.
        #[serde(skip_serializing_if = "Option::is_none")]
        input_tokens: Option<u64>,
        /// Tokens of all output.
        #[serde(skip_serializing_if = "Option::is_none")]
        output_tokens: Option<u64>,
        /// Tokens of input from the cache.
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_read_input_tokens: Option<u64>,
        /// What went wrong last.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// What was answered last.
        #[serde(skip_serializing_if = "Option::is_none")]
        agent_result: Option<String>,
    }
}
