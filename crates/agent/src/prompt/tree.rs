//! A prompt's sections, checked and numbered.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};

use super::error::{Flaw, Problem};
use super::params::Given;
use super::section::{Section, Shown};
use super::text::Text;
use super::visibility::Visibility;
use crate::names;
use crate::resources::Bindings;
use crate::skills::LoadedSkill;
use crate::tool::Tool;

/// The tools that rendering adds.
pub(crate) const OPEN_SECTIONS: &str = "open_sections";
/// See [`OPEN_SECTIONS`].
pub(crate) const READ_SECTION: &str = "read_section";

/// A section with its place.
pub(crate) struct Node {
    pub(crate) section: Section,
    pub(crate) key: String,
    /// In dots.
    pub(crate) path: String,
    /// `1.2`: given here, so that it does not depend on what is shown.
    pub(crate) number: String,
    pub(crate) depth: usize,
    pub(crate) body: Text,
    pub(crate) summary: Option<Text>,
    pub(crate) skills: Vec<LoadedSkill>,
    pub(crate) children: Vec<Node>,
}

impl Node {
    pub(crate) fn heading(&self) -> String {
        let level = "#".repeat(self.depth + 2);
        format!("{level} {}. {} ({})", self.number, self.section.title.trim(), self.path)
    }
}

/// All sections of a prompt.
pub(crate) struct Tree {
    pub(crate) roots: Vec<Node>,
    /// The first default for each type of parameters.
    pub(crate) defaults: BTreeMap<TypeId, Given>,
    /// Every type of parameters that some section takes.
    pub(crate) taken: BTreeSet<TypeId>,
}

impl Tree {
    /// Checks everything, and tells all that is wrong.
    pub(crate) fn grow(sections: Vec<Section>) -> (Self, Vec<Flaw>) {
        let mut grower = Grower::default();
        let roots = grower.siblings(sections, None);
        let Grower { defaults, taken, flaws, .. } = grower;
        (Self { roots, defaults, taken }, flaws)
    }

    /// The prompt's resources, with those of its sections: the deeper and the later takes the place of another of its type.
    pub(crate) fn bindings(&self, own: Bindings) -> Bindings {
        fn with(nodes: &[Node], bindings: Bindings) -> Bindings {
            nodes
                .iter()
                .fold(bindings, |so_far, node| with(&node.children, so_far.merge(&node.section.bindings)))
        }
        with(&self.roots, own)
    }

    /// The section at a path, after those that it lies in.
    pub(crate) fn find(&self, path: &str) -> Option<Vec<&Node>> {
        fn within<'a>(nodes: &'a [Node], path: &str) -> Option<Vec<&'a Node>> {
            nodes.iter().find_map(|node| {
                if node.path == path {
                    return Some(vec![node]);
                }
                let mut found = within(&node.children, path)?;
                found.insert(0, node);
                Some(found)
            })
        }
        within(&self.roots, path)
    }
}

#[derive(Default)]
struct Grower {
    defaults: BTreeMap<TypeId, Given>,
    taken: BTreeSet<TypeId>,
    paths: BTreeSet<String>,
    tools: BTreeSet<String>,
    skills: BTreeSet<String>,
    flaws: Vec<Flaw>,
}

/// Where a section stands.
struct Place {
    path: String,
    number: String,
    depth: usize,
}

impl Place {
    fn of(key: &str, nth: usize, parent: Option<&Self>) -> Self {
        match parent {
            None => Self { path: key.to_owned(), number: nth.to_string(), depth: 0 },
            Some(parent) => Self {
                path: format!("{}.{key}", parent.path),
                number: format!("{}.{nth}", parent.number),
                depth: parent.depth + 1,
            },
        }
    }
}

impl Grower {
    fn siblings(&mut self, sections: Vec<Section>, parent: Option<&Place>) -> Vec<Node> {
        let numbered = sections.into_iter().zip(1..);
        numbered.map(|(section, nth)| self.node(section, nth, parent)).collect()
    }

