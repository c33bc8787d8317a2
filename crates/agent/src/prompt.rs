//! Prompts: namespaced templates of sections, checked when they are built, rendered for a session.

mod builder;
mod descriptor;
mod disclosure;
mod error;
mod examples;
mod overridden;
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
pub use descriptor::{PromptDescriptor, SectionDescriptor, ToolDescriptor};
pub use disclosure::Expansion;
pub use error::{Flaw, Problem, PromptError};
pub use params::Params;
pub(crate) use rendered::Offered;
pub use rendered::RenderedPrompt;
pub use section::{RenderContext, Section};
pub use visibility::{Visibility, VisibilityOverrides};

use crate::completion::AnyCheck;
use crate::feedback::Provider;
use crate::output::{Output, OutputError, OutputForm};
use crate::policy::Policy;
use crate::resources::{Bindings, Resource, ResourceError, Resources};
use crate::session::Session;
use disclosure::Disclosure;
use overridden::Replaced;
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
    completion: Option<AnyCheck>,
    feedback: Vec<Provider>,
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
    bindings: Arc<Bindings>,
    replaced: Arc<Replaced>,
    output: PhantomData<fn() -> T>,
}

impl<T> Clone for Prompt<T> {
    fn clone(&self) -> Self {
        Self {
            template: self.template.clone(),
            bound: self.bound.clone(),
            bindings: self.bindings.clone(),
            replaced: self.replaced.clone(),
            output: PhantomData,
        }
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
        let Template { ns, key, tree, .. } = &*self.template;
        let (sections, tools) = (descriptor::sections(&tree.roots), descriptor::tools(&tree.roots));
        PromptDescriptor { ns: ns.clone(), key: key.clone(), sections, tools }
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

    /// Gives its tools something to work with, instead of what the prompt or a section bound for the type.
    ///
    /// ```
    /// use selvedge_agent::{Prompt, Resource};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// struct Mailer(&'static str);
    ///
    /// let prompt = Prompt::text("demo", "mail").resource(Resource::singleton(async |_| Ok(Mailer("smtp.example.org")))).build()?;
    /// // In a test nothing is sent.
    /// let resources = prompt.bind_resource(Resource::instance(Mailer("nowhere"))).open_resources().await?;
    /// assert_eq!(resources.get::<Mailer>().await?.0, "nowhere");
    /// # resources.close().await;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn bind_resource<R>(mut self, resource: Resource<R>) -> Self {
        let bindings = Bindings::clone(&self.bindings).merge(&Bindings::new().bind(resource));
        self.bindings = Arc::new(bindings);
        self
    }

    /// Opens what its tools work with, for as many evaluations as are given it. Without it each evaluation opens its own.
    ///
    /// # Errors
    /// If something that is to be opened first cannot be.
    pub async fn open_resources(&self) -> Result<Resources, ResourceError> {
        Bindings::clone(&self.bindings).open().await
    }

    /// Renders it for a session: predicates see it, and its wishes for what is shown are followed.
    ///
    /// # Errors
    /// If parameters or a value in them are missing, or a summary is asked for that nobody wrote.
    pub fn render(&self, session: &Session) -> Result<RenderedPrompt, PromptError> {
        let template = &self.template;
        let overrides = session.latest().unwrap_or_default();
        let inputs =
            Inputs { template, bound: &self.bound, replaced: &self.replaced, session, overrides: &overrides };
        let rendering = inputs.render(&template.tree.roots)?;
        let own = rendering.full.iter().flat_map(|node| {
            let policies =
                node.section.policies.iter().chain(&template.policies).cloned().collect::<Vec<_>>();
            let tools = self.replaced.tools(node).into_iter();
            tools.map(move |tool| Offered { tool, policies: policies.clone() })
        });
        let disclosure = Disclosure::new(&inputs, self, &rendering).tools(&rendering);
        let added = disclosure.into_iter().map(|tool| Offered { tool, policies: template.policies.clone() });
        Ok(RenderedPrompt {
            ns: template.ns.clone(),
            key: template.key.clone(),
            name: template.name.clone(),
            text: rendering.blocks.join("\n\n"),
            offered: own.chain(added).collect(),
            skills: rendering.full.iter().flat_map(|node| node.skills.iter().cloned()).collect(),
            feedback: template.feedback.clone(),
            bindings: self.bindings.clone(),
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

    /// Who says whether the work is done.
    pub(crate) fn completion(&self) -> Option<&AnyCheck> {
        self.template.completion.as_ref()
    }
}
