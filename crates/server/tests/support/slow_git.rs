//! A repository whose git waits until it may go on, without a program of the repository's own: none would be run.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
};

/// Whoever reads its packed refs waits until somebody opens them for writing.
pub(crate) struct SlowGit {
    refs: PathBuf,
    looks: PathBuf,
}

impl SlowGit {
    /// Makes a repository of a directory, with one commit of what is there.
    pub(crate) fn at(directory: &Path, data: &Path) -> Self {
        let git = |arguments: &[&str]| run(Command::new("git").current_dir(directory).args(arguments));
        git(&["init", "-q", "-b", "main"]);
        git(&["add", "."]);
        git(&["-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "first"]);
        let refs = directory.join(".git/packed-refs");
        run(Command::new("mkfifo").arg(&refs));
        Self { refs, looks: data.join("looks") }
    }

    /// Waits until git has begun to look. It cannot end before it may.
    pub(crate) async fn has_begun(&self) {
        while fs::read_dir(&self.looks).unwrap().next().is_none() {
            tokio::task::yield_now().await;
        }
    }

    /// Lets it go on, as long as what is given is kept: open at both ends, the refs keep nobody waiting.
    pub(crate) fn goes_on(&self) -> File {
        File::options().read(true).write(true).open(&self.refs).unwrap()
    }
}

fn run(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}
