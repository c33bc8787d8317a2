//! A prompt in other words than those it was built with.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::descriptor::PromptDescriptor;
use super::error::{Flaw, Problem, PromptError};
use super::section::Shown;
use super::text::Text;
use super::tree::{Node, Tree, read_text};
use super::visibility::Visibility;
use super::{Prompt, Template};
use crate::names;
use crate::output::Output;
use crate::overrides::{PromptOverride, SectionOverride, ToolOverride};
use crate::tool::Tool;

/// What stands in the place of what a prompt was built with.
#[derive(Default)]
pub(crate) struct Replaced {
    /// By the section's path in dots.
    sections: BTreeMap<String, Words>,
    /// By name.
    tools: BTreeMap<String, Tool>,
}

struct Words {
    body: Text,
    summary: Option<Text>,
    visibility: Option<Visibility>,
}

impl Replaced {
    pub(super) fn body<'a>(&'a self, node: &'a Node) -> &'a Text {
        self.sections.get(&node.path).map_or(&node.body, |words| &words.body)
    }

    pub(super) fn summary<'a>(&'a self, node: &'a Node) -> Option<&'a Text> {
        self.sections.get(&node.path).and_then(|words| words.summary.as_ref()).or(node.summary.as_ref())
    }

    pub(super) fn visibility(&self, node: &Node) -> Option<Visibility> {
        self.sections.get(&node.path).and_then(|words| words.visibility)
    }

    /// The tools of a section.
    pub(super) fn tools(&self, node: &Node) -> Vec<Tool> {
        let tools = node.section.tools.iter();
        tools.map(|tool| self.tools.get(tool.name()).unwrap_or(tool).clone()).collect()
    }
}

impl<T: Output> Prompt<T> {
    /// The prompt in other words. What was written for another text than it has is passed over, as is what is fixed.
    ///
    /// # Errors
    /// If the words do not fit the prompt: with everything that is wrong, each with its section.
    pub fn overridden(mut self, given: &PromptOverride) -> Result<Self, PromptError> {
        let given = given.clone().fitting(&self.descriptor());
        let (mut replaced, mut flaws) = (Replaced::default(), Vec::new());
        for it in &given.sections {
            let path = it.path.join(".");
            let found = self.template.tree.find(&path);
            let Some(node) = found.as_ref().and_then(|way| way.last()) else { continue };
            let (words, problems) = read(it, node);
            flaws.extend(problems.into_iter().map(|problem| Flaw { section: Some(path.clone()), problem }));
            replaced.sections.insert(path, words);
        }
        for it in &given.tools {
            let Some((path, tool)) = self.template.tree.tool(&it.name) else { continue };
            let section = || Some(path.to_owned());
            match described(tool, it) {
                Ok(tool) => drop(replaced.tools.insert(it.name.clone(), tool)),
                Err(why) => {
                    let problem = Problem::Tool { tool: it.name.clone(), why };
                    flaws.push(Flaw { section: section(), problem });
                }
            }
        }
        if !flaws.is_empty() {
            return Err(PromptError::new(&*self.template.name, flaws));
        }
        self.replaced = Arc::new(replaced);
        Ok(self)
    }

    /// What it says itself, as an override.
    pub(crate) fn own_words(&self, descriptor: &PromptDescriptor, tag: &str) -> PromptOverride {
        let Template { tree, .. } = &*self.template;
        let mut own = PromptOverride::new(descriptor, tag);
        for section in &descriptor.sections {
            if let Some(node) = tree.find(&section.path).as_ref().and_then(|way| way.last()) {
                own = own.with(section.replaced_by(node.body.raw()));
            }
        }
        for descriptor in &descriptor.tools {
            if let Some((_, tool)) = tree.tool(&descriptor.name) {
                let mut words = descriptor.described_as(tool.description());
                words.param_descriptions = tool.param_descriptions();
                let examples = tool.examples().iter().enumerate();
                words.examples =
                    examples.filter_map(|(index, it)| descriptor.example_shown(index, it)).collect();
                own = own.with(words);
            }
        }
        own
    }
}

fn read(given: &SectionOverride, node: &Node) -> (Words, Vec<Problem>) {
    let (body, mut problems) = read_text(&node.section, &given.body);
    let summary = given.summary.as_ref().map(|summary| {
        let (text, wrong) = read_text(&node.section, summary);
        problems.extend(wrong);
        text
    });
    let always = given.visibility.or(match &node.section.shown {
        Shown::Always(visibility) => Some(*visibility),
        Shown::When(_) => None,
    });
    if always == Some(Visibility::Summary) && summary.is_none() && node.summary.is_none() {
        problems.push(Problem::NoSummary);
    }
    (Words { body, summary, visibility: given.visibility }, problems)
}

fn described(tool: &Tool, given: &ToolOverride) -> Result<Tool, String> {
    let words = given.description.iter();
    if let Some(wrong) = words.filter_map(|description| names::wrong_description(description)).next() {
        return Err(wrong);
    }
    tool.described(given.description.as_deref(), &given.param_descriptions)?.exemplified(&given.examples)
}

impl Tree {
    /// A tool by its name, with the path of its section.
    pub(super) fn tool(&self, name: &str) -> Option<(&str, &Tool)> {
        fn within<'a>(nodes: &'a [Node], name: &str) -> Option<(&'a str, &'a Tool)> {
            nodes.iter().find_map(|node| {
                let own = node.section.tools.iter().find(|tool| tool.name() == name);
                own.map(|tool| (node.path.as_str(), tool)).or_else(|| within(&node.children, name))
            })
        }
        within(&self.roots, name)
    }
}
