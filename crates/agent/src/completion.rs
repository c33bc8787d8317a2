//! Whether the work is done: asked when the model has answered, and if it is not, the model goes on.

mod composite;
mod files_written;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

pub use composite::Checks;
pub use files_written::FilesWritten;

use crate::budget::BudgetTracker;
use crate::deadline::Deadline;
use crate::files::{Directory, Files};
use crate::session::Session;

/// What a check says.
///
/// ```
/// use selvedge_agent::{Completion, CompletionCheck, Directory, FilesWritten, Session, Tentative};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// # let project = temporary.path();
/// let work = || Directory::open(project).map(|directory| Tentative::new(&Session::new(), "All done.", &directory));
/// let check = FilesWritten::new(["report.md"]);
/// assert!(matches!(check.check(work()?).await, Completion::Incomplete(words) if words.contains("report.md")));
/// std::fs::write(project.join("report.md"), "# Report\n")?;
/// assert_eq!(check.check(work()?).await, Completion::Complete);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion {
    /// The answer stands.
    Complete,
    /// Something is missing. The model is told so in these words and goes on; without words the answer stands as it is.
    Incomplete(String),
}

impl Completion {
    /// Something is missing, in words for the model.
    pub fn incomplete(feedback: impl Into<String>) -> Self {
        Self::Incomplete(feedback.into())
    }
}

/// Work that the model takes for done. Cheap to clone.
///
/// ```
/// use selvedge_agent::{Completion, CompletionCheck, Directory, Session, Tentative, ToolInvoked};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tested = async |work: Tentative| {
///     let has_run = work.session().all::<ToolInvoked>().iter().any(|call| call.params.to_string().contains("cargo test"));
///     if has_run || work.text().contains("no tests") { Completion::Complete } else { Completion::incomplete("Run the tests.") }
/// };
/// // A check can be tried without a Codex.
/// # let temporary = tempfile::tempdir()?;
/// let work = Tentative::new(&Session::new(), "I changed it.", &Directory::open(temporary.path())?);
/// assert_eq!(tested.check(work).await, Completion::incomplete("Run the tests."));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Tentative {
    session: Session,
    text: Arc<str>,
    files: Files,
    deadline: Option<Deadline>,
    budget: Option<BudgetTracker>,
}

impl fmt::Debug for Tentative {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Tentative").field("text", &self.text).finish_non_exhaustive()
    }
}

impl Tentative {
    /// Work that ended in this answer, with what was written where the model works.
    pub fn new(session: &Session, text: impl Into<Arc<str>>, directory: &Directory) -> Self {
        let (files, deadline, budget) = (directory.files(), None, None);
        Self { session: session.clone(), text: text.into(), files, deadline, budget }
    }

    pub(crate) fn within(mut self, deadline: Option<Deadline>, budget: Option<BudgetTracker>) -> Self {
        (self.deadline, self.budget) = (deadline, budget);
        self
    }

    /// The session of the evaluation.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// What the model said last: the answer, if the work is done.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The files where the model works, to be read.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// When the evaluation has to be over, this check included.
    #[must_use]
    pub fn deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// What the evaluation may use. Give it to an evaluation within the check, so that both count.
    #[must_use]
    pub fn budget(&self) -> Option<&BudgetTracker> {
        self.budget.as_ref()
    }
}

/// Says whether work is done. An async closure is one:
///
/// ```
/// use selvedge_agent::{Completion, Prompt, Section, Session, Slice, Tentative};
///
/// #[derive(Clone, serde::Serialize, serde::Deserialize)]
/// struct Plan {
///     open: Vec<String>,
/// }
///
/// impl Slice for Plan {
///     const NAME: &'static str = "plan";
/// }
///
/// let prompt = Prompt::text("demo", "plan")
///     .section(Section::markdown("Task", "task", "Do what the plan says."))
///     .completion(async |work: Tentative| match work.session().latest::<Plan>() {
///         Some(plan) if !plan.open.is_empty() => Completion::incomplete(format!("Still open: {}", plan.open.join(", "))),
///         _ => Completion::Complete,
///     })
///     .build()?;
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
pub trait CompletionCheck: Send + Sync + 'static {
    /// Looks at the work.
    fn check(&self, work: Tentative) -> impl Future<Output = Completion> + Send;
}

impl<C, F> CompletionCheck for C
where
    C: Fn(Tentative) -> F + Send + Sync + 'static,
    F: Future<Output = Completion> + Send,
{
    fn check(&self, work: Tentative) -> impl Future<Output = Completion> + Send {
        self(work)
    }
}

/// A check, whatever its type.
pub(crate) type AnyCheck = Arc<dyn Fn(Tentative) -> Checking + Send + Sync>;
type Checking = Pin<Box<dyn Future<Output = Completion> + Send>>;

pub(crate) fn any(check: impl CompletionCheck) -> AnyCheck {
    let check = Arc::new(check);
    Arc::new(move |work| {
        let check = check.clone();
        Box::pin(async move { check.check(work).await })
    })
}
