//! How a workspace is made.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, io};

use super::copy::Copying;
use super::source::Source;
use super::{HostMount, Inner, Workspace, WorkspaceError};
use crate::files::{Beneath, Directory};
use crate::private::{Kind, Private};

/// Makes a [`Workspace`].
///
/// ```
/// use selvedge_agent::{HostMount, Workspace};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// # let (project, scratch) = (temporary.path().join("project"), temporary.path().join("scratch"));
/// # std::fs::create_dir(&scratch)?;
/// std::fs::create_dir(&project)?;
/// std::fs::write(project.join("main.rs"), "fn main() {}\n")?;
/// let workspace = Workspace::builder()
///     .mount(HostMount::new(&project).at("src"))
///     .allowed_root(temporary.path())
///     .below(&scratch)
///     .build()
///     .await?;
/// assert!(workspace.path().starts_with(scratch.canonicalize()?) && workspace.path().join("src/main.rs").exists());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct WorkspaceBuilder {
    mounts: Vec<HostMount>,
    roots: Vec<PathBuf>,
    below: Option<PathBuf>,
}

impl WorkspaceBuilder {
    /// With a copy of this in it.
    pub fn mount(mut self, mount: HostMount) -> Self {
        self.mounts.push(mount);
        self
    }

    /// Mounts may come from below this directory, and from others that are allowed; from anywhere, if none is. What counts is where something really lies.
    pub fn allowed_root(mut self, directory: impl Into<PathBuf>) -> Self {
        self.roots.push(directory.into());
        self
    }

    /// Makes it in this directory instead of the system's for temporary files. On the file system of what is mounted, copies may cost nothing: Btrfs and XFS share what nobody has changed.
    pub fn below(mut self, directory: impl Into<PathBuf>) -> Self {
        self.below = Some(directory.into());
        self
    }

    /// Makes it, with everything in it. If that fails, or nobody waits for it any more, nothing is left.
    ///
    /// # Errors
    /// If a mount is missing, unreadable, too large, outside of the allowed roots, or its place outside of the workspace.
    pub async fn build(self) -> Result<Workspace, WorkspaceError> {
        let stop = Stop(Arc::default());
        let stopped = stop.0.clone();
        blocking(move || self.build_now(&stopped)).await
    }

    fn build_now(self, stop: &AtomicBool) -> Result<Workspace, WorkspaceError> {
        let roots = self
            .roots
            .iter()
            .map(|root| root.canonicalize().map_err(|error| WorkspaceError::io(root, "allowed", error)));
        let roots = roots.collect::<Result<Vec<_>, _>>()?;
        let private = private(&self.below.unwrap_or_else(env::temp_dir))?;
        let path = private.path().to_owned();
        let unusable = |error| WorkspaceError::io(&path, "used", io::Error::other(error));
        let top = Beneath::open(&path).map_err(|obstacle| WorkspaceError::at(&path, obstacle))?;
        let (mut previews, mut left_out) = (Vec::new(), Vec::new());
        for mount in &self.mounts {
            let source = Source::find(mount, &roots)?;
            let (preview, left) = Copying::new(mount, &top, stop)?.run(source)?;
            previews.push(preview);
            left_out.extend(left);
        }
        let directory = Directory::open(&path).map_err(unusable)?;
        let fingerprint = HostMount::fingerprint(&self.mounts);
        let inner = Inner { private: Some(private), directory, fingerprint, previews, left_out };
        Ok(Workspace { inner: Arc::new(inner) })
    }
}

/// A directory that only this user can look into, under its real path.
fn private(below: &Path) -> Result<Private, WorkspaceError> {
    Private::make(Kind::Workspace, below).map_err(|error| WorkspaceError::io(below, "used", error))
}

/// Told when it is dropped.
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does something slow where it keeps nobody waiting.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, WorkspaceError> + Send + 'static,
) -> Result<T, WorkspaceError> {
    let ended = tokio::task::spawn_blocking(work).await;
    ended.unwrap_or_else(|error| Err(WorkspaceError::io("the workspace", "made", io::Error::other(error))))
}
