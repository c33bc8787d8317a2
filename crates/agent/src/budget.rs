//! How much may be used, and how much was.

mod tracker;

use crate::deadline::Deadline;
use crate::usage::TokenUsage;

pub use tracker::{BudgetTracker, Spending};

/// Limits of one evaluation, or of several that share a [`BudgetTracker`]. There is at least one.
///
/// ```
/// use selvedge_agent::Budget;
///
/// let budget = Budget::tokens(50_000).and_output_tokens(5_000);
/// assert_eq!(budget.max_total_tokens(), Some(50_000));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    deadline: Option<Deadline>,
    total: Option<u64>,
    input: Option<u64>,
    output: Option<u64>,
}

const UNLIMITED: Budget = Budget { deadline: None, total: None, input: None, output: None };

impl Budget {
    /// At most so many tokens of input and output together.
    #[must_use]
    pub fn tokens(most: u64) -> Self {
        Self { total: Some(most), ..UNLIMITED }
    }

    /// At most so many tokens of input.
    #[must_use]
    pub fn input_tokens(most: u64) -> Self {
        Self { input: Some(most), ..UNLIMITED }
    }

    /// At most so many tokens of output.
    #[must_use]
    pub fn output_tokens(most: u64) -> Self {
        Self { output: Some(most), ..UNLIMITED }
    }

    /// Until then.
    #[must_use]
    pub fn until(deadline: Deadline) -> Self {
        Self { deadline: Some(deadline), ..UNLIMITED }
    }

    /// And at most so many tokens together.
    #[must_use]
    pub fn and_tokens(self, most: u64) -> Self {
        Self { total: Some(most), ..self }
    }

    /// And at most so many of input.
    #[must_use]
    pub fn and_input_tokens(self, most: u64) -> Self {
        Self { input: Some(most), ..self }
    }

    /// And at most so many of output.
    #[must_use]
    pub fn and_output_tokens(self, most: u64) -> Self {
        Self { output: Some(most), ..self }
    }

    /// And until then.
    ///
    /// ```
    /// use std::time::Duration;
    /// use selvedge_agent::{Budget, Deadline};
    ///
    /// let budget = Budget::output_tokens(5_000).and_input_tokens(80_000).and_until(Deadline::after(Duration::from_secs(600))?);
    /// assert_eq!((budget.max_input_tokens(), budget.max_output_tokens(), budget.max_total_tokens()), (Some(80_000), Some(5_000), None));
    /// # Ok::<(), selvedge_agent::TooSoon>(())
    /// ```
    #[must_use]
    pub fn and_until(self, deadline: Deadline) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// When it has to be over.
    #[must_use]
    pub fn deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// The limit of input and output together.
    #[must_use]
    pub fn max_total_tokens(&self) -> Option<u64> {
        self.total
    }

    /// The limit of input.
    #[must_use]
    pub fn max_input_tokens(&self) -> Option<u64> {
        self.input
    }

    /// The limit of output.
    #[must_use]
    pub fn max_output_tokens(&self) -> Option<u64> {
        self.output
    }

    /// What of it `consumed` is over, in the order deadline, input, output, total.
    fn exceeded(&self, consumed: TokenUsage) -> Option<Dimension> {
        let over = |limit: Option<u64>, used: u64| limit.is_some_and(|limit| used > limit);
        let late = self.deadline.is_some_and(|deadline| deadline.has_passed());
        [
            (late, Dimension::Deadline),
            (over(self.input, consumed.input_tokens), Dimension::InputTokens),
            (over(self.output, consumed.output_tokens), Dimension::OutputTokens),
            (over(self.total, consumed.total_tokens()), Dimension::TotalTokens),
        ]
        .into_iter()
        .find_map(|(is_over, dimension)| is_over.then_some(dimension))
    }

    fn limit(&self, dimension: Dimension) -> Option<u64> {
        match dimension {
            Dimension::Deadline => None,
            Dimension::InputTokens => self.input,
            Dimension::OutputTokens => self.output,
            Dimension::TotalTokens => self.total,
        }
    }
}

/// What a budget limits.
///
/// ```
/// use selvedge_agent::{Budget, BudgetTracker, Dimension, TokenUsage};
///
/// let tracker = BudgetTracker::new(Budget::tokens(1_000).and_output_tokens(10))?;
/// tracker.spending().set(TokenUsage { output_tokens: 11, ..TokenUsage::default() });
/// assert_eq!(tracker.check().map_err(|exceeded| exceeded.dimension), Err(Dimension::OutputTokens));
/// # Ok::<(), selvedge_agent::EmptyBudget>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// Time.
    Deadline,
    /// Tokens of input.
    InputTokens,
    /// Tokens of output.
    OutputTokens,
    /// Tokens of both.
    TotalTokens,
}

/// More was used than was allowed.
///
/// ```
/// use selvedge_agent::{Budget, BudgetTracker, TokenUsage};
///
/// let tracker = BudgetTracker::new(Budget::tokens(1_000))?;
/// tracker.spending().set(TokenUsage { input_tokens: 1_200, ..TokenUsage::default() });
/// let exceeded = tracker.check().unwrap_err();
/// assert_eq!(exceeded.consumed.total_tokens(), 1_200);
/// assert_eq!(exceeded.to_string(), "the budget is exceeded: 1200 tokens were used, 1000 were allowed");
/// # Ok::<(), selvedge_agent::EmptyBudget>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", words(self))]
pub struct BudgetExceeded {
    /// What was allowed.
    pub budget: Budget,
    /// What was used.
    pub consumed: TokenUsage,
    /// Which limit it was.
    pub dimension: Dimension,
}

fn words(exceeded: &BudgetExceeded) -> String {
    let (used, what) = match exceeded.dimension {
        Dimension::Deadline => return "the deadline of the budget has passed".to_owned(),
        Dimension::InputTokens => (exceeded.consumed.input_tokens, "tokens of input"),
        Dimension::OutputTokens => (exceeded.consumed.output_tokens, "tokens of output"),
        Dimension::TotalTokens => (exceeded.consumed.total_tokens(), "tokens"),
    };
    let limit = exceeded.budget.limit(exceeded.dimension).unwrap_or_default();
    format!("the budget is exceeded: {used} {what} were used, {limit} were allowed")
}

/// A budget that allows nothing.
///
/// ```
/// use selvedge_agent::{Budget, BudgetTracker, Dimension};
///
/// let empty = BudgetTracker::new(Budget::input_tokens(0)).unwrap_err();
/// assert_eq!(empty.dimension, Dimension::InputTokens);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a budget of no tokens allows nothing\nhint: leave the limit out, or allow at least one token")]
pub struct EmptyBudget {
    /// The limit that is zero.
    pub dimension: Dimension,
}
