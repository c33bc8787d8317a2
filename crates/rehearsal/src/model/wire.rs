//! The request as it comes: only the fields the player reads, each optional, so that a newer Codex is read too.

use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Default, Deserialize)]
pub(super) struct Body {
    #[serde(default)]
    pub(super) input: Vec<Item>,
    #[serde(default)]
    pub(super) tools: Vec<ToolSpec>,
    #[serde(default)]
    pub(super) prompt_cache_key: Option<String>,
    #[serde(default)]
    pub(super) text: Option<TextOptions>,
}

/// One item of the conversation so far; which fields it has depends on its type.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Item {
    #[serde(default, rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) role: Option<String>,
    #[serde(default)]
    pub(super) content: Option<Vec<Part>>,
    #[serde(default)]
    pub(super) call_id: Option<String>,
    #[serde(default)]
    pub(super) output: Option<Value>,
    /// Of `additional_tools`: where code-mode models find their tools.
    #[serde(default)]
    pub(super) tools: Vec<ToolSpec>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Part {
    #[serde(default)]
    pub(super) text: Option<String>,
    /// The task of a sub-agent travels as this. With a real model it is ciphertext; here it is what we wrote.
    #[serde(default)]
    pub(super) encrypted_content: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ToolSpec {
    #[serde(default, rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
    /// Of a namespace.
    #[serde(default)]
    pub(super) tools: Vec<ToolSpec>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct TextOptions {
    #[serde(default)]
    pub(super) format: Option<Format>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Format {
    #[serde(default)]
    pub(super) schema: Option<Value>,
}

impl Item {
    pub(super) fn has_role(&self, role: &str) -> bool {
        self.role.as_deref() == Some(role)
    }

    pub(super) fn is_output(&self) -> bool {
        matches!(self.kind.as_str(), "function_call_output" | "custom_tool_call_output")
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.content.iter().flatten().filter_map(|part| part.text.as_deref())
    }

    /// A tool output's text: a string, or the texts of its parts.
    pub(super) fn output_text(&self) -> String {
        match &self.output {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => {
                parts.iter().filter_map(|part| part.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        }
    }
}
