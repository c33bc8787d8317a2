//! What changed since a commit, new files included, without touching the user's index.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use super::{GitError, program::Git};

/// The tree of a repository without a commit.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
/// Nothing that the repository configures is run to make a diff.
const PLAIN: [&str; 3] = ["diff", "--no-ext-diff", "--no-textconv"];

/// A working directory whose changes can be asked for, since any commit.
pub(super) struct Changes {
    git: Git,
    _index_lives: TempDir,
}

impl Changes {
    pub(super) async fn of(git: &Git) -> Result<Self, GitError> {
        let (git, index) = with_new_files(git).await?;
        Ok(Self { git, _index_lives: index })
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
        let base = base_of(&self.git, base).await?;
        let [diff, plain, text] = PLAIN;
        self.git.run(&[diff, plain, text, shape, &base, "--"]).await
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
            Ok(head.map_or_else(|_no_commit| EMPTY_TREE.to_owned(), |head| head.trim().to_owned()))
        }
    }
}

/// The same with a copy of the index in which new files are announced: then a diff shows them.
async fn with_new_files(git: &Git) -> Result<(Git, TempDir), GitError> {
    let place = tempfile::tempdir()?;
    let copy = place.path().join("index");
    let own = git.run(&["rev-parse", "--git-path", "index"]).await?;
    let own: PathBuf = git.cwd().join(own.trim_end_matches('\n'));
    let to = copy.clone();
    let copied = tokio::task::spawn_blocking(move || copy_index(&own, &to)).await;
    copied.map_err(std::io::Error::other)??;
    let git = git.with_index(copy);
    let top = git.run(&["rev-parse", "--show-toplevel"]).await?;
    git.run(&["-C", top.trim_end_matches('\n'), "add", "--intent-to-add", "--all", "."]).await?;
    Ok((git, place))
}

/// With the time of the original: git looks into a file that is not older than the index, because it may have changed within
/// the same second. A copy that looked newer would hide that.
fn copy_index(own: &Path, to: &Path) -> io::Result<()> {
    let written = match fs::metadata(own) {
        Ok(found) => found.modified()?,
        // A repository may have no index yet.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    fs::copy(own, to)?;
    fs::File::options().write(true).open(to)?.set_modified(written)
}
