//! Prompts: namespaced templates of sections, checked when they are built, rendered for a session.

mod builder;
mod descriptor;
mod disclosure;
mod error;
mod examples;
mod params;
mod render;
mod rendered;
mod section;
mod text;
mod tree;
mod visibility;

use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde_json::Value;

pub use builder::PromptBuilder;
pub use descriptor::{PromptDescriptor, SectionDescriptor};
pub use disclosure::Expansion;
pub use error::{Flaw, Problem, PromptError};
pub use params::Params;
pub(crate) use rendered::Offered;
pub use rendered::RenderedPrompt;
pub use section::{RenderContext, Section};
pub use visibility::{Visibility, VisibilityOverrides};

use crate::output::{Output, OutputError, OutputForm};
use crate::policy::Policy;
use crate::session::Session;
use disclosure::Disclosure;
use params::{Given, ParamsType};
use render::Inputs;
use tree::Tree;

/// What all copies of a prompt share.
pub(crate) struct Template {
    ns: String,
    key: String,
    name: Arc<str>,
    tree: Tree,
    policies: Vec<Arc<dyn Policy>>,
    output: OutputForm,
}

/// A prompt whose final answer is a `T`: `()` for plain text, a struct, or a `Vec` of structs.
///
/// A copy is cheap, and has bindings of its own.
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{Prompt, Section, Session};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, JsonSchema)]
/// struct Where {
///     dir: String,
/// }
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Summary {
///     title: String,
/// }
///
/// let prompt = Prompt::<Summary>::builder("demo", "summarize")
///     .section(Section::markdown("Task", "task", "Summarize the files in ${dir}.").params(Where { dir: ".".into() }))
///     .build()?
///     .bind(Where { dir: "src".into() })?;
///
/// assert_eq!(prompt.render(&Session::new())?.text(), "## 1. Task (task)\n\nSummarize the files in src.");
/// assert_eq!(prompt.parse(r#"{"title": "A parser"}"#)?.title, "A parser");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Prompt<T = ()> {
    template: Arc<Template>,
    bound: BTreeMap<TypeId, Given>,
    output: PhantomData<fn() -> T>,
}

impl<T> Clone for Prompt<T> {
    fn clone(&self) -> Self {
        Self { template: self.template.clone(), bound: self.bound.clone(), output: PhantomData }
    }
}

impl<T> fmt::Debug for Prompt<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Prompt").field("name", &self.template.name).finish_non_exhaustive()
    }
}

impl Prompt {
    /// A prompt whose answer is plain text.
    pub fn text(ns: impl Into<String>, key: impl Into<String>) -> PromptBuilder<()> {
        Self::builder(ns, key)
    }
}

impl<T: Output> Prompt<T> {
    /// A prompt under this namespace and key.
    pub fn builder(ns: impl Into<String>, key: impl Into<String>) -> PromptBuilder<T> {
        PromptBuilder::new(ns.into(), key.into())
    }

    /// Its namespace.
    #[must_use]
    pub fn ns(&self) -> &str {
        &self.template.ns
    }

    /// Its key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.template.key
    }

    /// What it is called in events: its name, or `ns:key`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.template.name
    }

    /// What it is made of, by content.
    #[must_use]
    pub fn descriptor(&self) -> PromptDescriptor {
        let sections = descriptor::sections(&self.template.tree.roots);
        PromptDescriptor { ns: self.template.ns.clone(), key: self.template.key.clone(), sections }
    }

    /// Gives parameters to every section that takes this type. Those that were bound before are replaced.
    ///
    /// # Errors
    /// If no section takes them, or they are no struct with named fields.
    pub fn bind<P: Params>(mut self, params: P) -> Result<Self, PromptError> {
        let kind = ParamsType::of::<P>();
        let wrong = |problem| PromptError::one(&*self.template.name, None, problem);
        if !self.template.tree.taken.contains(&kind.id) {
            return Err(wrong(Problem::UnexpectedParams { params: kind.name }));
        }
        let given = Given::new(params).map_err(|why| wrong(Problem::BadParams { params: kind.name, why }))?;
        self.bound.insert(kind.id, given);
        Ok(self)
    }

    /// Renders it for a session: predicates see it, and its wishes for what is shown are followed.
    ///
    /// # Errors
    /// If parameters or a value in them are missing, or a summary is asked for that nobody wrote.
    pub fn render(&self, session: &Session) -> Result<RenderedPrompt, PromptError> {
        let template = &self.template;
        let overrides = session.latest().unwrap_or_default();
        let inputs = Inputs { template, bound: &self.bound, session, overrides: &overrides };
        let rendering = inputs.render(&template.tree.roots)?;
        let own = rendering.full.iter().flat_map(|node| {
            let policies =
                node.section.policies.iter().chain(&template.policies).cloned().collect::<Vec<_>>();
            node.section
                .tools
                .iter()
                .map(move |tool| Offered { tool: tool.clone(), policies: policies.clone() })
        });
        let disclosure = Disclosure::new(&inputs, template, &rendering).tools(&rendering);
        let added = disclosure.into_iter().map(|tool| Offered { tool, policies: template.policies.clone() });
        Ok(RenderedPrompt {
            ns: template.ns.clone(),
            key: template.key.clone(),
            name: template.name.clone(),
            text: rendering.blocks.join("\n\n"),
            offered: own.chain(added).collect(),
            output_schema: template.output.schema().cloned(),
            workspace: inputs.workspace(&template.tree.roots).cloned(),
        })
    }

    /// What Codex holds the final answer to; `None`, if it is plain text.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Value> {
        self.template.output.schema()
    }

    /// Reads a final answer.
    ///
    /// # Errors
    /// If there is no JSON in it, or JSON that is not a `T`.
    pub fn parse(&self, answer: &str) -> Result<T, OutputError> {
        self.parsed(answer).map(|(value, _)| value)
    }

    /// The same, with the JSON that was read of it.
    pub(crate) fn parsed(&self, answer: &str) -> Result<(T, Option<Value>), OutputError> {
        self.template.output.parse(answer)
    }
}
