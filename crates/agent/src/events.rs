//! What an evaluation tells: logs of a session, which no rollback removes.

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::session::{Slice, SlicePolicy};
use crate::usage::TokenUsage;

/// Who evaluates: stands in every event.
pub const ADAPTER: &str = "codex_app_server";

/// The most characters of a tool's output that [`ToolInvoked`] repeats.
pub(crate) const LONGEST_OUTPUT: usize = 1000;

/// A prompt was rendered: once for each rendering, before Codex gets it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptRendered {
    /// The prompt's namespace.
    pub prompt_ns: String,
    /// The prompt's key.
    pub prompt_key: String,
    /// Its name, or `ns:key`.
    pub prompt_name: String,
    /// `codex_app_server`.
    pub adapter: String,
    /// The session it was rendered for.
    pub session_id: Uuid,
    /// What Codex gets.
    pub rendered_prompt: String,
    /// When.
    pub created_at: Timestamp,
    /// The event itself.
    pub event_id: Uuid,
}

/// The tools that a rendered prompt offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RenderedTools {
    /// The prompt's namespace.
    pub prompt_ns: String,
    /// The prompt's key.
    pub prompt_key: String,
    /// `codex_app_server`.
    pub adapter: String,
    /// In the order in which Codex gets them.
    pub tools: Vec<ToolSpec>,
    /// The [`PromptRendered`] that it belongs to.
    pub render_event_id: Uuid,
    /// The session it was rendered for.
    pub session_id: Uuid,
    /// When.
    pub created_at: Timestamp,
    /// The event itself.
    pub event_id: Uuid,
}

/// A tool, as Codex is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What the model reads about it.
    pub description: String,
    /// The JSON schema of its parameters.
    pub input_schema: Value,
}

/// A tool was called: one of the prompt's own, or one of Codex's (`codex:command`, `codex:file_change` and the like). Also when it failed, was denied or is unknown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolInvoked {
    /// The prompt whose evaluation called it.
    pub prompt_name: String,
    /// `codex_app_server`.
    pub adapter: String,
    /// The tool.
    pub name: String,
    /// The arguments, as they came.
    pub params: Value,
    /// How it ended.
    pub result: ToolOutcome,
    /// The session.
    pub session_id: Uuid,
    /// When it ended.
    pub created_at: Timestamp,
    /// What it used, where that is known.
    #[serde(default)]
    pub usage: Option<TokenUsage>,
    /// What the model was told, up to 1,000 characters.
    pub rendered_output: String,
    /// Codex's id of the call.
    #[serde(default)]
    pub call_id: Option<String>,
    /// The event itself.
    pub event_id: Uuid,
}

impl ToolInvoked {
    /// The value that the handler gave back, if there is one of this type.
    #[must_use]
    pub fn value<T: DeserializeOwned>(&self) -> Option<T> {
        self.result.value.as_ref().and_then(|value| T::deserialize(value).ok())
    }
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolOutcome {
    /// Whether it did what it was asked for.
    pub success: bool,
    /// The value that the handler gave back.
    #[serde(default)]
    pub value: Option<Value>,
    /// Why it did not succeed.
    #[serde(default)]
    pub failure: Option<ToolFailure>,
}

/// Why a call did not succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolFailure {
    /// There is no such tool.
    Unknown,
    /// The arguments are not what it takes.
    Invalid,
    /// A policy said no.
    Denied,
    /// It said so itself.
    Failed,
    /// It took longer than it may.
    TimedOut,
    /// It panicked.
    Panicked,
    /// It came after the deadline or ran into it, or came with the budget used up.
    TooLate,
    /// Nobody waited for its end.
    Cancelled,
}

/// A prompt was evaluated, with success.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptExecuted {
    /// The prompt.
    pub prompt_name: String,
    /// `codex_app_server`.
    pub adapter: String,
    /// The final answer.
    pub text: String,
    /// The final answer as the prompt's output type, in JSON.
    #[serde(default)]
    pub output: Option<Value>,
    /// The session.
    pub session_id: Uuid,
    /// When it ended.
    pub created_at: Timestamp,
    /// What it used.
    #[serde(default)]
    pub usage: Option<TokenUsage>,
    /// The event itself.
    pub event_id: Uuid,
}

macro_rules! logs {
    ($($event:ty: $name:literal),+ $(,)?) => {$(
        impl Slice for $event {
            const NAME: &'static str = $name;
            const POLICY: SlicePolicy = SlicePolicy::Log;
        }
    )+};
}

logs! {
    PromptRendered: "prompt_rendered",
    RenderedTools: "rendered_tools",
    ToolInvoked: "tool_invoked",
    PromptExecuted: "prompt_executed",
}

/// The first characters of a text.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
