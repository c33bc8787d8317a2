//! Building a prompt: everything that can be wrong with it is found here.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

use super::error::{Flaw, Problem, PromptError};
use super::section::Section;
use super::tree::Tree;
use super::{Prompt, Template};
use crate::names;
use crate::output::{Output, OutputForm};
use crate::policy::Policy;

/// A prompt that is being put together.
#[must_use = "a builder does nothing until `build` is called"]
pub struct PromptBuilder<T> {
    ns: String,
    key: String,
    name: Option<String>,
    sections: Vec<Section>,
    policies: Vec<Arc<dyn Policy>>,
    allow_extra_keys: bool,
    output: PhantomData<fn() -> T>,
}

impl<T: Output> PromptBuilder<T> {
    pub(super) fn new(ns: String, key: String) -> Self {
        Self {
            ns,
            key,
            name: None,
            sections: Vec::new(),
            policies: Vec::new(),
            allow_extra_keys: false,
            output: PhantomData,
        }
    }

    /// What it is called in events, instead of `ns:key`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// With one more section.
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// With a rule about all its tools. Sections' own rules are asked first.
    pub fn policy(mut self, policy: impl Policy) -> Self {
        self.policies.push(Arc::new(policy));
        self
    }

    /// Passes over fields of the answer that the output type does not have. They are an error otherwise.
    pub fn allow_extra_keys(mut self) -> Self {
        self.allow_extra_keys = true;
        self
    }

    /// Checks it.
    ///
    /// # Errors
    /// With everything that is wrong, each with the path of its section.
    pub fn build(self) -> Result<Prompt<T>, PromptError> {
        let mut flaws = Vec::new();
        let mut own = |problem| flaws.push(Flaw { section: None, problem });
        let mut key = |what, given: &str| {
            names::key(given).unwrap_or_else(|why| {
                own(Problem::Key { what, why });
                given.trim().to_owned()
            })
        };
        let (ns, key) = (key("namespace", &self.ns), key("key", &self.key));
        let name = self.name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| format!("{ns}:{key}"));
        let output = OutputForm::of::<T>(self.allow_extra_keys)
            .map_err(|why| own(Problem::Output { why }))
            .unwrap_or_default();
        let (tree, in_sections) = Tree::grow(self.sections);
        flaws.extend(in_sections);
        if !flaws.is_empty() {
            return Err(PromptError::new(name, flaws));
        }
        let template = Template { ns, key, name: name.into(), tree, policies: self.policies, output };
        Ok(Prompt { template: Arc::new(template), bound: BTreeMap::new(), output: PhantomData })
    }
}
