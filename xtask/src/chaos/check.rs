//! The checker: what must be true of a run, whatever was done to it. It knows requests, events, and files that commands wrote.

mod approvals;
mod closing;
mod crossing;
mod delivery;
mod messages;
mod outliving;
mod reading;
mod story;
#[cfg(test)]
mod tests;
mod traces;

use super::ledger::{Ledger, Violation};
use super::plan::Plan;
use story::Story;

/// Everything that was found; `traces` is what the commands wrote.
pub(super) fn all(plan: &Plan, ledger: &Ledger, traces: &[String]) -> Found {
    let stories: Vec<Story> = ledger.sessions.iter().map(Story::of).collect();
    let facts = Facts { plan, ledger, stories: &stories, traces };
    let mut found = Found { violations: ledger.violations.clone(), ..Found::default() };
    for check in [
        reading::check,
        messages::check,
        delivery::check,
        crossing::check,
        closing::check,
        approvals::check,
        traces::check,
        outliving::check,
        nothing_is_left,
    ] {
        check(&facts, &mut found);
    }
    found
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
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) violations: Vec<Violation>,
    /// Of all messages that completed: were they heard?
    pub(super) heard: Coverage,
    /// Of those that run something: has it run?
    pub(super) ran: Coverage,
}

/// To how many completed messages a rule was applied, so that nobody takes it to cover all of them.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coverage {
    pub(super) applied: usize,
    /// Found completed in Codex's history: what came before was seen by nobody.
    pub(super) after_a_crash: usize,
    /// There was nothing to hold against it.
    pub(super) not_comparable: usize,
}

impl Found {
    /// Something of a session, at an event.
    fn at(&mut self, promise: &'static str, what: String, (session, seq): (usize, usize)) {
        self.violations.push(Violation { promise, what, session: Some(session), seq: Some(seq) });
    }

    /// Something that is not at one place.
    fn somewhere(&mut self, promise: &'static str, what: String) {
        self.violations.push(Violation { promise, what, session: None, seq: None });
    }
}

fn nothing_is_left(facts: &Facts<'_>, found: &mut Found) {
    for left in &facts.ledger.left {
        found.somewhere("no process is left", left.clone());
    }
}
