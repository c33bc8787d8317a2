//! What an agent offers beside its answer: files and links, each an artifact of its own.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_session::{
    ToolCallId,
    data::{ToolRequested, ToolResolved},
};
use serde_json::Value;

use super::{
    message::{Content, Part},
    task::{Artifact, Update},
};

/// The tool by which it offers something.
pub const OFFER: &str = "offer_artifact";

/// What was offered so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Offers {
    open: BTreeSet<ToolCallId>,
    made: Vec<Artifact>,
    /// Files in base64, by their hash.
    files: BTreeMap<String, String>,
}

impl Offers {
    pub(crate) fn begin(&mut self, call: &ToolRequested) {
        if call.tool == OFFER {
            self.open.insert(call.tool_call_id);
        }
    }

    /// What the call was answered with says what was kept.
    pub(crate) fn end(&mut self, call: &ToolResolved) -> Option<Update> {
        if !self.open.remove(&call.tool_call_id) || !call.success {
            return None;
        }
        let artifact = self.artifact(&offered(call)?)?;
        self.made.push(artifact.clone());
        Some(Update::Artifact { artifact, append: false, last: true })
    }

    pub(crate) fn bring(&mut self, sha256: &str, base64: String) {
        self.files.insert(sha256.to_owned(), base64);
    }

    pub(crate) fn artifacts(&self) -> impl Iterator<Item = Artifact> {
        self.made.iter().cloned()
    }

    fn artifact(&self, offered: &Value) -> Option<Artifact> {
        let text = |name: &str| offered[name].as_str().map(str::to_owned);
        let content = match (text("url"), text("sha256"), offered.get("data")) {
            (Some(url), ..) => Content::Url(url),
            // Who only wants to know that it is there is not brought the file.
            (None, Some(sha256), _) => Content::Raw(self.files.get(&sha256).cloned().unwrap_or_default()),
            (None, None, Some(data)) => Content::Data(data.clone()),
            (None, None, None) => return None,
        };
        let part =
            Part { content, filename: text("filename"), media_type: text("mediaType"), metadata: None };
        Some(Artifact {
            id: text("artifactId")?,
            name: text("name"),
            description: text("description"),
            parts: vec![part],
        })
    }
}

fn offered(call: &ToolResolved) -> Option<Value> {
    let content: Value = serde_json::from_str(call.content.text()).ok()?;
    let said: Value = serde_json::from_str(content[0]["text"].as_str()?).ok()?;
    said.get("offered").cloned()
}

/// The hash of the file that a call offered, if it did.
pub fn file_of(call: &ToolResolved) -> Option<String> {
    offered(call)?["sha256"].as_str().map(str::to_owned)
}
