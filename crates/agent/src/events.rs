//! What an evaluation tells: logs of a session, which no rollback removes.

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::session::{Slice, SlicePolicy};
use crate::usage::TokenUsage;

/// Who evaluates: stands in every event.
///
/// ```
/// use selvedge_agent::{ADAPTER, Prompt, PromptRendered, Session};
///
/// let session = Session::new();
/// Prompt::text("demo", "greet").build()?.render(&session)?.record(&session);
/// assert_eq!(session.latest::<PromptRendered>().map(|told| told.adapter).as_deref(), Some(ADAPTER));
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
pub const ADAPTER: &str = "codex_app_server";

/// The most characters of a tool's output that [`ToolInvoked`] repeats.
pub(crate) const LONGEST_OUTPUT: usize = 1000;

/// A prompt was rendered: once for each rendering, before Codex gets it.
///
/// ```
/// use selvedge_agent::{Prompt, PromptRendered, Section, Session};
///
/// let session = Session::new();
/// let watching = session.observe(|told: &PromptRendered| println!("{}:\n{}", told.prompt_name, told.rendered_prompt));
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Greet them.")).build()?;
/// // An evaluation does this.
/// prompt.render(&session)?.record(&session);
/// assert_eq!(session.all::<PromptRendered>()[0].rendered_prompt, "## 1. Task (task)\n\nGreet them.");
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
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
///
/// ```
/// use selvedge_agent::{Prompt, PromptRendered, RenderedTools, Section, Session, Tool, ToolContext};
///
/// let wave = Tool::new("wave", "Wave at them.", async |(): (), _: ToolContext| Ok("They wave back."));
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Greet them.").tool(wave)).build()?;
/// let session = Session::new();
/// prompt.render(&session)?.record(&session);
/// let offered = session.all::<RenderedTools>();
/// assert_eq!(offered[0].tools[0].name, "wave");
/// assert_eq!(offered[0].render_event_id, session.all::<PromptRendered>()[0].event_id);
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
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
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{Prompt, Section, Session, Tool, ToolContext};
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Greet {
///     /// Their first name.
///     who: String,
/// }
///
/// let greet = Tool::new("greet", "Greet somebody.", async |params: Greet, _: ToolContext| Ok(format!("Hello {}.", params.who)));
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Greet them.").tool(greet)).build()?;
/// let spec = prompt.render(&Session::new())?.specs().remove(0);
/// assert_eq!((spec.name.as_str(), spec.description.as_str()), ("greet", "Greet somebody."));
/// assert_eq!(spec.input_schema["properties"]["who"]["description"], "Their first name.");
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
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
///
/// ```
/// use selvedge_agent::{Prompt, Section, Session, ToolFailure, ToolInvoked, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let rehearsal = Rehearsal::builder().otherwise(|model| model.runs("exit 3").says("It failed.")).build()?;
/// # let codex = rehearsal.codex().build().await?;
/// # let prompt = Prompt::text("demo", "run").section(Section::markdown("Task", "task", "Run it.")).build()?;
/// let session = Session::new();
/// let watching = session.observe(|call: &ToolInvoked| println!("{} {}: {}", call.name, call.params, call.rendered_output));
/// codex.evaluate(&prompt, &session).await?;
///
/// let calls = session.all::<ToolInvoked>();
/// assert_eq!(calls[0].name, "codex:command");
/// assert_eq!(calls[0].result.failure, Some(ToolFailure::Failed), "a command succeeds with the exit code 0 only");
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
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
///
/// ```
/// use selvedge_agent::{Prompt, Section, Session, Tool, ToolCall, ToolContext, ToolInvoked};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let roll = Tool::new("roll", "Roll a die.", async |(): (), _: ToolContext| Ok(4));
/// # let prompt = Prompt::text("demo", "dice").section(Section::markdown("Task", "task", "Roll.").tool(roll)).build()?;
/// # let session = Session::new();
/// # let tools = prompt.render(&session)?.toolbox(&session);
/// tools.call(ToolCall::new("roll", json!({}))).await;
/// let told: ToolInvoked = session.latest().ok_or("nothing was told")?;
/// assert!(told.result.success && told.result.failure.is_none());
/// assert_eq!(told.result.value, Some(json!(4)), "what the handler gave back");
/// # Ok(())
/// # }
/// ```
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
///
/// ```
/// use selvedge_agent::{Prompt, Section, Session, Tool, ToolCall, ToolContext, ToolError, ToolFailure, ToolInvoked};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let open = Tool::new("open", "Open the door.", async |(): (), _: ToolContext| Err::<(), _>(ToolError::new("it is locked")));
/// let prompt = Prompt::text("demo", "door").section(Section::markdown("Task", "task", "Go in.").tool(open)).build()?;
/// let session = Session::new();
/// let tools = prompt.render(&session)?.toolbox(&session);
/// for call in [ToolCall::new("open", json!({})), ToolCall::new("open", json!({"key": 1})), ToolCall::new("push", json!({}))] {
///     tools.call(call).await;
/// }
/// let failures: Vec<_> = session.all::<ToolInvoked>().iter().filter_map(|told| told.result.failure).collect();
/// assert_eq!(failures, [ToolFailure::Failed, ToolFailure::Invalid, ToolFailure::Unknown]);
/// # Ok(())
/// # }
/// ```
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
///
/// ```
/// use selvedge_agent::{PromptExecuted, Session, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let codex = Rehearsal::saying("Done.").codex().build().await?;
/// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
/// let session = Session::new();
/// codex.evaluate(&prompt, &session).await?;
/// let told: PromptExecuted = session.latest().ok_or("nothing was told")?;
/// assert_eq!((told.prompt_name.as_str(), told.text.as_str()), ("demo:go", "Done."));
/// assert!(told.usage.is_some_and(|used| used.total_tokens() > 0));
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
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
