//! What a prompt is made of, by content: how a change to it is noticed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::tree::Node;
use crate::json;
use crate::overrides::{SectionOverride, ToolOverride};
use crate::tool::{Example, Tool};

/// The sections and tools of a prompt that may be overridden, each with the hash of what it says.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Tool, ToolContext};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let wave = Tool::new("wave", "Wave.", async |(): (), _: ToolContext| Ok(()));
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Greet.").tool(wave)).build()?;
/// let descriptor = prompt.descriptor();
/// assert_eq!((descriptor.ns.as_str(), descriptor.key.as_str()), ("demo", "greet"));
/// assert!(descriptor.section("task").is_some() && descriptor.tool("wave").is_some() && descriptor.tool("bow").is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptDescriptor {
    /// The prompt's namespace.
    pub ns: String,
    /// The prompt's key.
    pub key: String,
    /// Its sections, each before those in it.
    pub sections: Vec<SectionDescriptor>,
    /// Their tools.
    #[serde(default)]
    pub tools: Vec<ToolDescriptor>,
}

impl PromptDescriptor {
    /// A section by its path in dots.
    #[must_use]
    pub fn section(&self, path: &str) -> Option<&SectionDescriptor> {
        self.sections.iter().find(|section| section.path == path)
    }

    /// A tool by its name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&ToolDescriptor> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

/// One section of a prompt.
///
/// ```
/// use selvedge_agent::{Prompt, Section};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let hash = |text: &str| {
///     let prompt = Prompt::text("demo", "greet").section(Section::markdown("Tone", "tone", text)).build()?;
///     Ok::<_, selvedge_agent::PromptError>(prompt.descriptor().sections[0].content_hash.clone())
/// };
/// assert_eq!(hash("Be brief.")?, hash("Be brief.")?);
/// assert_ne!(hash("Be brief.")?, hash("Be kind.")?, "so a change is noticed");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionDescriptor {
    /// Its path in dots.
    pub path: String,
    /// The keys of which the path is made.
    #[serde(default)]
    pub keys: Vec<String>,
    /// Its number.
    pub number: String,
    /// SHA-256 of its template as it was written, in hexadecimal digits.
    pub content_hash: String,
}

impl SectionDescriptor {
    /// Another text for it as it is.
    pub fn replaced_by(&self, body: impl Into<String>) -> SectionOverride {
        SectionOverride {
            path: self.keys.clone(),
            expected_hash: self.content_hash.clone(),
            body: body.into(),
            summary: None,
            visibility: None,
        }
    }
}

/// One tool of a prompt.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Tool, ToolContext};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let wave = Tool::new("wave", "Wave.", async |(): (), _: ToolContext| Ok(()));
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Greet.").tool(wave)).build()?;
/// let descriptor = prompt.descriptor();
/// let tool = descriptor.tool("wave").ok_or("no such tool")?;
/// assert_eq!((tool.path.as_str(), tool.contract_hash.len()), ("task", 64));
/// assert_eq!(tool.described_as("Wave both hands.").description.as_deref(), Some("Wave both hands."));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolDescriptor {
    /// The path of its section in dots.
    pub path: String,
    /// Its name.
    pub name: String,
    /// SHA-256 of its description and of the schema of its parameters, in hexadecimal digits.
    pub contract_hash: String,
    /// SHA-256 of each of its examples, in hexadecimal digits.
    #[serde(default)]
    pub example_hashes: Vec<String>,
}

impl ToolDescriptor {
    /// Another description for it as it is.
    pub fn described_as(&self, description: impl Into<String>) -> ToolOverride {
        ToolOverride { description: Some(description.into()), ..self.unchanged() }
    }

    /// It as it is, to be given words for its parameters or other examples.
    #[must_use]
    pub fn unchanged(&self) -> ToolOverride {
        ToolOverride {
            name: self.name.clone(),
            expected_contract_hash: self.contract_hash.clone(),
            description: None,
            param_descriptions: BTreeMap::new(),
            examples: Vec::new(),
        }
    }
}

pub(super) fn sections(nodes: &[Node]) -> Vec<SectionDescriptor> {
    fn within(nodes: &[Node], keys: &[String], found: &mut Vec<SectionDescriptor>) {
        for node in nodes {
            let keys = [keys, std::slice::from_ref(&node.key)].concat();
            if !node.section.fixed {
                let (path, number) = (node.path.clone(), node.number.clone());
                let content_hash = hash(node.body.raw());
                found.push(SectionDescriptor { path, keys: keys.clone(), number, content_hash });
            }
            within(&node.children, &keys, found);
        }
    }
    let mut found = Vec::new();
    within(nodes, &[], &mut found);
    found
}

pub(super) fn tools(nodes: &[Node]) -> Vec<ToolDescriptor> {
    let of = |node: &Node| {
        let own = node.section.tools.iter().filter(|tool| !tool.is_fixed()).map(|tool| ToolDescriptor {
            path: node.path.clone(),
            name: tool.name().to_owned(),
            contract_hash: contract_hash(tool),
            example_hashes: tool.examples().iter().map(example_hash).collect(),
        });
        own.chain(tools(&node.children)).collect::<Vec<_>>()
    };
    nodes.iter().flat_map(of).collect()
}

/// Results have no schema here: in its place stands the one of nothing.
fn contract_hash(tool: &Tool) -> String {
    // A schema that was made can be written.
    let schema = json::compact_ascii(tool.input_schema()).unwrap_or_default();
    hash(&format!("{}::{}::{}", hash(tool.description()), hash(&schema), hash("null")))
}

/// Of what the model is shown.
fn example_hash(example: &Example) -> String {
    let Example { description, input, output, .. } = example;
    let shown = serde_json::json!({"description": description, "input": input, "output": output});
    // What is made of strings can be written.
    hash(&json::compact_ascii(&shown).unwrap_or_default())
}

fn hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
