//! Some tools only after others.

use std::collections::{BTreeMap, BTreeSet};

use super::{Asked, Decision, Policy, PolicyState};

/// Tools that may only be called after others have succeeded.
///
/// ```
/// use selvedge_agent::SequentialDependency;
///
/// let policy = SequentialDependency::new().requires("deploy", ["build", "test"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct SequentialDependency {
    before: BTreeMap<String, BTreeSet<String>>,
}

impl SequentialDependency {
    /// No tool depends on another yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// `tool` only after all of `before`.
    #[must_use]
    pub fn requires<I>(mut self, tool: impl Into<String>, before: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        self.before.entry(tool.into()).or_default().extend(before.into_iter().map(Into::into));
        self
    }
}

impl Policy for SequentialDependency {
    fn name(&self) -> &'static str {
        "sequential_dependency"
    }

    fn check(&self, asked: &Asked<'_>) -> Decision {
        let Some(before) = self.before.get(asked.tool) else { return Decision::Allow };
        let state = asked.context.session().latest::<PolicyState>().unwrap_or_default();
        let missing: Vec<&str> = before.difference(&state.invoked_tools).map(String::as_str).collect();
        if missing.is_empty() {
            Decision::Allow
        } else {
            Decision::deny(format!("Tool '{}' requires: {}", asked.tool, missing.join(", ")))
        }
    }

    fn succeeded(&self, asked: &Asked<'_>) {
        let tool = asked.tool.to_owned();
        asked.context.session().update(move |state: &mut PolicyState| {
            state.invoked_tools.insert(tool.clone());
        });
    }
}
