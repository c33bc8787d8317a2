//! What several pieces of work have used of one budget.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Budget, BudgetExceeded, Dimension, EmptyBudget};
use crate::usage::TokenUsage;

/// Counts what is used of a budget. A clone counts into the same: give it to every evaluation that shares the budget, also to those within a tool.
///
/// ```
/// use selvedge_agent::{Budget, BudgetTracker, Dimension, TokenUsage};
///
/// let tracker = BudgetTracker::new(Budget::tokens(1_000))?;
/// let (one, other) = (tracker.spending(), tracker.spending());
/// one.set(TokenUsage { input_tokens: 700, ..TokenUsage::default() });
/// other.set(TokenUsage { input_tokens: 300, output_tokens: 1, ..TokenUsage::default() });
/// assert_eq!(tracker.check().unwrap_err().dimension, Dimension::TotalTokens);
/// # Ok::<(), selvedge_agent::EmptyBudget>(())
/// ```
#[derive(Debug, Clone)]
pub struct BudgetTracker {
    budget: Budget,
    accounts: Arc<Mutex<Vec<TokenUsage>>>,
}

impl BudgetTracker {
    /// Nothing is used yet.
    ///
    /// # Errors
    /// If a limit is zero.
    pub fn new(budget: Budget) -> Result<Self, EmptyBudget> {
        let limits = [Dimension::InputTokens, Dimension::OutputTokens, Dimension::TotalTokens];
        match limits.into_iter().find(|dimension| budget.limit(*dimension) == Some(0)) {
            Some(dimension) => Err(EmptyBudget { dimension }),
            None => Ok(Self { budget, accounts: Arc::default() }),
        }
    }

    /// What is allowed.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// An account of its own for one piece of work, whose usage is reported as a running total.
    #[must_use]
    pub fn spending(&self) -> Spending {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.push(TokenUsage::default());
        Spending { tracker: self.clone(), account: accounts.len() - 1 }
    }

    /// What all of them have used.
    #[must_use]
    pub fn consumed(&self) -> TokenUsage {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().sum()
    }

    /// Whether it is still enough. Having used exactly what is allowed is.
    ///
    /// # Errors
    /// If it is not, with the first limit that is passed: deadline, input, output, total.
    pub fn check(&self) -> Result<(), BudgetExceeded> {
        let consumed = self.consumed();
        match self.budget.exceeded(consumed) {
            Some(dimension) => Err(BudgetExceeded { budget: self.budget, consumed, dimension }),
            None => Ok(()),
        }
    }
}

/// The account of one piece of work. What it used stays counted when it is dropped.
///
/// ```
/// use selvedge_agent::{Budget, BudgetTracker, TokenUsage};
///
/// let tracker = BudgetTracker::new(Budget::tokens(1_000))?;
/// let spending = tracker.spending();
/// let used = TokenUsage { input_tokens: 300, output_tokens: 20, ..TokenUsage::default() };
/// spending.set(used);
/// spending.set(used);
/// assert_eq!(spending.tracker().consumed().total_tokens(), 320, "it is a total, not one more amount");
/// # Ok::<(), selvedge_agent::EmptyBudget>(())
/// ```
#[derive(Debug)]
pub struct Spending {
    tracker: BudgetTracker,
    account: usize,
}

impl Spending {
    /// Says how much this piece of work has used since it began. A report that comes twice counts once.
    pub fn set(&self, total: TokenUsage) {
        let mut accounts = self.tracker.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(account) = accounts.get_mut(self.account) {
            *account = total;
        }
    }

    /// The tracker it counts into.
    #[must_use]
    pub fn tracker(&self) -> &BudgetTracker {
        &self.tracker
    }
}

#[cfg(test)]
mod tests;
