//! A call and its answer.

use serde_json::Value;

use crate::tool::Content;

/// A call, as it came from the model.
///
/// ```
/// use selvedge_agent::ToolCall;
/// use serde_json::json;
///
/// let call = ToolCall::new("divide", json!({"a": 6, "b": 3})).id("call-1");
/// assert_eq!((call.tool.as_str(), call.call_id.as_deref()), ("divide", Some("call-1")));
/// ```
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
///
/// ```
/// use selvedge_agent::{Content, Prompt, Session, ToolAnswer, ToolCall};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let session = Session::new();
/// let tools = Prompt::text("demo", "nothing").build()?.render(&session)?.toolbox(&session);
/// let answer: ToolAnswer = tools.call(ToolCall::new("wave", json!({}))).await;
/// assert!(!answer.success);
/// assert_eq!(answer.content, [Content::Text { text: "Unknown tool: wave".into() }], "every call has an answer");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolAnswer {
    /// Whether the call did what it was asked for.
    pub success: bool,
    /// Words and pictures.
    pub content: Vec<Content>,
}
