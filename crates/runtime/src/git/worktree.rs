//! Worktrees of a session's own, made and removed by hand: git's own commands would run what the repository configures.

mod place;

use std::path::{Path, PathBuf};

use selvedge_relay::look::Repository;

use super::{
    GitError, Looks, PATIENTLY,
    program::{Git, blocking},
};
use place::{Linked, Wanted};

/// Makes a worktree on a branch, which is made too, from where the repository stands, if there is none of that name.
pub(super) async fn add(
    looks: &Looks,
    repository: &Path,
    branch: &str,
    place: &Path,
) -> Result<(), GitError> {
    let git = Git::at(looks, repository, PATIENTLY).await?;
    git.run(&["check-ref-format", "--branch", branch]).await?;
    let full = format!("refs/heads/{branch}");
    let common = git.mirror().repository().common.clone();
    let one_at_a_time = looks.branching(&common).await;
    if git.run(&["show-ref", "--verify", "--quiet", &full]).await.is_ok() {
        not_in_use(&git, &full, branch).await?;
    } else {
        let head = git.run(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).await;
        let none = |_| GitError::Refused("the repository has no commit to begin a branch at".to_owned());
        // An empty old value: the branch must not be there.
        git.run(&["update-ref", &full, head.map_err(none)?.trim(), ""]).await?;
    }
    let wanted = Wanted { place: place.to_owned(), branch: full, has_reftable: git.mirror().has_reftable() };
    let linked = blocking(move || wanted.link(&common)).await?;
    drop(one_at_a_time);
    let filled = fill(looks, place, &linked).await;
    if filled.is_err() {
        // Nobody has worked there yet.
        let _as_good_as_it_gets = blocking(move || linked.remove()).await;
    }
    filled
}

/// A branch is worked on in one place at a time.
async fn not_in_use(git: &Git, full: &str, branch: &str) -> Result<(), GitError> {
    let mirror = git.mirror();
    mirror.show_worktrees()?;
    let told = git.run(&["worktree", "list", "--porcelain"]).await?;
    let worktrees = told.split("\n\n");
    let same = |line: &str| line.strip_prefix("branch ") == Some(full);
    let Some(user) = worktrees.into_iter().find(|it| it.lines().any(same)) else { return Ok(()) };
    let at = user.lines().find_map(|line| line.strip_prefix("worktree ")).map(Path::new);
    // The repository's own directory goes by the mirror's name.
    let at = at.filter(|at| at.join(".git").exists()).or(mirror.repository().top.as_deref());
    let at = at.map_or_else(String::new, |at| format!(", in {}", at.display()));
    Err(GitError::Refused(format!("the branch `{branch}` is worked on already{at}")))
}

/// Checks the branch out, as it is stored: without filters, and without the hook that a checkout would run.
async fn fill(looks: &Looks, place: &Path, linked: &Linked) -> Result<(), GitError> {
    let git = Git::at(looks, place, PATIENTLY).await?;
    if git.mirror().has_reftable() {
        // Where refs lie in tables, `HEAD` is in one too.
        git.run(&["symbolic-ref", "HEAD", linked.branch()]).await?;
    }
    git.run_on(&linked.index(), &["read-tree", "--reset", "-u", "HEAD"]).await.map(drop)
}

/// Removes a worktree. One with changes that are not committed stays, unless `force` is given; its branch always does.
pub(super) async fn remove(looks: &Looks, place: &Path, force: bool) -> Result<(), GitError> {
    let (at, link) = (place.to_owned(), place.to_owned());
    let around = blocking(move || Repository::around(&at)).await?;
    let linked = blocking(move || Linked::of(&link, around)).await?;
    let refused = |why: &str| GitError::Refused(format!("{} {why}", place.display()));
    let linked = linked.ok_or_else(|| refused("is no worktree that was made for a session"))?;
    if linked.is_locked() {
        return Err(refused("is locked"));
    }
    if !force {
        let git = Git::at(looks, place, PATIENTLY).await?;
        let status = ["status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=dirty"];
        if !git.run(&status).await?.is_empty() {
            return Err(refused("contains modified or untracked files"));
        }
        if has_submodules(&git, place).await? {
            return Err(refused("contains submodules"));
        }
    }
    blocking(move || linked.remove()).await
}

/// Whether a submodule is checked out there. What was done in it would have to be looked at by its own configuration, so
/// nobody looks, and nothing is thrown away.
async fn has_submodules(git: &Git, place: &Path) -> Result<bool, GitError> {
    let listed = git.run(&["ls-files", "-z", "--stage"]).await?;
    let submodules = listed.split('\0').filter(|entry| entry.starts_with("160000 "));
    let places: Vec<PathBuf> =
        submodules.filter_map(|entry| Some(place.join(entry.split_once('\t')?.1))).collect();
    blocking(move || {
        let used = |place: &PathBuf| std::fs::read_dir(place).is_ok_and(|mut found| found.next().is_some());
        Ok(places.iter().any(used))
    })
    .await
}
