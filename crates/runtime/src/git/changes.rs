//! What changed since a commit, new files included, without touching the user's index.

use selvedge_relay::look::DIFF;

use super::{GitError, program::Git};

/// A working directory whose changes can be asked for, since any commit.
pub(super) struct Changes<'a> {
    git: &'a Git,
}

impl<'a> Changes<'a> {
    pub(super) async fn of(git: &'a Git) -> Result<Self, GitError> {
        git.announce_new_files().await?;
        Ok(Self { git })
    }

    /// Lines added and removed.
    pub(super) async fn counted(&self, base: Option<&str>) -> Result<(u64, u64), GitError> {
        let numbers = self.diff(base, "--numstat").await?;
        let lines = numbers.lines().filter_map(|line| {
            let mut columns = line.split('\t').map(|count| count.parse::<u64>().unwrap_or(0));
            Some((columns.next()?, columns.next()?))
        });
        Ok(lines.fold((0, 0), |(added, removed), (more, less)| (added + more, removed + less)))
    }

    /// The whole diff.
    pub(super) async fn unified(&self, base: Option<&str>) -> Result<String, GitError> {
        self.diff(base, "--patch").await
    }

    async fn diff(&self, base: Option<&str>, shape: &str) -> Result<String, GitError> {
        let base = base_of(self.git, base).await?;
        let arguments: Vec<&str> = DIFF.into_iter().chain([shape, &base, "--"]).collect();
        self.git.run(&arguments).await
    }
}

/// The commit to compare with. A name that is no hash could be an option of git's.
async fn base_of(git: &Git, base: Option<&str>) -> Result<String, GitError> {
    match base {
        Some(base) if base.len() >= 7 && base.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
            Ok(base.to_owned())
        }
        Some(base) => Err(GitError::Refused(format!("`{base}` is no commit"))),
        None => {
            let head = git.run(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).await;
            let empty = || git.mirror().hashes().empty_tree().to_owned();
            Ok(head.map_or_else(|_no_commit| empty(), |head| head.trim().to_owned()))
        }
    }
}
