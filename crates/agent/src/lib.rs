//! Typed agents on Codex: prompts, tools, sessions, structured answers, deadlines and budgets.
//!
//! A [`Prompt`] is built from [`Section`]s and checked when it is built. Rendered for a [`Session`], it is text, tools and the schema of its answer; its
//! [`Toolbox`] serves the model's calls, each a transaction of the session; [`Prompt::parse`] reads the final answer as the prompt's own type.
//!
//! ```
//! use schemars::JsonSchema;
//! use selvedge_agent::{Prompt, Section, Session, Tool, ToolCall, ToolContext, ToolInvoked};
//! use serde::{Deserialize, Serialize};
//! use serde_json::json;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct CountLines {
//!     text: String,
//! }
//!
//! #[derive(Serialize, Deserialize)]
//! struct Lines {
//!     lines: usize,
//! }
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Summary {
//!     title: String,
//!     line_count: u32,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let count_lines = Tool::new("count_lines", "Count the lines of a text.", async |params: CountLines, _: ToolContext| {
//!     Ok(Lines { lines: params.text.lines().count() })
//! });
//! let prompt = Prompt::<Summary>::builder("demo", "summarize")
//!     .section(Section::markdown("Task", "task", "Summarize the text you were given.").tool(count_lines))
//!     .build()?;
//!
//! let session = Session::new();
//! let rendered = prompt.render(&session)?;
//! assert_eq!(rendered.text(), "## 1. Task (task)\n\nSummarize the text you were given.");
//!
//! // What the model calls …
//! let tools = rendered.toolbox(&session);
//! let answer = tools.call(ToolCall::new("count_lines", json!({"text": "a\nb"})).id("call-1")).await;
//! assert!(answer.success);
//! let told: ToolInvoked = session.latest().ok_or("nothing was told")?;
//! assert_eq!(told.value::<Lines>().map(|it| it.lines), Some(2));
//!
//! // … and what it says in the end.
//! let summary = prompt.parse(r#"{"title": "Two letters", "line_count": 2}"#)?;
//! assert_eq!((summary.title.as_str(), summary.line_count), ("Two letters", 2));
//! # Ok(())
//! # }
//! ```

mod budget;
mod codex;
mod completion;
mod deadline;
mod error;
mod evaluate;
mod events;
mod feedback;
mod files;
mod json;
mod names;
mod output;
mod overrides;
mod policy;
mod prompt;
mod reply;
mod resources;
mod schema;
mod session;
mod skills;
#[cfg(feature = "testing")]
pub mod testing;
mod tool;
mod toolbox;
mod transcript;
mod usage;
mod workspace;

pub use budget::{Budget, BudgetExceeded, BudgetTracker, Dimension, EmptyBudget, Spending};
pub use codex::{Approval, ApprovalRequest, Codex, CodexBuilder};
pub use completion::{Checks, Completion, CompletionCheck, FilesWritten, Tentative};
pub use deadline::{Deadline, TooSoon};
pub use error::{AgentError, Cause, Failing};
pub use evaluate::{CodexThread, Evaluation};
pub use events::{
    ADAPTER, PromptExecuted, PromptRendered, RenderedTools, ToolFailure, ToolInvoked, ToolOutcome, ToolSpec,
};
pub use feedback::{
    DeadlineFeedback, Feedback, FeedbackContext, FeedbackProvider, FixedFeedback, Observation, Severity,
    Trigger,
};
pub use files::{Directory, EntryKind, FileEntry, FileError, FileTransaction, Files};
pub use output::{Output, OutputError};
pub use overrides::{Override, OverrideError, OverrideStore, PromptOverride, SectionOverride, ToolOverride};
pub use policy::{Asked, Decision, Policy, PolicyState, ReadBeforeWrite, SequentialDependency};
pub use prompt::{
    Expansion, Flaw, Params, Problem, Prompt, PromptBuilder, PromptDescriptor, PromptError, RenderContext,
    RenderedPrompt, Section, SectionDescriptor, ToolDescriptor, Visibility, VisibilityOverrides,
};
pub use reply::Reply;
pub use resources::{
    Bindings, OpenError, Resource, ResourceError, ResourceResolver, ResourceScope, Resources,
};
pub use session::{
    Change, Items, Session, SessionBuilder, SessionView, Slice, SlicePolicy, Snapshot, SnapshotError,
    Subscription, Transaction, reducers,
};
pub use skills::{Skill, SkillSpec};
pub use tool::{Content, Tool, ToolContext, ToolError, ToolReply};
pub use toolbox::{ToolAnswer, ToolCall, Toolbox};
pub use transcript::{MessageSent, Transcript, TranscriptEntry, TranscriptType};
pub use usage::TokenUsage;
pub use workspace::{
    HostMount, LeftOut, MountKind, MountPreview, WhyLeftOut, Workspace, WorkspaceBuilder, WorkspaceError,
};

pub use selvedge_runtime::session::{ApprovalPolicy, Phase, Sandbox, data::ApprovalKind};
pub use selvedge_runtime::{Config as RuntimeConfig, Login, RefreshReason, Tokens};

/// The examples of the page about this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/agent.md")]
struct Page;
