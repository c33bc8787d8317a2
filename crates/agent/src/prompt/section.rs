//! A section: a piece of a prompt with its own text, parameters, tools and rules.

use std::fmt;
use std::sync::Arc;

use super::params::{Given, Params, ParamsType};
use super::visibility::Visibility;
use crate::policy::Policy;
use crate::resources::{Bindings, Resource};
use crate::session::Session;
use crate::skills::Skill;
use crate::tool::Tool;
use crate::workspace::Workspace;

/// What a predicate may look at.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Session, Visibility};
/// # use selvedge_agent::Slice;
/// # #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Note(String);
/// # impl Slice for Note { const NAME: &'static str = "note"; }
/// # fn note(text: &str) -> Note { Note(text.to_owned()) }
///
/// let notes = Section::markdown("Notes", "notes", "There are notes.")
///     .enabled(|context| !context.session().all::<Note>().is_empty());
/// let prompt = Prompt::text("demo", "work").section(notes).build()?;
/// let session = Session::new();
/// assert_eq!(prompt.render(&session)?.text(), "");
/// session.append(note("remember"));
/// assert_eq!(prompt.render(&session)?.text(), "## 1. Notes (notes)\n\nThere are notes.");
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
pub struct RenderContext<'a> {
    session: &'a Session,
    params: Option<&'a Given>,
}

impl<'a> RenderContext<'a> {
    pub(crate) fn new(session: &'a Session, params: Option<&'a Given>) -> Self {
        Self { session, params }
    }

    /// The session that the prompt is rendered for.
    #[must_use]
    pub fn session(&self) -> &Session {
        self.session
    }

    /// The section's parameters, if it has any of this type.
    #[must_use]
    pub fn params<P: Params>(&self) -> Option<&P> {
        self.params.and_then(Given::get)
    }
}

type Predicate<R> = Arc<dyn Fn(&RenderContext<'_>) -> R + Send + Sync>;

/// How a section's visibility is found.
#[derive(Clone)]
pub(crate) enum Shown {
    Always(Visibility),
    When(Predicate<Visibility>),
}

/// The parameters a section takes.
#[derive(Clone)]
pub(crate) struct Takes {
    pub(crate) kind: ParamsType,
    pub(crate) default: Option<Result<Given, String>>,
}

/// A piece of a prompt. What is wrong with it is told when a prompt is built with it.
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{Section, Visibility};
/// use serde::Serialize;
///
/// #[derive(Serialize, JsonSchema)]
/// struct Review {
///     language: String,
///     strict: bool,
/// }
///
/// let section = Section::markdown("Review", "review", "Review the ${language} code.")
///     .params(Review { language: "Rust".into(), strict: false })
///     .child(
///         Section::markdown("Style", "style", "Mind the style guide.")
///             .takes::<Review>()
///             .enabled(|context| context.params::<Review>().is_some_and(|review| review.strict)),
///     )
///     .child(
///         Section::markdown("History", "history", "Everything that was decided so far: …")
///             .summary("What was decided so far.")
///             .visibility(Visibility::Summary),
///     );
/// ```
#[derive(Clone)]
pub struct Section {
    pub(crate) title: String,
    pub(crate) key: String,
    pub(crate) template: String,
    pub(crate) summary: Option<String>,
    pub(crate) takes: Option<Takes>,
    pub(crate) enabled: Option<Predicate<bool>>,
    pub(crate) shown: Shown,
    pub(crate) tools: Vec<Tool>,
    pub(crate) skills: Vec<Skill>,
    pub(crate) policies: Vec<Arc<dyn Policy>>,
    pub(crate) bindings: Bindings,
    /// Whether its text cannot be overridden.
    pub(crate) fixed: bool,
    pub(crate) children: Vec<Section>,
    pub(crate) workspace: Option<Workspace>,
}

impl fmt::Debug for Section {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = out.debug_struct("Section");
        shown.field("key", &self.key).field("tools", &self.tools).field("children", &self.children);
        shown.finish_non_exhaustive()
    }
}

