//! What git says of a working directory: facts, what was changed since a commit, and worktrees of a session's own.

mod changes;
mod listed;
mod program;
mod recent;
mod status;

use std::{collections::HashMap, io, path::Path, time::Duration};

use serde::Serialize;

use changes::Changes;
use program::Git;
pub(crate) use recent::Recent;

/// A question is answered within this, or not at all.
const QUICKLY: Duration = Duration::from_secs(10);
/// A checkout of a large repository takes its time.
const PATIENTLY: Duration = Duration::from_secs(120);

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
    /// Reads them; nothing if this is no repository, or if git does not answer. Lines are counted from `base_commit`, or
    /// from the newest commit.
    pub async fn read(cwd: &Path, base_commit: Option<&str>) -> Option<Self> {
        let base = base_commit.map(str::to_owned);
        let mut told = Told::new();
        read_each(cwd, std::slice::from_ref(&base), &mut told).await;
        told.remove(&base)
    }
}

/// Facts of one directory, by the commit that lines are counted from.
type Told = HashMap<Option<String>, GitFacts>;

/// Reads the facts of a directory for several commits to count from: what they share is asked once. Each is told as soon
/// as it is known, those named last first.
async fn read_each(cwd: &Path, bases: &[Option<String>], told: &mut Told) {
    if !is_in_repository(cwd).await {
        return;
    }
    let git = Git::at(cwd, QUICKLY);
    let status = git.run(&["status", "--porcelain=v2", "--branch", "--untracked-files=normal"]).await;
    let Ok(status) = status else { return };
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

/// Whether git would find a repository here. To ask git costs a process, and a look at a session is to cost little.
async fn is_in_repository(cwd: &Path) -> bool {
    let cwd = cwd.to_owned();
    // A directory may lie on a disk that is slow or gone.
    let looking = tokio::task::spawn_blocking(move || {
        let cwd = cwd.canonicalize()?;
        Ok::<bool, io::Error>(cwd.ancestors().any(|directory| directory.join(".git").exists()))
    });
    matches!(looking.await, Ok(Ok(true)))
}

/// The newest commit; nothing if this is no repository, or one without a commit.
pub async fn head_commit(cwd: &Path) -> Option<String> {
    let said = Git::at(cwd, QUICKLY).run(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).await;
    Some(said.ok()?.trim().to_owned()).filter(|commit| !commit.is_empty())
}

/// Everything that changed since a commit as a unified diff, new files included.
pub async fn diff_since(cwd: &Path, base_commit: Option<&str>) -> Result<String, GitError> {
    Changes::of(&Git::at(cwd, PATIENTLY)).await?.unified(base_commit).await
}

/// The files under a directory, from there on: those that git knows, and new ones that it does not ignore.
pub async fn files(cwd: &Path) -> Result<Vec<String>, GitError> {
    listed::files(&Git::at(cwd, QUICKLY)).await
}

/// Makes a worktree on a branch, which is made too if there is none of that name.
pub async fn add_worktree(repository: &Path, branch: &str, place: &Path) -> Result<(), GitError> {
    let git = Git::at(repository, PATIENTLY);
    git.run(&["check-ref-format", "--branch", branch]).await?;
    let full = format!("refs/heads/{branch}");
    let known = git.run(&["show-ref", "--verify", "--quiet", &full]).await.is_ok();
    let place = place.to_string_lossy();
    let arguments: &[&str] = if known {
        &["worktree", "add", "--", &place, branch]
    } else {
        &["worktree", "add", "-b", branch, "--", &place]
    };
    git.run(arguments).await.map(drop)
}

/// Removes a worktree. One with changes that are not committed stays, unless `force` is given; its branch always does.
pub async fn remove_worktree(repository: &Path, place: &Path, force: bool) -> Result<(), GitError> {
    let place = place.to_string_lossy();
    let mut arguments = vec!["worktree", "remove"];
    arguments.extend(force.then_some("--force"));
    arguments.extend(["--", &place]);
    Git::at(repository, PATIENTLY).run(&arguments).await.map(drop)
}

#[cfg(test)]
mod tests;
