//! A Codex of one's own: app-servers and their journal, in the caller's process.

mod approval;
mod builder;
mod entries;
mod transcript;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, mem};

use selvedge_runtime::Runtime;
use tokio::runtime::Handle;

pub use approval::{Approval, ApprovalRequest};
pub use builder::CodexBuilder;

use crate::evaluate::Evaluation;
use crate::files::Directory;
use crate::output::Output;
use crate::private::Private;
use crate::prompt::Prompt;
use crate::session::Session;
pub(crate) use approval::{Answering, Approver, answering};
use builder::Options;

/// A Codex that prompts are evaluated on. A clone is the same one; evaluations may run side by side, and share its app-servers.
///
/// It serves nothing and needs no server: everything happens in the caller's process, on a directory that goes with it unless one is given.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Session, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // In a program: `Codex::builder().cwd("/srv/project").build().await?`
/// let codex = Rehearsal::saying("It looks fine.").codex().build().await?;
/// let review = |file: &str| Prompt::text("demo", "review").section(Section::markdown("Task", "task", format!("Review {file}."))).build();
/// let (one, other, session) = (review("a.rs")?, review("b.rs")?, Session::new());
/// let (one, other) = tokio::join!(codex.evaluate(&one, &session), codex.evaluate(&other, &session));
/// assert_eq!((one?.text, other?.text), ("It looks fine.".into(), "It looks fine.".into()));
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Codex {
    inner: Arc<Inner>,
}

struct Inner {
    runtime: Runtime,
    options: Options,
    /// The files of where it works.
    directory: Directory,
    /// Where the journal lies, if nobody said where.
    private: Option<Private>,
}

impl fmt::Debug for Codex {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Codex").field("cwd", &self.inner.options.cwd).finish_non_exhaustive()
    }
}

impl Codex {
    /// With Codex's own settings, and approvals that ask nobody.
    pub fn builder() -> CodexBuilder {
        CodexBuilder::default()
    }

    /// Has a prompt answered. Nothing happens until it is awaited; dropping the future stops the turn.
    pub fn evaluate<'a, T: Output>(
        &'a self,
        prompt: &'a Prompt<T>,
        session: &'a Session,
    ) -> Evaluation<'a, T> {
        Evaluation::new(self, prompt, session)
    }

    /// Where Codex works, unless a prompt brings a [`Workspace`](crate::Workspace) and no directory was given.
    #[must_use]
    pub fn cwd(&self) -> &Path {
        &self.inner.options.cwd
    }

    /// Where the journal lies.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        &self.inner.runtime.config().data_dir
    }

    /// Ends its app-servers, also for its clones. What is dropped without it ends in the background. Turns that a gateway on the
    /// same data directory left running go on.
    pub async fn close(&self) {
        self.inner.runtime.leave().await;
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.inner.runtime
    }

    pub(crate) fn directory(&self) -> &Directory {
        &self.inner.directory
    }

    pub(crate) fn options(&self) -> &Options {
        &self.inner.options
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Without a runtime nobody is left who could be waited for: app-servers end with their stdin.
        let Ok(handle) = Handle::try_current() else { return };
        let (runtime, private) = (self.runtime.clone(), mem::take(&mut self.private));
        // Nobody waits for it, because nobody is left; it ends with the last app-server.
        handle.spawn(async move {
            runtime.leave().await;
            drop(private);
        });
    }
}

/// The directory that was given, or the one where the program runs.
fn working_directory(given: Option<PathBuf>) -> std::io::Result<PathBuf> {
    given.unwrap_or_else(|| PathBuf::from(".")).canonicalize()
}
