//! Where in the scenario a turn stands: a pure function of the last user text and the tool outputs after it.

use super::{Rule, Scenario, Step};

/// What is said when a rule has no step left.
pub const CLOSING: &str = "Done.";

/// The rule that plays, and the step that is next.
#[derive(Debug, Clone)]
pub struct Place<'s> {
    /// The rule.
    pub rule: &'s Rule,
    /// Its number in the file, from 1.
    pub rule_number: usize,
    /// The step's index in the rule; `None` past the end, where `CLOSING` is said.
    pub step: Option<usize>,
    text: String,
}

impl<'s> Place<'s> {
    /// The step that is next; `None` past the end.
    pub fn step(&self) -> Option<&'s Step> {
        self.rule.steps.get(self.step?)
    }

    /// A `say` text with what the rule's regular expression found.
    pub fn fill(&self, template: &str) -> String {
        self.rule.fill(template, &self.text)
    }
}

impl Scenario {
    /// The first rule for the text and the step after so many tool outputs; `None` if no rule is for it.
    pub fn place(&self, user_text: &str, tool_outputs: usize) -> Option<Place<'_>> {
        self.place_by(user_text, tool_outputs, Step::calls)
    }

    /// As `place`, where a step makes as many calls as the player says: a code-mode script is one call for several
    /// actions, and what cannot be played makes none.
    pub fn place_by(
        &self,
        user_text: &str,
        tool_outputs: usize,
        calls: impl Fn(&Step) -> usize,
    ) -> Option<Place<'_>> {
        let (index, rule) = self.rules.iter().enumerate().find(|(_, rule)| rule.matches(user_text))?;
        let step = next_step(&rule.steps, tool_outputs, calls);
        Some(Place { rule, rule_number: index + 1, step, text: user_text.to_owned() })
    }
}

/// The first step that starts exactly there, else the last one that starts before; past the end if the last step's
/// calls are all answered.
fn next_step(steps: &[Step], outputs: usize, calls: impl Fn(&Step) -> usize) -> Option<usize> {
    let mut start = 0;
    let mut before = None;
    for (index, step) in steps.iter().enumerate() {
        if start == outputs {
            return Some(index);
        }
        if start < outputs {
            before = Some(index);
        }
        start += calls(step);
    }
    let last_step_ends_the_turn = steps.last().is_some_and(|step| calls(step) == 0);
    if outputs >= start && !last_step_ends_the_turn { None } else { before }
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;
