//! The checker: what must be true of a run, whatever was done to it. It knows requests, events, and files that commands wrote.

mod approvals;
mod closing;
mod crossing;
mod delivery;
mod messages;
mod reading;
mod story;
#[cfg(test)]
mod tests;
mod traces;

use super::ledger::{Ledger, Violation};
use super::plan::Plan;
use story::Story;

/// Everything that was violated; `traces` is what the commands wrote.
pub(super) fn all(plan: &Plan, ledger: &Ledger, traces: &[String]) -> Vec<Violation> {
    let stories: Vec<Story> = ledger.sessions.iter().map(Story::of).collect();
    let facts = Facts { plan, ledger, stories: &stories, traces };
    let mut violations = ledger.violations.clone();
    let mut found = Found(&mut violations);
    for check in [
        reading::check,
        messages::check,
        delivery::check,
        crossing::check,
        closing::check,
        approvals::check,
        traces::check,
        nothing_is_left,
    ] {
        check(&facts, &mut found);
    }
    violations
}

/// What a check may know.
struct Facts<'a> {
    plan: &'a Plan,
    ledger: &'a Ledger,
    stories: &'a [Story],
    /// What the commands wrote.
    traces: &'a [String],
}

/// Where a check puts what it found.
struct Found<'a>(&'a mut Vec<Violation>);

impl Found<'_> {
    /// Something of a session, at an event.
    fn at(&mut self, promise: &'static str, what: String, (session, seq): (usize, usize)) {
        self.0.push(Violation { promise, what, session: Some(session), seq: Some(seq) });
    }

    /// Something that is not at one place.
    fn somewhere(&mut self, promise: &'static str, what: String) {
        self.0.push(Violation { promise, what, session: None, seq: None });
    }
}

fn nothing_is_left(facts: &Facts<'_>, found: &mut Found<'_>) {
    for left in &facts.ledger.left {
        found.somewhere("no process is left", left.clone());
    }
}
