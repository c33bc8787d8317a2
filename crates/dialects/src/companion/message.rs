//! What a browser is told, exactly as it is written.

use serde::Serialize;
use serde_json::Value;

use super::{
    outcome::Outcome,
    phase::Phase,
    state::{SessionState, Update},
};

/// A message to a browser.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are the Companion's; its page says what each is")]
pub enum Message {
    /// The session as it is.
    SessionInit { session: Box<SessionState> },
    /// What changed of it.
    SessionUpdate { session: Box<Update> },
    /// Something the agent said, did or got.
    Assistant { message: Box<Assistant>, parent_tool_use_id: Option<String>, timestamp: i64 },
    /// A piece of what it is saying.
    StreamEvent { event: StreamEvent, parent_tool_use_id: Option<String> },
    /// A turn ended.
    Result { data: Box<Outcome> },
    /// Codex asks.
    PermissionRequest { request: Box<PermissionRequest> },
    /// It asks no longer.
    PermissionCancelled { request_id: String },
    /// A policy answered.
    PermissionAutoResolved { request: Box<PermissionRequest>, behavior: &'static str, reason: String },
    /// A tool is at work.
    ToolProgress { tool_use_id: String, tool_name: String, elapsed_time_seconds: u64 },
    /// Compaction began or ended, or how it stands after a replay.
    StatusChange { status: Option<Status> },
    /// Something went wrong.
    Error { message: String },
    /// An app-server is there.
    CliConnected,
    /// None is.
    CliDisconnected,
    /// Something was said to the agent.
    UserMessage { content: String, timestamp: i64, id: String },
    /// What a browser keeps.
    MessageHistory { messages: Vec<Message> },
    /// What a browser missed.
    EventReplay { events: Vec<Replayed> },
    /// What people call the session.
    SessionNameUpdate { name: String },
    /// MCP servers.
    McpStatus { servers: Vec<McpServer> },
    /// What the session is doing.
    SessionPhase {
        phase: Phase,
        #[serde(rename = "previousPhase")]
        previous: Phase,
    },
}

impl Message {
    /// Its `type`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::SessionInit { .. } => "session_init",
            Self::SessionUpdate { .. } => "session_update",
            Self::Assistant { .. } => "assistant",
            Self::StreamEvent { .. } => "stream_event",
            Self::Result { .. } => "result",
            Self::PermissionRequest { .. } => "permission_request",
            Self::PermissionCancelled { .. } => "permission_cancelled",
            Self::PermissionAutoResolved { .. } => "permission_auto_resolved",
            Self::ToolProgress { .. } => "tool_progress",
            Self::StatusChange { .. } => "status_change",
            Self::Error { .. } => "error",
            Self::CliConnected => "cli_connected",
            Self::CliDisconnected => "cli_disconnected",
            Self::UserMessage { .. } => "user_message",
            Self::MessageHistory { .. } => "message_history",
            Self::EventReplay { .. } => "event_replay",
            Self::SessionNameUpdate { .. } => "session_name_update",
            Self::McpStatus { .. } => "mcp_status",
            Self::SessionPhase { .. } => "session_phase",
        }
    }

    /// Whether it is kept in the history that a browser is given.
    pub(super) fn is_history(&self) -> bool {
        matches!(
            self,
            Self::Assistant { .. } | Self::Result { .. } | Self::UserMessage { .. } | Self::Error { .. }
        )
    }
}

/// A message that was missed, with its number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replayed {
    /// Its number.
    pub seq: u64,
    /// What it says.
    pub message: Message,
}

/// What the agent says, does or gets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Assistant {
    /// Made from the item's, so that the same message is never shown twice.
    pub id: String,
    /// `message`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// `assistant`.
    pub role: &'static str,
    /// Whose words.
    pub model: String,
    /// What.
    pub content: Vec<Block>,
    /// `end_turn` after a message.
    pub stop_reason: Option<&'static str>,
    /// Of a single message nothing is known; a turn's usage is in its `result`.
    pub usage: Tokens,
}

/// A part of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are the Companion's")]
pub enum Block {
    /// Words.
    Text { text: String },
    /// A tool is used.
    ToolUse { id: String, name: String, input: Value },
    /// What it gave.
    ToolResult { tool_use_id: String, content: String, is_error: bool },
    /// Thoughts.
    Thinking { thinking: String },
}

/// Tokens, as Claude counts them: what came from the cache is not among the input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Input that was not in the cache.
    pub input_tokens: u64,
    /// All output.
    pub output_tokens: u64,
    /// Input written to the cache.
    pub cache_creation_input_tokens: u64,
    /// Input from the cache.
    pub cache_read_input_tokens: u64,
}

/// A piece of what the agent is saying.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are the Companion's")]
pub enum StreamEvent {
    /// It begins to speak.
    MessageStart { message: Box<Assistant> },
    /// A part begins.
    ContentBlockStart { index: u32, content_block: Block },
    /// A piece of it.
    ContentBlockDelta { index: u32, delta: Delta },
    /// The part is over.
    ContentBlockStop { index: u32 },
    /// The message is over.
    MessageDelta { delta: Stopped, usage: OutputTokens },
}

/// A piece of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are the Companion's")]
pub enum Delta {
    /// Of words.
    TextDelta { text: String },
    /// Of thoughts.
    ThinkingDelta { thinking: String },
}

/// Why a message is over: not said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Stopped {
    /// Always nothing: the turn goes on.
    pub stop_reason: Option<&'static str>,
}

/// What a message used: not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct OutputTokens {
    /// Always 0.
    pub output_tokens: u64,
}

/// What a session does, for the browser's dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Its history is made shorter.
    Compacting,
    /// Nothing.
    Idle,
    /// A turn runs.
    Running,
}

/// What Codex asks a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PermissionRequest {
    /// By which it is answered.
    pub request_id: String,
    /// What it wants to use.
    pub tool_name: String,
    /// With what.
    pub input: Value,
    /// What can be allowed for longer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permission_suggestions: Vec<Suggestion>,
    /// In words.
    pub description: String,
    /// The item that waits.
    pub tool_use_id: String,
    /// The sub-agent that asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Since when.
    pub timestamp: i64,
}

/// Something that can be allowed for longer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// `addRules`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// What.
    pub rules: Vec<Rule>,
    /// `allow`.
    pub behavior: &'static str,
    /// `session`, or `userSettings` for what Codex keeps for good.
    pub destination: &'static str,
}

/// What is allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Which tool.
    pub tool_name: String,
    /// Which use of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_content: Option<String>,
}

/// An MCP server.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct McpServer {
    /// Which.
    pub name: String,
    /// `connected`, `failed`, `disabled` or `connecting`.
    pub status: String,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What it is made of; a secret, so nothing but its kind is told.
    pub config: Value,
    /// `session` or `user`.
    pub scope: String,
    /// What it offers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Value>,
}
