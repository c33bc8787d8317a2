//! Several checks as one.

use std::fmt;

use super::{AnyCheck, Completion, CompletionCheck, Tentative, any};

/// Several checks as one, asked in their order and no further than needed.
///
/// ```
/// use selvedge_agent::{Checks, Completion, FilesWritten, Tentative};
///
/// let thorough = async |work: Tentative| {
///     if work.text().len() > 200 { Completion::Complete } else { Completion::incomplete("Say more about it.") }
/// };
/// let both = Checks::all().and(FilesWritten::new(["report.md"])).and(thorough);
/// ```
#[derive(Clone)]
pub struct Checks {
    checks: Vec<AnyCheck>,
    all: bool,
}

impl fmt::Debug for Checks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Checks").field("count", &self.checks.len()).field("all", &self.all).finish()
    }
}

impl Checks {
    /// Done when every one of them says so; the first that does not is the answer.
    #[must_use]
    pub fn all() -> Self {
        Self { checks: Vec::new(), all: true }
    }

    /// Done when one of them says so.
    #[must_use]
    pub fn any() -> Self {
        Self { checks: Vec::new(), all: false }
    }

    /// With one more.
    #[must_use]
    pub fn and(mut self, check: impl CompletionCheck) -> Self {
        self.checks.push(any(check));
        self
    }
}

impl CompletionCheck for Checks {
    async fn check(&self, work: Tentative) -> Completion {
        let mut missing = Vec::new();
        for check in &self.checks {
            match check(work.clone()).await {
                Completion::Complete if !self.all => return Completion::Complete,
                Completion::Complete => {}
                incomplete @ Completion::Incomplete(_) if self.all => return incomplete,
                Completion::Incomplete(words) => missing.push(words),
            }
        }
        if self.all || self.checks.is_empty() {
            return Completion::Complete;
        }
        missing.retain(|words| !words.trim().is_empty());
        Completion::Incomplete(missing.join(" "))
    }
}
