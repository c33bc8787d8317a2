//! Token counts: always differences of totals, never sums of parts.

use serde::{Deserialize, Serialize};

/// Token counts of a turn, a message or a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Usage {
    /// All input, cached included.
    pub input: u64,
    /// Input from the cache.
    pub cached_input: u64,
    /// Input written to the cache.
    pub cache_write_input: u64,
    /// All output, reasoning included.
    pub output: u64,
    /// Output that was reasoning.
    pub reasoning_output: u64,
    /// Input and output.
    pub total: u64,
}

impl Usage {
    /// What was added since `earlier`. A count that fell counts as nothing: totals never fall, a new baseline may be lower.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        self.zip(earlier, u64::saturating_sub)
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.zip(other, u64::saturating_add)
    }

    fn zip(self, other: Self, with: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            input: with(self.input, other.input),
            cached_input: with(self.cached_input, other.cached_input),
            cache_write_input: with(self.cache_write_input, other.cache_write_input),
            output: with(self.output, other.output),
            reasoning_output: with(self.reasoning_output, other.reasoning_output),
            total: with(self.total, other.total),
        }
    }
}
