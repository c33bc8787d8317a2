//! Time and tokens of one evaluation: what is left, and what was used.

use std::future::Future;

use tokio::time::{Instant, timeout_at};

use super::Allowed;
use crate::budget::{BudgetExceeded, BudgetTracker, EmptyBudget, Spending};
use crate::deadline::Deadline;
use crate::error::AgentError;
use crate::toolbox::Toolbox;
use crate::usage::TokenUsage;

pub(super) struct Limits {
    deadline: Option<Deadline>,
    /// An account of its own, so that no other evaluation overwrites it.
    spending: Option<Spending>,
    /// Of the turns that have ended.
    before: TokenUsage,
    /// Of the one that runs.
    running: TokenUsage,
}

impl Limits {
    pub(super) fn new(deadline: Option<Deadline>, allowed: &Allowed) -> Result<Self, EmptyBudget> {
        let tracker = match allowed {
            Allowed::Anything => None,
            Allowed::Budget(budget) => Some(BudgetTracker::new(*budget)?),
            Allowed::Shared(tracker) => Some(tracker.clone()),
        };
        let of_budget = tracker.as_ref().and_then(|tracker| tracker.budget().deadline());
        let deadline = deadline.map(|deadline| deadline.earlier(of_budget)).or(of_budget);
        let spending = tracker.as_ref().map(BudgetTracker::spending);
        Ok(Self { deadline, spending, before: TokenUsage::default(), running: TokenUsage::default() })
    }

    /// When the time is up.
    pub(super) fn expires(&self) -> Option<Instant> {
        self.deadline.map(|deadline| deadline.expires())
    }

    /// By when it has to be over.
    pub(super) fn deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// The budget, to be shared.
    pub(super) fn tracker(&self) -> Option<BudgetTracker> {
        self.spending.as_ref().map(|spending| spending.tracker().clone())
    }

    /// What all turns have used.
    pub(super) fn used(&self) -> TokenUsage {
        self.before + self.running
    }

    /// Whether anything may begin.
    pub(super) fn check(&self) -> Result<(), AgentError> {
        if self.is_late() {
            return Err(AgentError::late());
        }
        Ok(self.check_budget()?)
    }

    /// Whether the time is up.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| deadline.has_passed())
    }

    /// Whether the budget is used up.
    pub(super) fn is_spent(&self) -> bool {
        self.check_budget().is_err()
    }

    fn check_budget(&self) -> Result<(), BudgetExceeded> {
        self.spending.as_ref().map_or(Ok(()), |spending| spending.tracker().check())
    }

    /// The running turn has used so much.
    pub(super) fn report(&mut self, turn: TokenUsage) -> Result<(), BudgetExceeded> {
        self.running = turn;
        self.count();
        self.check_budget()
    }

    /// The running turn has ended, and used so much in all; of one whose end nobody knows, what it had reported.
    pub(super) fn settle(&mut self, turn: Option<TokenUsage>) {
        self.before += turn.unwrap_or(self.running);
        self.running = TokenUsage::default();
        self.count();
    }

    fn count(&self) {
        if let Some(spending) = &self.spending {
            spending.set(self.used());
        }
    }

    /// Tools under the same limits.
    pub(super) fn over(&self, mut toolbox: Toolbox) -> Toolbox {
        if let Some(deadline) = self.deadline {
            toolbox = toolbox.deadline(deadline);
        }
        match &self.spending {
            Some(spending) => toolbox.budget(spending.tracker().clone()),
            None => toolbox,
        }
    }

    /// Something that has to be done before the time is up.
    pub(super) async fn in_time<T, E: Into<AgentError>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, AgentError> {
        match self.expires() {
            Some(expires) => {
                timeout_at(expires, work).await.map_err(|_| AgentError::late())?.map_err(Into::into)
            }
            None => work.await.map_err(Into::into),
        }
    }
}