impl Section {
    /// A section of markdown. The text is dedented and trimmed; `${name}` and `$name` stand for fields of its parameters, `$$` for a dollar.
    pub fn markdown(title: impl Into<String>, key: impl Into<String>, template: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            key: key.into(),
            template: template.into(),
            summary: None,
            takes: None,
            enabled: None,
            shown: Shown::Always(Visibility::Full),
            tools: Vec::new(),
            skills: Vec::new(),
            policies: Vec::new(),
            bindings: Bindings::new(),
            fixed: false,
            children: Vec::new(),
            workspace: None,
        }
    }

    /// Takes parameters of this type; these, if nobody binds others.
    #[must_use]
    pub fn params<P: Params>(mut self, default: P) -> Self {
        self.takes = Some(Takes { kind: ParamsType::of::<P>(), default: Some(Given::new(default)) });
        self
    }

    /// Takes parameters of this type, which have to be bound unless another section has a default for them.
    #[must_use]
    pub fn takes<P: Params>(mut self) -> Self {
        self.takes = Some(Takes { kind: ParamsType::of::<P>(), default: None });
        self
    }

    /// With a section in it.
    #[must_use]
    pub fn child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// About this workspace, which lives as long as the section.
    pub(crate) fn of_workspace(mut self, workspace: &Workspace) -> Self {
        self.workspace = Some(workspace.clone());
        self
    }

    /// With a tool, which is offered while the section is shown in full.
    #[must_use]
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// With a skill, which Codex finds while the section is shown in full.
    #[must_use]
    pub fn skill(mut self, skill: Skill) -> Self {
        self.skills.push(skill);
        self
    }

    /// With a rule about its own tools. The prompt's rules are asked after it.
    #[must_use]
    pub fn policy(mut self, policy: impl Policy) -> Self {
        self.policies.push(Arc::new(policy));
        self
    }

    /// With something that tools work with, instead of what the prompt or a section before it bound for the type.
    #[must_use]
    pub fn resource<R>(mut self, resource: Resource<R>) -> Self {
        self.bindings = self.bindings.bind(resource);
        self
    }

    /// Leaves it out, with everything in it, when the predicate says no. The sections after it keep their numbers.
    ///
    /// One rendering may ask more than once: the answer should depend on nothing but the context.
    #[must_use]
    pub fn enabled(mut self, when: impl Fn(&RenderContext<'_>) -> bool + Send + Sync + 'static) -> Self {
        self.enabled = Some(Arc::new(when));
        self
    }

    /// What stands for it when only its summary is shown: a template like its text.
    #[must_use]
    pub fn summary(mut self, template: impl Into<String>) -> Self {
        self.summary = Some(template.into());
        self
    }

    /// Its text cannot be [overridden](crate::OverrideStore).
    ///
    /// ```
    /// use selvedge_agent::{Prompt, Section};
    ///
    /// let prompt = Prompt::text("demo", "law").section(Section::markdown("Law", "law", "Never lie.").fixed()).build()?;
    /// assert!(prompt.descriptor().sections.is_empty());
    /// # Ok::<(), selvedge_agent::PromptError>(())
    /// ```
    #[must_use]
    pub fn fixed(mut self) -> Self {
        self.fixed = true;
        self
    }

    /// How much of it is shown, unless the session says otherwise.
    #[must_use]
    pub fn visibility(mut self, visibility: Visibility) -> Self {
        self.shown = Shown::Always(visibility);
        self
    }

    /// The same, found when it is rendered.
    ///
    /// ```
    /// use selvedge_agent::{Prompt, Section, Session, ToolInvoked, Visibility};
    ///
    /// // In full at first; a reminder once the model is at work.
    /// let rules = Section::markdown("Rules", "rules", "All of them: …").summary("The rules hold.").visibility_when(|context| {
    ///     if context.session().all::<ToolInvoked>().is_empty() { Visibility::Full } else { Visibility::Summary }
    /// });
    /// let prompt = Prompt::text("demo", "work").section(rules).build()?;
    /// assert!(prompt.render(&Session::new())?.text().contains("All of them: …"));
    /// # Ok::<(), selvedge_agent::PromptError>(())
    /// ```
    #[must_use]
    pub fn visibility_when(
        mut self,
        choose: impl Fn(&RenderContext<'_>) -> Visibility + Send + Sync + 'static,
    ) -> Self {
        self.shown = Shown::When(Arc::new(choose));
        self
    }
}
