//! What a handler knows of the call it serves.

use std::fmt;
use std::sync::Arc;

use crate::budget::BudgetTracker;
use crate::deadline::Deadline;
use crate::files::{Directory, FileError, Files};
use crate::resources::{ResourceError, Resources};
use crate::session::Session;
use crate::workspace::Workspace;

/// The same for every call of a toolbox.
#[derive(Clone, Default)]
pub(crate) struct Surroundings {
    pub(crate) deadline: Option<Deadline>,
    pub(crate) budget: Option<BudgetTracker>,
    pub(crate) directory: Option<Directory>,
    pub(crate) workspace: Option<Workspace>,
    pub(crate) resources: Resources,
}

impl Surroundings {
    /// In a workspace, if there is one.
    pub(crate) fn of(workspace: Option<&Workspace>) -> Self {
        let directory = workspace.map(|workspace| workspace.directory().clone());
        Self { directory, workspace: workspace.cloned(), ..Self::default() }
    }
}

/// What differs from call to call.
pub(crate) struct Calling {
    pub(crate) prompt_name: Arc<str>,
    pub(crate) tool: String,
    pub(crate) call_id: Option<String>,
    pub(crate) files: Option<Files>,
}

/// The call that a handler serves. Cheap to clone.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Session, Tool, ToolCall, ToolContext};
/// use serde_json::json;
/// # use selvedge_agent::Slice;
/// # #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Note(String);
/// # impl Slice for Note { const NAME: &'static str = "note"; }
/// # fn note(text: &str) -> Note { Note(text.to_owned()) }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let remember = Tool::new("remember", "Remember this call.", async |(): (), context: ToolContext| {
///     let words = format!("{} as {} of {}", context.tool(), context.call_id().unwrap_or("none"), context.prompt_name());
///     context.session().append(note(&words)); // kept, if the call succeeds
///     Ok(())
/// });
/// let prompt = Prompt::text("demo", "go").section(Section::markdown("Task", "task", "Go.").tool(remember)).build()?;
/// let session = Session::new();
/// prompt.render(&session)?.toolbox(&session).call(ToolCall::new("remember", json!({})).id("call-7")).await;
/// assert_eq!(session.latest(), Some(note("remember as call-7 of demo:go")));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ToolContext {
    session: Session,
    calling: Arc<Calling>,
    surroundings: Surroundings,
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ToolContext")
            .field("tool", &self.calling.tool)
            .field("call_id", &self.calling.call_id)
            .finish_non_exhaustive()
    }
}

impl ToolContext {
    pub(crate) fn new(session: Session, calling: Calling, surroundings: Surroundings) -> Self {
        Self { session, calling: Arc::new(calling), surroundings }
    }

    /// The session, as this call sees it: what is written here is kept if the call succeeds. Give it to an evaluation within the call.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The prompt whose evaluation calls.
    #[must_use]
    pub fn prompt_name(&self) -> &str {
        &self.calling.prompt_name
    }

    /// The tool that is called.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.calling.tool
    }

    /// Codex's id of the call.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        self.calling.call_id.as_deref()
    }

    /// When the evaluation has to be over. The handler is dropped then.
    #[must_use]
    pub fn deadline(&self) -> Option<Deadline> {
        self.surroundings.deadline
    }

    /// What the evaluation may use. Give it to an evaluation within the call, so that both count.
    #[must_use]
    pub fn budget(&self) -> Option<&BudgetTracker> {
        self.surroundings.budget.as_ref()
    }

    /// The workspace of the prompt, if it has one. What is done there past [`files`](Self::files) is done at once, and not undone.
    ///
    /// ```
    /// use selvedge_agent::{Prompt, Section, Session, Tool, ToolCall, ToolContext, Workspace};
    /// use serde_json::json;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let place = Tool::new("place", "Say where this is.", async |(): (), context: ToolContext| {
    ///     Ok(context.workspace().map(|workspace| workspace.path().display().to_string()).unwrap_or_default())
    /// });
    /// let workspace = Workspace::builder().build().await?;
    /// let prompt = Prompt::text("demo", "place").section(workspace.section().tool(place)).build()?;
    /// let session = Session::new();
    /// let rendered = prompt.render(&session)?;
    /// assert_eq!(rendered.workspace().map(Workspace::path), Some(workspace.path()));
    /// assert!(rendered.toolbox(&session).call(ToolCall::new("place", json!({}))).await.success);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn workspace(&self) -> Option<&Workspace> {
        self.surroundings.workspace.as_ref()
    }

    /// The files of the workspace, or of the directory that Codex works in, as this call sees them: what is written here is there for others if the call succeeds.
    ///
    /// # Errors
    /// If there are none. An evaluation always has some; a [`Toolbox`](crate::Toolbox) that is used without one has those it was given.
    pub fn files(&self) -> Result<&Files, FileError> {
        self.calling.files.as_ref().ok_or(FileError::Nowhere)
    }

    /// What the prompt bound of this type: see [`Resource`](crate::Resource).
    ///
    /// # Errors
    /// If nobody bound one, or it cannot be opened.
    pub async fn resource<T: Send + Sync + 'static>(&self) -> Result<Arc<T>, ResourceError> {
        self.surroundings.resources.get().await
    }

    /// All of them, as this call sees them. Give them to an evaluation within the call, so that it finds the same.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.surroundings.resources
    }
}
