//! Building a prompt: everything that can be wrong with it is found here.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

use super::error::{Flaw, Problem, PromptError};
use super::section::Section;
use super::tree::Tree;
use super::{Prompt, Template};
use crate::completion::{self, AnyCheck, CompletionCheck};
use crate::feedback::{FeedbackProvider, Provider, Trigger};
use crate::names;
use crate::output::{Output, OutputForm};
use crate::policy::Policy;
use crate::resources::{Bindings, Resource};

/// A prompt that is being put together.
///
/// ```
/// use std::time::Duration;
/// use selvedge_agent::{DeadlineFeedback, FilesWritten, Prompt, ReadBeforeWrite, Resource, Section, Trigger};
///
/// struct Database;
///
/// let prompt = Prompt::text("demo", "report")
///     .name("the weekly report")
///     .section(Section::markdown("Task", "task", "Write the report to report.md."))
///     .policy(ReadBeforeWrite::default())
///     .resource(Resource::singleton(async |_| Ok(Database)))
///     .feedback(DeadlineFeedback::default(), Trigger::every(Duration::from_secs(60)))
///     .completion(FilesWritten::new(["report.md"]))
///     .build()?;
/// assert_eq!((prompt.name(), prompt.ns(), prompt.key()), ("the weekly report", "demo", "report"));
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
#[must_use = "a builder does nothing until `build` is called"]
pub struct PromptBuilder<T> {
    ns: String,
    key: String,
    name: Option<String>,
    sections: Vec<Section>,
    policies: Vec<Arc<dyn Policy>>,
    completion: Option<AnyCheck>,
    feedback: Vec<Provider>,
    bindings: Bindings,
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
            completion: None,
            feedback: Vec::new(),
            bindings: Bindings::new(),
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

    /// With something that its tools work with. A section's own of the same type takes its place.
    pub fn resource<R>(mut self, resource: Resource<R>) -> Self {
        self.bindings = self.bindings.bind(resource);
        self
    }

    /// With somebody who watches the work and speaks to the model when the trigger says so: beside the answer of the next tool of the prompt's own that
    /// succeeds, because Codex's own tools have no place for it.
    pub fn feedback(mut self, provider: impl FeedbackProvider, trigger: Trigger) -> Self {
        self.feedback.push(Provider { provider: Arc::new(provider), trigger });
        self
    }

    /// Asks whether the work is done when the model has answered. If it is not, the model is told what is missing and goes on in the same thread, at
    /// most 10 times; then its last answer stands, and [`Reply::complete`](crate::Reply::complete) says that it is not.
    ///
    /// Nobody is asked while sections are being opened, nor once the budget is used up. The check has to end by the deadline like everything else.
    pub fn completion(mut self, check: impl CompletionCheck) -> Self {
        self.completion = Some(completion::any(check));
        self
    }

    /// Passes over fields of the answer that the output type does not have. They are an error otherwise.
    ///
    /// ```
    /// use schemars::JsonSchema;
    /// use selvedge_agent::Prompt;
    /// use serde::Deserialize;
    ///
    /// #[derive(Debug, Deserialize, JsonSchema)]
    /// struct Sum {
    ///     sum: i64,
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let said = r#"{"sum": 4, "remark": "easy"}"#;
    /// assert!(Prompt::<Sum>::builder("demo", "sum").build()?.parse(said).is_err());
    /// assert_eq!(Prompt::<Sum>::builder("demo", "sum").allow_extra_keys().build()?.parse(said)?.sum, 4);
    /// # Ok(())
    /// # }
    /// ```
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
        for resource in self.bindings.twice() {
            own(Problem::Resource { resource: (*resource).to_owned() });
        }
        let (tree, in_sections) = Tree::grow(self.sections);
        flaws.extend(in_sections);
        if !flaws.is_empty() {
            return Err(PromptError::new(name, flaws));
        }
        let Self { policies, completion, feedback, bindings, .. } = self;
        let bindings = Arc::new(tree.bindings(bindings));
        let template = Template { ns, key, name: name.into(), tree, policies, completion, feedback, output };
        Ok(Prompt {
            template: Arc::new(template),
            bound: BTreeMap::new(),
            bindings,
            replaced: Arc::default(),
            output: PhantomData,
        })
    }
}
