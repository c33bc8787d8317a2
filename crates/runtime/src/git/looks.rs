//! Where the mirrors lie that git is shown.

use std::{io, path::Path, sync::Arc};

use selvedge_relay::look::sweep;

use tokio::sync::OwnedMutexGuard;

use crate::{named::Named, private};

/// A directory for looks. No agent may write into it: a file that is put into a mirror could name a program for git to run.
#[derive(Debug, Clone)]
pub struct Looks {
    directory: Arc<Path>,
    /// A branch is taken by one worktree: between the look for others and the entry of the new one, nobody else takes it.
    branching: Arc<Named>,
}

impl Looks {
    /// In a directory of its own, which nobody else may read; what killed programs left there goes.
    pub fn new(directory: &Path) -> io::Result<Self> {
        private::directory(directory)?;
        sweep(directory)?;
        Ok(Self { directory: directory.into(), branching: Arc::default() })
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(super) async fn branching(&self, repository: &Path) -> OwnedMutexGuard<()> {
        self.branching.lock(&repository.to_string_lossy()).await
    }
}
