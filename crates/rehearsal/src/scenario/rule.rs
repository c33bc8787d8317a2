//! A rule: which user text it is for, and the model responses it gives.

use serde::Deserialize;

use super::{Ability, Action, matching::Matcher};

/// What to do when the last user text matches.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Matches when the text contains this. A rule with neither `contains` nor `regex` matches everything.
    pub contains: Option<String>,
    /// Matches when this regular expression finds something in the text; `$1`, `${name}` may be used in `say`.
    pub regex: Option<String>,
    /// One model response each.
    #[serde(default, rename = "step")]
    pub steps: Vec<Step>,
    /// The regular expression, compiled at its first use.
    #[serde(skip)]
    pub(crate) matcher: Matcher,
}

/// One model response: its actions in order. Tool calls stand last; each gives one output, and a step's place is the
/// number of outputs before it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What the response contains.
    #[serde(rename = "do")]
    pub actions: Vec<Action>,
}

impl Rule {
    /// A rule for texts that contain this, or for every text.
    pub fn new(contains: Option<String>, steps: Vec<Step>) -> Self {
        Self { contains, regex: None, steps, matcher: Matcher::default() }
    }
}

impl Step {
    /// How many tool calls this step makes where each of its actions can be played.
    pub fn calls(&self) -> usize {
        self.actions.iter().filter(|action| action.is_call()).count()
    }

    /// What its actions need: the step can be played where each of them can.
    pub fn abilities(&self) -> impl Iterator<Item = &'static Ability> {
        self.actions.iter().map(Action::ability)
    }
}
