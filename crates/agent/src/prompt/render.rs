//! From sections to text: which are shown, how much of each, and which tools that brings.

use std::any::TypeId;
use std::collections::BTreeMap;

use super::Template;
use super::error::{Problem, PromptError};
use super::examples;
use super::overridden::Replaced;
use super::params::Given;
use super::section::{RenderContext, Shown};
use super::text::Text;
use super::tree::{Node, OPEN_SECTIONS, READ_SECTION};
use super::visibility::{Visibility, VisibilityOverrides};
use crate::session::Session;
use crate::workspace::Workspace;

/// What a prompt is rendered with.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    pub(super) template: &'a Template,
    pub(super) bound: &'a BTreeMap<TypeId, Given>,
    pub(super) replaced: &'a Replaced,
    pub(super) session: &'a Session,
    pub(super) overrides: &'a VisibilityOverrides,
}

/// What has been rendered so far.
#[derive(Default)]
pub(super) struct Rendering<'a> {
    pub(super) blocks: Vec<String>,
    /// The sections that are shown in full, in order: their tools are offered.
    pub(super) full: Vec<&'a Node>,
    /// The sections that are summarized, and whether there are tools in them.
    pub(super) summarized: Vec<(&'a Node, bool)>,
}

impl<'a> Inputs<'a> {
    /// Renders sections and what is in them.
    pub(super) fn render(&self, nodes: &'a [Node]) -> Result<Rendering<'a>, PromptError> {
        let mut rendering = Rendering::default();
        for node in nodes {
            self.node(node, None, &mut rendering)?;
        }
        Ok(rendering)
    }

    /// Renders one section in full, whatever the session or the prompt says of it.
    pub(super) fn render_full(&self, node: &'a Node) -> Result<Rendering<'a>, PromptError> {
        let mut rendering = Rendering::default();
        self.node(node, Some(Visibility::Full), &mut rendering)?;
        Ok(rendering)
    }

    fn node(
        &self,
        node: &'a Node,
        forced: Option<Visibility>,
        out: &mut Rendering<'a>,
    ) -> Result<(), PromptError> {
        if !self.is_enabled(node) {
            return Ok(());
        }
        match self.visibility(node, forced) {
            Visibility::Full => {
                let body = self.fill(node, self.replaced.body(node))?;
                out.blocks.push(block(&[node.heading(), body, examples::block(&self.replaced.tools(node))]));
                out.full.push(node);
                node.children.iter().try_for_each(|child| self.node(child, None, out))
            }
            Visibility::Summary => {
                let has_tools = self.has_tools(node);
                out.blocks.push(self.summary(node, has_tools)?);
                out.summarized.push((node, has_tools));
                Ok(())
            }
        }
    }

    fn summary(&self, node: &Node, has_tools: bool) -> Result<String, PromptError> {
        let text = self.replaced.summary(node).ok_or_else(|| self.error(node, Problem::NoSummary))?;
        let text = self.fill(node, text)?;
        let tool = if has_tools { OPEN_SECTIONS } else { READ_SECTION };
        let path = &node.path;
        let children = node.children.iter().filter(|child| self.is_enabled(child));
        let children: Vec<&str> = children.map(|child| child.key.as_str()).collect();
        let how = if children.is_empty() {
            format!("[This section is summarized. To view full content, call `{tool}` with key \"{path}\".]")
        } else {
            format!(
                "[This section is summarized. Call `{tool}` with key \"{path}\" to view full content including subsections: {}.]",
                children.join(", ")
            )
        };
        Ok(block(&[node.heading(), text, format!("---\n{how}")]))
    }

    /// Whether a section is part of the prompt, those that it lies in aside.
    pub(super) fn is_enabled(&self, node: &Node) -> bool {
        let context = RenderContext::new(self.session, self.params(node));
        node.section.enabled.as_ref().is_none_or(|enabled| enabled(&context))
    }

    /// The first workspace of sections that are part of the prompt.
    pub(super) fn workspace(&self, nodes: &'a [Node]) -> Option<&'a Workspace> {
        let mut enabled = nodes.iter().filter(|node| self.is_enabled(node));
        enabled.find_map(|node| node.section.workspace.as_ref().or_else(|| self.workspace(&node.children)))
    }

    fn visibility(&self, node: &Node, forced: Option<Visibility>) -> Visibility {
        let wanted = forced.or_else(|| self.overrides.get(&node.path));
        wanted.or_else(|| self.replaced.visibility(node)).unwrap_or_else(|| match &node.section.shown {
            Shown::Always(visibility) => *visibility,
            Shown::When(choose) => choose(&RenderContext::new(self.session, self.params(node))),
        })
    }

    /// Or skills: both come with a new rendering only.
    fn has_tools(&self, node: &Node) -> bool {
        let own = !node.section.tools.is_empty() || !node.skills.is_empty();
        self.is_enabled(node) && (own || node.children.iter().any(|child| self.has_tools(child)))
    }

    /// What was bound, else the section's own default, else the prompt's first default of the type.
    fn params(&self, node: &'a Node) -> Option<&'a Given> {
        let takes = node.section.takes.as_ref()?;
        let own = || takes.default.as_ref().and_then(|it| it.as_ref().ok());
        let first = || self.template.tree.defaults.get(&takes.kind.id);
        self.bound.get(&takes.kind.id).or_else(own).or_else(first)
    }

    fn fill(&self, node: &'a Node, text: &Text) -> Result<String, PromptError> {
        let none = BTreeMap::new();
        let values = match (&node.section.takes, self.params(node)) {
            (_, Some(given)) => &given.fields,
            (None, None) => &none,
            (Some(takes), None) => {
                return Err(self.error(node, Problem::MissingParams { params: takes.kind.name.clone() }));
            }
        };
        text.fill(values).map_err(|placeholder| self.error(node, Problem::MissingValue { placeholder }))
    }

    fn error(&self, node: &Node, problem: Problem) -> PromptError {
        PromptError::one(&*self.template.name, Some(&node.path), problem)
    }
}

/// What there is of its parts, with a blank line between.
fn block(parts: &[String]) -> String {
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}
