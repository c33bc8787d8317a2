//! From text to a scenario, with errors that say where and what to do.

use std::path::Path;

use serde::Deserialize;
use toml::Value;

use super::{Action, Rule, Scenario, Step, checks, matching::Matcher};

/// The demonstration that plays when no file is named.
const DEMO: &str = include_str!("../../../../scenarios/demo.toml");

/// Why a text is no scenario: what, where, and a `hint:` line with what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}\nhint: {hint}")]
pub struct ScenarioError {
    what: String,
    hint: String,
}

impl ScenarioError {
    pub(crate) fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: hint.into() }
    }

    pub(crate) fn at(place: &str, what: &str, hint: &str) -> Self {
        Self::new(format!("{place}: {what}"), hint)
    }

    fn in_file(self, path: &Path) -> Self {
        Self { what: format!("{}: {}", path.display(), self.what), ..self }
    }
}

/// The file's own shape, its actions still unread, so that an error in one can say where it stands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    name: String,
    #[serde(default, rename = "rule")]
    rules: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRule {
    contains: Option<String>,
    regex: Option<String>,
    #[serde(default, rename = "step")]
    steps: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileStep {
    #[serde(rename = "do")]
    actions: Vec<Value>,
}

impl Scenario {
    /// Checks rules that somebody made, in the order in which they are tried.
    pub fn new(name: impl Into<String>, rules: Vec<Rule>) -> Result<Self, ScenarioError> {
        let scenario = Self { name: name.into(), rules };
        checks::check(&scenario)?;
        Ok(scenario)
    }

    /// Reads and checks a scenario.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        let file: File = toml::from_str(text).map_err(|error| {
            ScenarioError::new(
                format!("not a scenario: {}", error.to_string().trim_end()),
                "a scenario is TOML with `name` and a list of `[[rule]]`",
            )
        })?;
        let rules = file.rules.into_iter().enumerate().map(|(n, rule)| read_rule(n + 1, rule));
        Self::new(file.name, rules.collect::<Result<_, _>>()?)
    }

    /// Reads and checks a scenario file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|error| {
            ScenarioError::new(
                format!("cannot read the scenario {}: {error}", path.display()),
                "name a TOML file, or none for the demonstration",
            )
        })?;
        Self::parse(&text).map_err(|error| error.in_file(path))
    }

    /// The demonstration: converses, runs a command, edits a file, keeps a plan, shows usage.
    pub fn demo() -> Result<Self, ScenarioError> {
        Self::parse(DEMO)
    }
}

fn read_rule(number: usize, value: Value) -> Result<Rule, ScenarioError> {
    let place = format!("rule {number}");
    let rule: FileRule = value.try_into().map_err(|error: toml::de::Error| {
        ScenarioError::at(
            &place,
            error.message(),
            "a rule has `contains` or `regex`, and a list of `[[rule.step]]`",
        )
    })?;
    let steps = rule.steps.into_iter().enumerate().map(|(n, step)| read_step(&place, n + 1, step));
    let steps = steps.collect::<Result<_, _>>()?;
    Ok(Rule { contains: rule.contains, regex: rule.regex, steps, matcher: Matcher::default() })
}

fn read_step(rule: &str, number: usize, value: Value) -> Result<Step, ScenarioError> {
    let place = format!("{rule}, step {number}");
    let step: FileStep = value.try_into().map_err(|error: toml::de::Error| {
        ScenarioError::at(&place, error.message(), "a step is `do = [ { say = { text = \"…\" } }, … ]`")
    })?;
    let actions = step.actions.into_iter().enumerate().map(|(n, action)| {
        Action::deserialize(action).map_err(|error| {
            let place = format!("{place}, action {}", n + 1);
            ScenarioError::at(&place, error.message(), "docs/scenarios.md lists the actions and their fields")
        })
    });
    Ok(Step { actions: actions.collect::<Result<_, _>>()? })
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
