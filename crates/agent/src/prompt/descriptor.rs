//! What a prompt is made of, by content: how a change to it is noticed.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::tree::Node;

/// The sections of a prompt, each with the hash of its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptDescriptor {
    /// The prompt's namespace.
    pub ns: String,
    /// The prompt's key.
    pub key: String,
    /// Its sections, each before those in it.
    pub sections: Vec<SectionDescriptor>,
}

/// One section of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionDescriptor {
    /// Its path in dots.
    pub path: String,
    /// Its number.
    pub number: String,
    /// SHA-256 of its template as it was written, in hexadecimal digits.
    pub content_hash: String,
}

pub(super) fn sections(nodes: &[Node]) -> Vec<SectionDescriptor> {
    nodes.iter().flat_map(|node| [describe(node)].into_iter().chain(sections(&node.children))).collect()
}

fn describe(node: &Node) -> SectionDescriptor {
    let hash = Sha256::digest(node.body.raw());
    let content_hash = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    SectionDescriptor { path: node.path.clone(), number: node.number.clone(), content_hash }
}
