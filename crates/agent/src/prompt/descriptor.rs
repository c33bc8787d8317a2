//! What a prompt is made of, by content: how a change to it is noticed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::tree::Node;
use crate::json;
use crate::overrides::{SectionOverride, ToolOverride};
use crate::tool::Tool;

/// The sections and tools of a prompt that may be overridden, each with the hash of what it says.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolDescriptor {
    /// The path of its section in dots.
    pub path: String,
    /// Its name.
    pub name: String,
    /// SHA-256 of its description and of the schema of its parameters, in hexadecimal digits.
    pub contract_hash: String,
}

impl ToolDescriptor {
    /// Another description for it as it is.
    pub fn described_as(&self, description: impl Into<String>) -> ToolOverride {
        ToolOverride {
            name: self.name.clone(),
            expected_contract_hash: self.contract_hash.clone(),
            description: Some(description.into()),
            param_descriptions: BTreeMap::new(),
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

fn hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
