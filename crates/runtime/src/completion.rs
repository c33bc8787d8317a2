//! Completion: the files and directories of a session's working directory that fit a few letters.

mod listed;
mod rank;

use std::path::{Path, PathBuf};

use selvedge_session::{Code, SessionId};
use serde::{Deserialize, Serialize};

use crate::{error::Error, git, runtime::Runtime};

/// More is no help to a person.
const MOST: usize = 50;

/// A file or directory that fits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PathFound {
    /// From the working directory on; a directory ends with `/`.
    pub path: String,
    /// What it is.
    pub kind: PathKind,
}

/// What lies at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PathKind {
    /// A directory.
    Directory,
    /// A file.
    File,
}

impl Runtime {
    /// The files and directories where a session works that fit best, what git ignores left out. The session is not woken.
    pub async fn complete(&self, id: SessionId, query: &str) -> Result<Vec<PathFound>, Error> {
        self.may_work(id).await?;
        let settings = self.kept_settings(id).await?;
        let cwd = PathBuf::from(&settings.cwd);
        let tracked = if self.house.may_ask_git(id, &settings).await {
            git::files(&self.house.looks, &cwd).await.ok()
        } else {
            None
        };
        let query = query.to_owned();
        let found = tokio::task::spawn_blocking(move || complete_in(&cwd, tracked, &query)).await;
        found.map_err(|error| Error::coded(Code::Internal, error.to_string()))
    }
}

/// The best of what git lists, or else of what lies there.
fn complete_in(cwd: &Path, tracked: Option<Vec<String>>, query: &str) -> Vec<PathFound> {
    let files = tracked.unwrap_or_else(|| listed::walk(cwd));
    let mut best = rank::best(listed::with_directories(files), query);
    // Git also lists what was deleted and not yet committed.
    best.retain(|found| cwd.join(&found.path).symlink_metadata().is_ok());
    best.truncate(MOST);
    best
}

#[cfg(test)]
mod tests;
