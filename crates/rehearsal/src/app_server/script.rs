//! Which actions come next: the scenario's rule for the last user text, and the step for the tool outputs since.

use regex::Regex;

use crate::scenario::{Action, Rule, Say, Scenario, Step};

/// A scenario, ready to be asked.
#[derive(Debug)]
pub(super) struct Script {
    name: String,
    rules: Vec<(Rule, Option<Regex>)>,
}

impl Script {
    /// Compiles the rules' regular expressions.
    pub(super) fn new(scenario: Scenario) -> Result<Self, regex::Error> {
        let compile = |rule: Rule| {
            let regex = rule.regex.as_deref().map(Regex::new).transpose()?;
            Ok((rule, regex))
        };
        Ok(Self {
            name: scenario.name,
            rules: scenario.rules.into_iter().map(compile).collect::<Result<_, _>>()?,
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What the model would answer to `text` after `outputs` tool outputs.
    pub(super) fn place(&self, text: &str, outputs: usize) -> Vec<Action> {
        let Some((rule, regex)) = self.rules.iter().find(|(rule, regex)| matches(rule, regex.as_ref(), text))
        else {
            return vec![said(format!("No rule of the scenario matches: {text}"))];
        };
        match step(&rule.steps, outputs) {
            Some(step) => step.actions.iter().map(|action| expanded(action, regex.as_ref(), text)).collect(),
            None => vec![said("Done.".to_owned())],
        }
    }
}

fn said(text: String) -> Action {
    Action::Say(Say { text, ..Say::default() })
}

fn matches(rule: &Rule, regex: Option<&Regex>, text: &str) -> bool {
    rule.contains.as_deref().is_none_or(|part| text.contains(part))
        && regex.is_none_or(|regex| regex.is_match(text))
}

/// The step with exactly so many tool outputs before it.
fn step(steps: &[Step], outputs: usize) -> Option<&Step> {
    let mut before = 0;
    steps.iter().find(|step| {
        let here = before == outputs;
        before += step.actions.iter().filter(|action| is_tool_call(action)).count();
        here
    })
}

/// A tool call gives one output.
pub(super) fn is_tool_call(action: &Action) -> bool {
    matches!(
        action,
        Action::Run(_)
            | Action::Patch(_)
            | Action::Tool(_)
            | Action::Mcp(_)
            | Action::Ask(_)
            | Action::Plan(_)
            | Action::Spawn(_)
    )
}

fn expanded(action: &Action, regex: Option<&Regex>, text: &str) -> Action {
    let captures = regex.and_then(|regex| regex.captures(text));
    match (action, captures) {
        (Action::Say(say), Some(captures)) => {
            let mut expanded = String::new();
            captures.expand(&say.text, &mut expanded);
            Action::Say(Say { text: expanded, ..say.clone() })
        }
        _ => action.clone(),
    }
}
