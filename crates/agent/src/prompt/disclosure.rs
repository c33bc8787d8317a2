//! The two tools by which a model sees what is summarized: `open_sections` and `read_section`.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::overridden::Replaced;
use super::params::Given;
use super::render::{Inputs, Rendering};
use super::tree::{Node, OPEN_SECTIONS, READ_SECTION};
use super::visibility::{Visibility, VisibilityOverrides};
use super::{Prompt, Template};
use crate::session::Session;
use crate::tool::{Tool, ToolContext, ToolError, ToolReply};

/// Sections that the model wants to see. Whoever evaluates ends the turn and renders again.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Session, Tool, ToolCall, ToolContext, Visibility};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let deploy = Tool::new("deploy", "Deploy it.", async |(): (), _: ToolContext| Ok(()));
/// let shipping = Section::markdown("Shipping", "shipping", "How we ship: …").tool(deploy);
/// let prompt = Prompt::text("demo", "work")
///     .section(shipping.summary("How to ship.").visibility(Visibility::Summary))
///     .build()?;
/// let session = Session::new();
/// let tools = prompt.render(&session)?.toolbox(&session);
/// tools.call(ToolCall::new("open_sections", json!({"section_keys": ["shipping"], "reason": "It is done."}))).await;
///
/// // An evaluation ends the turn now, and renders again.
/// let expansion = tools.take_expansion().ok_or("nothing was asked for")?;
/// assert_eq!((expansion.sections, expansion.reason.as_str()), (vec!["shipping".to_owned()], "It is done."));
/// assert!(prompt.render(&session)?.tools().any(|tool| tool.name() == "deploy"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expansion {
    /// Their paths in dots. They are set to be shown in full on the session already.
    pub sections: Vec<String>,
    /// Why, in the model's words.
    pub reason: String,
}

/// What one rendering left out.
pub(super) struct Disclosure {
    template: Arc<Template>,
    bound: BTreeMap<TypeId, Given>,
    replaced: Arc<Replaced>,
    overrides: VisibilityOverrides,
    /// The sections that are summarized, and those within them.
    hidden: BTreeSet<String>,
    /// The sections that are shown in full.
    shown: BTreeSet<String>,
}

#[derive(Deserialize, JsonSchema)]
struct OpenSections {
    /// The keys of the sections, as the prompt names them.
    section_keys: Vec<String>,
    /// Why they are needed.
    reason: String,
}

#[derive(Deserialize, JsonSchema)]
struct ReadSection {
    /// The key of the section, as the prompt names it.
    section_key: String,
}

impl Disclosure {
    pub(super) fn new<T>(inputs: &Inputs<'_>, prompt: &Prompt<T>, rendering: &Rendering<'_>) -> Self {
        let mut hidden = BTreeSet::new();
        for (node, _) in &rendering.summarized {
            hide(inputs, node, &mut hidden);
        }
        Self {
            template: prompt.template.clone(),
            bound: prompt.bound.clone(),
            replaced: prompt.replaced.clone(),
            overrides: inputs.overrides.clone(),
            hidden,
            shown: rendering.full.iter().map(|node| node.path.clone()).collect(),
        }
    }

    /// The tools for what is summarized: `open_sections` where that brings tools, `read_section` where it does not.
    pub(super) fn tools(self, rendering: &Rendering<'_>) -> Vec<Tool> {
        let with_tools = rendering.summarized.iter().any(|(_, has_tools)| *has_tools);
        let without = rendering.summarized.iter().any(|(_, has_tools)| !*has_tools);
        let this = Arc::new(self);
        let open = with_tools.then(|| open_sections(this.clone()));
        let read = without.then(|| read_section(this));
        open.into_iter().chain(read).collect()
    }

    /// Which sections have to be shown in full, so that those by these keys are seen.
    fn open(&self, keys: &[String]) -> Result<Vec<String>, ToolError> {
        if keys.is_empty() {
            return Err(ToolError::new("name at least one section"));
        }
        let mut paths = Vec::new();
        for key in keys {
            // What lies in a summarized section is seen only if that is shown in full as well.
            let way = self.find(key)?.into_iter().map(|node| node.path.clone());
            paths.extend(way.filter(|path| self.hidden.contains(path)));
        }
        if paths.is_empty() {
            return Err(ToolError::new(format!("shown in full already: {}", keys.join(", "))));
        }
        let mut seen = BTreeSet::new();
        paths.retain(|path| seen.insert(path.clone()));
        Ok(paths)
    }

    /// The text of a section, in full; of what is in it, as much as the session wants to see.
    fn read(&self, key: &str, session: &Session) -> Result<String, ToolError> {
        let way = self.find(key)?;
        let node = way.last().filter(|node| self.hidden.contains(&node.path));
        let node = node.ok_or_else(|| ToolError::new(format!("section `{key}` is shown in full already")))?;
        let Self { template, bound, replaced, overrides, .. } = self;
        let inputs = Inputs { template, bound, replaced, session, overrides };
        Ok(inputs.render_full(node)?.blocks.join("\n\n"))
    }

    fn find(&self, key: &str) -> Result<Vec<&Node>, ToolError> {
        let path = key.trim().to_lowercase();
        let is_there = self.hidden.contains(&path) || self.shown.contains(&path);
        is_there.then(|| self.template.tree.find(&path)).flatten().ok_or_else(|| {
            let hidden: Vec<&str> = self.hidden.iter().map(String::as_str).collect();
            ToolError::new(format!("there is no section `{path}`; summarized are: {}", hidden.join(", ")))
        })
    }
}

fn hide(inputs: &Inputs<'_>, node: &Node, hidden: &mut BTreeSet<String>) {
    if inputs.is_enabled(node) {
        hidden.insert(node.path.clone());
        node.children.iter().for_each(|child| hide(inputs, child, hidden));
    }
}

fn open_sections(disclosure: Arc<Disclosure>) -> Tool {
    let description = "Expand summarized sections to view their full content.";
    Tool::new(OPEN_SECTIONS, description, move |params: OpenSections, context: ToolContext| {
        let opened = disclosure.open(&params.section_keys);
        async move {
            let sections = opened?;
            for section in &sections {
                context.session().set_visibility(section, Visibility::Full);
            }
            let text = format!(
                "Sections expanded: {}. The prompt will be re-rendered with the full content of the requested sections.",
                sections.join(", ")
            );
            let expansion = Expansion { sections, reason: params.reason };
            Ok(ToolReply { expansion: Some(expansion), ..ToolReply::text(text) })
        }
    })
}

fn read_section(disclosure: Arc<Disclosure>) -> Tool {
    let description = "Read the full content of a summarized section, without changing the prompt.";
    Tool::new(READ_SECTION, description, move |params: ReadSection, context: ToolContext| {
        let read = disclosure.read(&params.section_key, context.session());
        async move { read.map(ToolReply::text) }
    })
}
