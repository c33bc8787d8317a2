//! What git says of a working directory: facts, what was changed since a commit, and worktrees of a session's own.

mod changes;
mod listed;
mod looks;
mod program;
mod recent;
mod status;
mod worktree;

use std::{collections::HashMap, io, path::Path, time::Duration};

use selvedge_client::Redactions;
use serde::Serialize;

use changes::Changes;
pub use looks::Looks;
use program::Git;
pub(crate) use recent::Recent;

/// A question is answered within this, or not at all.
const QUICKLY: Duration = Duration::from_secs(10);
/// A checkout of a large repository takes its time.
const PATIENTLY: Duration = Duration::from_secs(120);

/// How a working directory stands. Into submodules nobody looks: git would, by their own configuration.
const STATUS: [&str; 5] =
    ["status", "--porcelain=v2", "--branch", "--untracked-files=normal", "--ignore-submodules=dirty"];

/// Where a working directory stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GitFacts {
    /// The branch, unless it is on none.
    pub branch: Option<String>,
    /// Commits that its upstream lacks.
    pub ahead: u64,
    /// Commits that it lacks.
    pub behind: u64,
    /// Whether something is not committed.
    pub dirty: bool,
    /// Lines added since the session began, new files included.
    pub lines_added: u64,
    /// Lines removed since then.
    pub lines_removed: u64,
}

/// Why git did not do it.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// It could not be run.
    #[error("git could not be run: {0}")]
    NotRun(#[from] io::Error),
    /// It took too long.
    #[error("git took longer than {} s", .0.as_secs())]
    TooSlow(Duration),
    /// It refused.
    #[error("git refused: {0}")]
    Refused(String),
}

impl GitFacts {
    /// The same without secrets: an agent may give a branch any name.
    pub(crate) fn without(mut self, hidden: &Redactions) -> Self {
        self.branch = self.branch.map(|branch| hidden.apply(&branch).into_owned());
        self
    }

    /// Reads them; nothing if this is no repository, or if git does not answer. Lines are counted from `base_commit`, or
    /// from the newest commit.
    pub async fn read(looks: &Looks, cwd: &Path, base_commit: Option<&str>) -> Option<Self> {
        let base = base_commit.map(str::to_owned);
        let mut told = Told::new();
        read_each(looks, cwd, std::slice::from_ref(&base), &mut told).await;
        told.remove(&base)
    }
}

/// Facts of one directory, by the commit that lines are counted from.
type Told = HashMap<Option<String>, GitFacts>;

/// Reads the facts of a directory for several commits to count from: what they share is asked once. Each is told as soon
/// as it is known, those named last first.
async fn read_each(looks: &Looks, cwd: &Path, bases: &[Option<String>], told: &mut Told) {
    let Ok(Some(git)) = Git::find(looks, cwd, QUICKLY).await else { return };
    let Ok(status) = git.run(&STATUS).await else { return };
    let (facts, head) = status::read(&status);
    let unchanged =
        |base: &&Option<String>| !facts.dirty && base.as_ref().is_none_or(|base| head.as_ref() == Some(base));
    let (same, changed): (Vec<_>, Vec<_>) = bases.iter().partition(unchanged);
    told.extend(same.into_iter().map(|base| (base.clone(), facts.clone())));
    if changed.is_empty() {
        return;
    }
    let changes = Changes::of(&git).await;
    for base in changed.into_iter().rev() {
        let lines = match &changes {
            Ok(changes) => changes.counted(base.as_deref()).await.unwrap_or_default(),
            // A repository in an odd state still has a branch to be shown.
            Err(_) => (0, 0),
        };
        let (lines_added, lines_removed) = lines;
        told.insert(base.clone(), GitFacts { lines_added, lines_removed, ..facts.clone() });
    }
}

/// The newest commit; nothing if this is no repository, or one without a commit.
pub async fn head_commit(looks: &Looks, cwd: &Path) -> Option<String> {
    let git = Git::find(looks, cwd, QUICKLY).await.ok()??;
    let said = git.run(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).await;
    Some(said.ok()?.trim().to_owned()).filter(|commit| !commit.is_empty())
}

/// Everything that changed since a commit as a unified diff, new files included.
pub async fn diff_since(looks: &Looks, cwd: &Path, base_commit: Option<&str>) -> Result<String, GitError> {
    let git = Git::at(looks, cwd, PATIENTLY).await?;
    Changes::of(&git).await?.unified(base_commit).await
}

/// The files under a directory, from there on: those that git knows, and new ones that it does not ignore.
pub async fn files(looks: &Looks, cwd: &Path) -> Result<Vec<String>, GitError> {
    listed::files(&Git::at(looks, cwd, QUICKLY).await?).await
}

/// Makes a worktree on a branch, which is made too if there is none of that name.
pub async fn add_worktree(
    looks: &Looks,
    repository: &Path,
    branch: &str,
    place: &Path,
) -> Result<(), GitError> {
    worktree::add(looks, repository, branch, place).await
}

/// Removes a worktree. One with changes that are not committed stays, unless `force` is given; its branch always does.
pub async fn remove_worktree(looks: &Looks, place: &Path, force: bool) -> Result<(), GitError> {
    worktree::remove(looks, place, force).await
}

#[cfg(test)]
mod tests;
