//! A call and its answer.

use serde_json::Value;

use crate::tool::Content;

/// A call, as it came from the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The tool.
    pub tool: String,
    /// An object, or the text of one.
    pub arguments: Value,
    /// Codex's id of the call.
    pub call_id: Option<String>,
}

impl ToolCall {
    /// A call without an id.
    pub fn new(tool: impl Into<String>, arguments: Value) -> Self {
        Self { tool: tool.into(), arguments, call_id: None }
    }

    /// With Codex's id of it.
    #[must_use]
    pub fn id(mut self, call_id: impl Into<String>) -> Self {
        self.call_id = Some(call_id.into());
        self
    }
}

/// What the model is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolAnswer {
    /// Whether the call did what it was asked for.
    pub success: bool,
    /// Words and pictures.
    pub content: Vec<Content>,
}