    fn node(&mut self, mut section: Section, nth: usize, parent: Option<&Place>) -> Node {
        let (key, wrong_key) = match names::key(&section.key) {
            Ok(key) => (key, None),
            // The path of what is wrong has to be told all the same.
            Err(why) => (section.key.trim().to_owned(), Some(Problem::Key { what: "key", why })),
        };
        let place = Place::of(&key, nth, parent);
        let path = &place.path;
        self.tell(path, wrong_key);
        self.tell(path, (section.title.trim().lines().count() != 1).then_some(Problem::Title));
        let is_new = self.paths.insert(path.clone());
        self.tell(path, (!is_new).then_some(Problem::SamePath));
        self.params(path, &section);
        let body = self.text(path, &section, &section.template);
        let summary = section.summary.as_ref().map(|summary| self.text(path, &section, summary));
        let always_summary = matches!(section.shown, Shown::Always(Visibility::Summary));
        self.tell(path, (always_summary && summary.is_none()).then_some(Problem::NoSummary));
        section.tools.iter().for_each(|tool| self.tool(path, tool));
        let skills = self.skills(path, &section);
        for resource in section.bindings.twice() {
            self.tell(path, Some(Problem::Resource { resource: (*resource).to_owned() }));
        }
        let children = std::mem::take(&mut section.children);
        let children = self.siblings(children, Some(&place));
        let Place { path, number, depth } = place;
        Node { section, key, path, number, depth, body, summary, skills, children }
    }

    fn params(&mut self, path: &str, section: &Section) {
        let Some(takes) = &section.takes else { return };
        self.taken.insert(takes.kind.id);
        match &takes.default {
            Some(Ok(given)) => {
                self.defaults.entry(takes.kind.id).or_insert_with(|| given.clone());
            }
            Some(Err(why)) => {
                let problem = Problem::BadParams { params: takes.kind.name.clone(), why: why.clone() };
                self.tell(path, Some(problem));
            }
            None => {}
        }
    }

    fn text(&mut self, path: &str, section: &Section, template: &str) -> Text {
        let (text, problems) = read_text(section, template);
        problems.into_iter().for_each(|problem| self.tell(path, Some(problem)));
        text
    }

    fn tool(&mut self, path: &str, tool: &Tool) {
        let mut problems = tool.problems();
        if [OPEN_SECTIONS, READ_SECTION].contains(&tool.name()) {
            problems
                .push("the name belongs to a tool that is added where sections are summarized".to_owned());
        }
        if !self.tools.insert(tool.name().to_owned()) {
            problems.push("another tool of the prompt has that name".to_owned());
        }
        for why in problems {
            self.tell(path, Some(Problem::Tool { tool: tool.name().to_owned(), why }));
        }
    }

    fn skills(&mut self, path: &str, section: &Section) -> Vec<LoadedSkill> {
        let mut loaded = Vec::new();
        for skill in &section.skills {
            let why = match skill.load() {
                Ok(skill) if self.skills.insert(skill.name.clone()) => {
                    loaded.push(skill);
                    continue;
                }
                Ok(skill) => format!("another skill of the prompt is called {}", skill.name),
                Err(why) => why,
            };
            self.tell(path, Some(Problem::Skill { skill: skill.label(), why }));
        }
        loaded
    }

    fn tell(&mut self, path: &str, problem: Option<Problem>) {
        let section = Some(path.to_owned());
        self.flaws.extend(problem.map(|problem| Flaw { section, problem }));
    }
}

/// Reads a text of a section, with what is wrong with it.
pub(super) fn read_text(section: &Section, template: &str) -> (Text, Vec<Problem>) {
    let mut problems = Vec::new();
    let text = Text::read(template).unwrap_or_else(|stray| {
        problems.push(Problem::StrayDollar { near: stray.0 });
        Text::empty()
    });
    for placeholder in text.placeholders() {
        let placeholder = placeholder.to_owned();
        problems.push(match &section.takes {
            None => Problem::NoParams { placeholder },
            Some(takes) if takes.kind.fields.contains(&placeholder) => continue,
            Some(takes) => {
                let known: Vec<&str> = takes.kind.fields.iter().map(String::as_str).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                Problem::UnknownPlaceholder { placeholder, params: takes.kind.name.clone(), known }
            }
        });
    }
    (text, problems)
}
