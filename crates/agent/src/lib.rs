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
mod private;
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
pub use overrides::{
    ExampleOverride, Override, OverrideError, OverrideStore, PromptOverride, SectionOverride, ToolOverride,
};
pub use policy::{Asked, Decision, Policy, PolicyState, ReadBeforeWrite, SequentialDependency};
pub use prompt::{
    Expansion, Flaw, Params, Problem, Prompt, PromptBuilder, PromptDescriptor, PromptError, RenderContext,
    RenderedPrompt, Section, SectionDescriptor, ToolDescriptor, Visibility, VisibilityOverrides,
};
pub use reply::Reply;
pub use resources::{Bindings, OpenError, Resource, ResourceError, ResourceResolver, Resources};
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

/// What [`ApprovalRequest::kind`] says.
///
/// ```
/// use selvedge_agent::{Approval, ApprovalKind, ApprovalRequest};
///
/// // Commands may run; nothing gets more permissions.
/// let decide = async |asked: ApprovalRequest| match asked.kind {
///     ApprovalKind::Command | ApprovalKind::FileChange => Approval::Accept,
///     _ => Approval::Decline,
/// };
/// # let codex = selvedge_agent::Codex::builder().approvals(decide);
/// ```
pub use selvedge_runtime::session::data::ApprovalKind;

/// For [`CodexBuilder::approval_policy`]; [`CodexBuilder::approvals`] says who answers.
///
/// ```
/// use selvedge_agent::{ApprovalPolicy, Codex};
///
/// let codex = Codex::builder().approval_policy(ApprovalPolicy::Untrusted);
/// ```
pub use selvedge_runtime::session::ApprovalPolicy;

/// For [`Failing::phase`].
///
/// ```
/// use selvedge_agent::{AgentError, Phase};
///
/// /// Who has to do something about it.
/// fn whose(error: &AgentError) -> &'static str {
///     match error.phase {
///         Phase::Request => "whoever keeps Codex running",
///         Phase::Response => "whoever wrote the prompt",
///         Phase::Tool => "whoever wrote the tool",
///         Phase::Budget => "whoever pays",
///     }
/// }
/// ```
pub use selvedge_runtime::session::Phase;

/// For [`CodexBuilder::sandbox`].
///
/// ```
/// use selvedge_agent::{Codex, Sandbox};
///
/// let reviewer = Codex::builder().sandbox(Sandbox::ReadOnly);
/// let author = Codex::builder().sandbox(Sandbox::WorkspaceWrite);
/// ```
pub use selvedge_runtime::session::Sandbox;

/// For [`CodexBuilder::runtime`]: what the runtime below can be told.
///
/// ```
/// use selvedge_agent::{Codex, RuntimeConfig};
///
/// // Everything that is said is kept, to be played again in a test.
/// let config = RuntimeConfig { record: true, threads_per_process: 16, ..RuntimeConfig::default() };
/// let codex = Codex::builder().runtime(config).data_dir("/var/lib/reviewer");
/// ```
pub use selvedge_runtime::Config as RuntimeConfig;

/// For [`CodexBuilder::login`].
///
/// ```
/// use selvedge_agent::{Codex, Login};
///
/// let codex = Codex::builder().login(Login::api_key("sk-…"));
/// assert_eq!(format!("{:?}", Login::api_key("sk-…")), "Login(ApiKey(…))");
/// ```
pub use selvedge_runtime::Login;

/// For [`Login::renewed_by`].
///
/// ```
/// use selvedge_agent::{Login, RefreshReason, Tokens};
///
/// let login = Login::tokens(Tokens::default()).renewed_by(async |why: RefreshReason| {
///     let account = why.previous_account_id.unwrap_or_default();
///     Err::<Tokens, _>(format!("nobody is there to log {account} in again"))
/// });
/// ```
pub use selvedge_runtime::RefreshReason;

/// For [`Login::tokens`].
///
/// ```
/// use selvedge_agent::{Login, Tokens};
///
/// let tokens = Tokens { access_token: "…".into(), account_id: Some("…".into()), ..Tokens::default() };
/// let login = Login::tokens(tokens);
/// ```
pub use selvedge_runtime::Tokens;

/// The examples of the pages about this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/agent.md")]
struct Page;

/// The examples of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/sdk/guide.md")]
struct Guide;
