//! A prompt as Codex gets it.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::events::{ADAPTER, PromptRendered, RenderedTools, ToolSpec};
use crate::feedback::Provider;
use crate::policy::Policy;
use crate::resources::Bindings;
use crate::session::Session;
use crate::skills::{LoadedSkill, SkillSpec};
use crate::tool::Tool;
use crate::toolbox::Toolbox;
use crate::workspace::Workspace;

/// A tool that is offered, with the rules about it.
#[derive(Clone)]
pub(crate) struct Offered {
    pub(crate) tool: Tool,
    pub(crate) policies: Vec<Arc<dyn Policy>>,
}

/// A prompt as Codex gets it: text, tools and the schema of the answer.
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{Prompt, Section, Session, Tool, ToolContext};
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Answer {
///     text: String,
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let wave = Tool::new("wave", "Wave.", async |(): (), _: ToolContext| Ok(()));
/// let prompt = Prompt::<Answer>::builder("demo", "greet").section(Section::markdown("Task", "task", "Greet.").tool(wave)).build()?;
/// let rendered = prompt.render(&Session::new())?;
/// assert_eq!(rendered.text(), "## 1. Task (task)\n\nGreet.");
/// assert_eq!(rendered.tools().map(Tool::name).collect::<Vec<_>>(), ["wave"]);
/// assert_eq!(rendered.output_schema().map(|schema| &schema["required"][0]), Some(&"text".into()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RenderedPrompt {
    pub(crate) ns: String,
    pub(crate) key: String,
    pub(crate) name: Arc<str>,
    pub(crate) text: String,
    pub(crate) offered: Vec<Offered>,
    pub(crate) skills: Vec<LoadedSkill>,
    pub(crate) feedback: Vec<Provider>,
    pub(crate) bindings: Arc<Bindings>,
    pub(crate) output_schema: Option<Value>,
    pub(crate) workspace: Option<Workspace>,
}

impl RenderedPrompt {
    /// What the model reads.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The prompt's namespace.
    #[must_use]
    pub fn ns(&self) -> &str {
        &self.ns
    }

    /// The prompt's key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The prompt's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tools that are offered: those of the sections that are shown in full, then those for what is summarized.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.offered.iter().map(|offered| &offered.tool)
    }

    /// The same, as Codex is told of them.
    #[must_use]
    pub fn specs(&self) -> Vec<ToolSpec> {
        let spec = |tool: &Tool| ToolSpec {
            name: tool.name().to_owned(),
            description: tool.description().to_owned(),
            input_schema: tool.input_schema().clone(),
        };
        self.tools().map(spec).collect()
    }

    /// The skills of the sections that are shown in full.
    #[must_use]
    pub fn skills(&self) -> Vec<SkillSpec> {
        let spec =
            |it: &LoadedSkill| SkillSpec { name: it.name.clone(), description: it.description.clone() };
        self.skills.iter().map(spec).collect()
    }

    /// What Codex holds the final answer to; `None`, if it is plain text.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Value> {
        self.output_schema.as_ref()
    }

    /// The workspace that it is about: that of the first section that has one and is enabled, whether it is shown or only summarized.
    #[must_use]
    pub fn workspace(&self) -> Option<&Workspace> {
        self.workspace.as_ref()
    }

    /// Tells a session that it is evaluated now: `PromptRendered`, then `RenderedTools`. Once for each rendering, before Codex gets it.
    pub fn record(&self, session: &Session) {
        let render_event_id = Uuid::now_v7();
        session.append(PromptRendered {
            prompt_ns: self.ns.clone(),
            prompt_key: self.key.clone(),
            prompt_name: self.name.to_string(),
            adapter: ADAPTER.to_owned(),
            session_id: session.id(),
            rendered_prompt: self.text.clone(),
            created_at: Timestamp::now(),
            event_id: render_event_id,
        });
        session.append(RenderedTools {
            prompt_ns: self.ns.clone(),
            prompt_key: self.key.clone(),
            adapter: ADAPTER.to_owned(),
            tools: self.specs(),
            render_event_id,
            session_id: session.id(),
            created_at: Timestamp::now(),
            event_id: Uuid::now_v7(),
        });
    }

    /// The tools, ready to be called for a session.
    #[must_use]
    pub fn toolbox(&self, session: &Session) -> Toolbox {
        Toolbox::new(self, session)
    }
}

impl fmt::Display for RenderedPrompt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl fmt::Debug for RenderedPrompt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools: Vec<&str> = self.tools().map(Tool::name).collect();
        out.debug_struct("RenderedPrompt")
            .field("name", &self.name)
            .field("tools", &tools)
            .finish_non_exhaustive()
    }
}
