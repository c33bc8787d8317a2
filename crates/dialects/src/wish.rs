//! What a client can want, in whatever language it says so.

use selvedge_session::{ApprovalId, BusyPolicy, Json, Patch, ToolCallId, data::Decision};
use serde_json::{Map, Value};

/// A picture that comes with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// For example `image/png`.
    pub media_type: String,
    /// Its bytes in base64.
    pub data: String,
}

/// Something that a client wants done.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// To say something to the agent.
    Send {
        /// The words.
        text: String,
        /// What is shown with them.
        pictures: Vec<Picture>,
        /// By which it is said once, however often it is sent.
        key: Option<String>,
        /// What happens if a turn runs; what the session is set to, unless given.
        when_busy: Option<BusyPolicy>,
    },
    /// To stop the running turn.
    Interrupt,
    /// To answer what Codex asks.
    Answer {
        /// Which question.
        approval_id: ApprovalId,
        /// What is decided.
        decision: Decision,
        /// Said with it.
        message: Option<String>,
        /// Answers of questions, content of a form, or an amendment.
        content: Option<Json>,
    },
    /// To answer a call of one of the session's own tools.
    AnswerTool {
        /// Which call.
        tool_call_id: ToolCallId,
        /// Whether it worked.
        success: bool,
        /// What it gave.
        content: Json,
    },
    /// To have the session work otherwise from now on.
    Update(Box<Patch>),
    /// To use an MCP server, or to use it no more.
    SwitchServer {
        /// Which.
        name: String,
        /// Whether.
        enabled: bool,
    },
    /// To have its MCP servers started again.
    RestartServers,
    /// To have these MCP servers as well, as Codex is configured with them.
    AddServers(Map<String, Value>),
    /// A new session with this one's history.
    Fork,
}
