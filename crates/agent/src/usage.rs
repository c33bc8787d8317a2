//! How many tokens were used.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// Token counts of a turn, an evaluation or several.
///
/// ```
/// use selvedge_agent::TokenUsage;
///
/// let one = TokenUsage { input_tokens: 900, cached_input_tokens: 800, output_tokens: 40, ..TokenUsage::default() };
/// let both: TokenUsage = [one, one].into_iter().sum();
/// assert_eq!((one.total_tokens(), both.total_tokens()), (940, 1_880));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TokenUsage {
    /// All input, cached included.
    pub input_tokens: u64,
    /// Input from the cache.
    pub cached_input_tokens: u64,
    /// All output, reasoning included.
    pub output_tokens: u64,
    /// Output that was reasoning.
    pub reasoning_output_tokens: u64,
}

impl TokenUsage {
    /// Input and output.
    #[must_use]
    pub fn total_tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

impl From<selvedge_runtime::session::Usage> for TokenUsage {
    fn from(usage: selvedge_runtime::session::Usage) -> Self {
        Self {
            input_tokens: usage.input,
            cached_input_tokens: usage.cached_input,
            output_tokens: usage.output,
            reasoning_output_tokens: usage.reasoning_output,
        }
    }
}

impl Add for TokenUsage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            cached_input_tokens: self.cached_input_tokens.saturating_add(other.cached_input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            reasoning_output_tokens: self
                .reasoning_output_tokens
                .saturating_add(other.reasoning_output_tokens),
        }
    }
}

impl AddAssign for TokenUsage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for TokenUsage {
    fn sum<I: Iterator<Item = Self>>(usages: I) -> Self {
        usages.fold(Self::default(), Add::add)
    }
}
