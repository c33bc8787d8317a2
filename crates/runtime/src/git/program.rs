//! The one door to the `git` program: no prompts, no hooks, no help from the repository, and a time limit.

use std::{
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::{Child, Command},
    time::timeout,
};

use super::GitError;

/// More than this is nothing to be shown, and nothing to be held in memory.
const MOST_OUTPUT: u64 = 64 << 20;
/// Variables by which a caller's own git would answer for another repository.
const NOT_OURS: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"];

/// Git in one directory.
#[derive(Debug)]
pub(super) struct Git {
    cwd: PathBuf,
    limit: Duration,
    index: Option<PathBuf>,
}

impl Git {
    pub(super) fn at(cwd: &Path, limit: Duration) -> Self {
        Self { cwd: cwd.to_owned(), limit, index: None }
    }

    /// The same with another index, so that the user's is not touched.
    pub(super) fn with_index(&self, index: PathBuf) -> Self {
        Self { cwd: self.cwd.clone(), limit: self.limit, index: Some(index) }
    }

    pub(super) fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Runs it; what it wrote.
    pub(super) async fn run(&self, arguments: &[&str]) -> Result<String, GitError> {
        let child = self.command(arguments).spawn()?;
        // Dropping the child at the time limit ends it.
        match timeout(self.limit, output(child)).await {
            Ok(done) => done,
            Err(_elapsed) => Err(GitError::TooSlow(self.limit)),
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        #[expect(
            clippy::disallowed_methods,
            reason = "git is awaited right here, ends with its handle, and has no children that outlive it"
        )]
        let mut command = Command::new("git");
        // What a repository configures to be run is not run because somebody looks at it.
        command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]);
        command.args(arguments).current_dir(&self.cwd).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for name in NOT_OURS {
            command.env_remove(name);
        }
        command.envs([("GIT_TERMINAL_PROMPT", "0"), ("GIT_OPTIONAL_LOCKS", "0"), ("LC_ALL", "C")]);
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        command
    }
}

/// Reads both streams to their end at once, so that neither fills up, and waits for the end.
async fn output(mut child: Child) -> Result<String, GitError> {
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (out, err) = tokio::join!(whole(out), whole(err));
    let (out, err) = (out?, err?);
    let ended = child.wait().await?;
    if out.len() as u64 >= MOST_OUTPUT {
        return Err(GitError::Refused("its answer is too long to be held".to_owned()));
    }
    if ended.success() { Ok(out) } else { Err(GitError::Refused(err.trim().to_owned())) }
}

/// A stream to its end. One that is longer than is kept is cut off, and git ends of that.
async fn whole(stream: Option<impl AsyncRead + Unpin>) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.take(MOST_OUTPUT).read_to_end(&mut bytes).await?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
