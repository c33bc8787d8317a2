//! Workspaces: a private directory with copies of what a prompt is about, known again by what was mounted, and gone when nobody needs it.

mod builder;
mod bytes;
mod copy;
mod entry;
mod error;
mod left_out;
mod mount;
mod preview;
mod source;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

pub use builder::WorkspaceBuilder;
pub use error::WorkspaceError;
pub use left_out::{LeftOut, WhyLeftOut};
pub use mount::HostMount;
pub use preview::{MountKind, MountPreview};

use crate::files::{Directory, Files};
use crate::private::Private;
use crate::prompt::Section;

/// A private directory with copies of files of the host. What a model does to them does not happen to the originals, and goes with the workspace. What else it can reach is the sandbox's matter:
/// [`Sandbox::WorkspaceWrite`](crate::Sandbox::WorkspaceWrite) lets it write here and to temporary files.
///
/// A clone is the same one, and so is the one in a prompt that has its [`section`](Self::section): the directory is removed when the last of them is dropped. A directory of your own,
/// as it is given to [`CodexBuilder::cwd`](crate::CodexBuilder::cwd), is no workspace: nothing is ever cleaned there.
///
/// ```
/// use selvedge_agent::{HostMount, Prompt, Section, Session, Workspace};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// # let project = temporary.path().join("project");
/// # std::fs::create_dir(&project)?;
/// # std::fs::write(project.join("main.rs"), "fn main() {}\n")?;
/// let mount = HostMount::new(&project).include("*.rs").exclude("target/*").max_bytes(10_000_000);
/// let workspace = Workspace::builder().mount(mount).build().await?;
/// assert!(workspace.path().join("project/main.rs").exists());
///
/// // Codex works in it, if it is told of no other directory.
/// let prompt = Prompt::text("demo", "review")
///     .section(workspace.section())
///     .section(Section::markdown("Task", "task", "Review the project."))
///     .build()?;
/// assert!(prompt.render(&Session::new())?.text().contains("**project** (directory):\n  - main.rs\n"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Workspace {
    inner: Arc<Inner>,
}

struct Inner {
    /// Gone once it is removed.
    private: Option<Private>,
    directory: Directory,
    fingerprint: String,
    previews: Vec<MountPreview>,
    left_out: Vec<LeftOut>,
}

impl fmt::Debug for Workspace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Workspace")
            .field("path", &self.path())
            .field("fingerprint", &self.fingerprint())
            .finish_non_exhaustive()
    }
}

impl Workspace {
    /// With nothing in it yet.
    pub fn builder() -> WorkspaceBuilder {
        WorkspaceBuilder::default()
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.inner.directory.path()
    }

    /// Its files, for reading what became of them without following a link that a model has made.
    #[must_use]
    pub fn files(&self) -> Files {
        self.inner.directory.files()
    }

    /// Its directory, for changing files as a tool does.
    ///
    /// ```
    /// use selvedge_agent::Workspace;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let workspace = Workspace::builder().build().await?;
    /// let changes = workspace.directory().transaction();
    /// changes.files().write("TASK.md", "Do this.")?;
    /// changes.commit()?;
    /// assert_eq!(std::fs::read_to_string(workspace.path().join("TASK.md"))?, "Do this.");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn directory(&self) -> &Directory {
        &self.inner.directory
    }

    /// By what it is known again: see [`HostMount::fingerprint`].
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.inner.fingerprint
    }

    /// What was copied, mount by mount.
    ///
    /// ```
    /// use selvedge_agent::{HostMount, Workspace};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let temporary = tempfile::tempdir()?;
    /// # let project = temporary.path().join("project");
    /// std::fs::create_dir(&project)?;
    /// std::fs::write(project.join("main.rs"), "fn main() {}\n")?;
    /// let workspace = Workspace::builder().mount(HostMount::new(&project)).build().await?;
    /// assert_eq!(workspace.previews()[0].entries(), ["main.rs"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn previews(&self) -> &[MountPreview] {
        &self.inner.previews
    }

    /// What was not copied though no pattern says so: links, and what is neither a file nor a directory.
    #[must_use]
    pub fn left_out(&self) -> &[LeftOut] {
        &self.inner.left_out
    }

    /// The section that tells the model what is in it. A prompt that has it is evaluated in the workspace, unless Codex was told where to work; its tools work on the files of the workspace
    /// in any case.
    #[must_use]
    pub fn section(&self) -> Section {
        MountPreview::section(self.previews()).of_workspace(self)
    }

    /// Removes it, if nobody else has it; else whoever is the last removes it. What is dropped is removed too, and what goes wrong then is only logged.
    ///
    /// # Errors
    /// If something in it cannot be removed.
    pub async fn close(self) -> Result<(), WorkspaceError> {
        let Some(mut last) = Arc::into_inner(self.inner) else { return Ok(()) };
        let Some(private) = last.private.take() else { return Ok(()) };
        builder::blocking(move || removed(private)).await
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let removed = self.private.take().map_or(Ok(()), removed);
        if let Err(error) = removed {
            tracing::warn!(%error, "a workspace stays");
        }
    }
}

fn removed(private: Private) -> Result<(), WorkspaceError> {
    let path = private.path().to_owned();
    private.remove().map_err(|error| WorkspaceError::io(path, "removed", error))
}
