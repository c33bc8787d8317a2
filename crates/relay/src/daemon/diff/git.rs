//! Asks git, with an index of our own so that the child's is left alone, and never for long.

use std::{
    io::{self, Read},
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::daemon::arguments::Task;

const PATIENCE: Duration = Duration::from_secs(5);

/// Where to ask.
#[derive(Debug)]
pub(super) struct Git {
    directory: PathBuf,
    index: PathBuf,
}

impl Git {
    pub(super) fn new(task: &Task) -> Self {
        Self { directory: task.options.directory.clone(), index: task.place.directory().join("diff.index") }
    }

    /// What is compared with: `base`, if somebody set that up.
    pub(super) fn base(&self) -> &'static str {
        let found = self.ask(&["rev-parse", "--verify", "base"]);
        if found.is_some_and(|name| !name.is_empty()) { "base" } else { "HEAD" }
    }

    /// Lines of `git diff --numstat`, files that git does not know yet included. Nothing, if it took too long.
    pub(super) fn count(&self, base: &str) -> Option<Vec<u8>> {
        self.ask(&["read-tree", base])?;
        self.ask(&["add", "--intent-to-add", "--all"])?;
        self.ask(&["diff", "--numstat", base])
    }

    /// What git says on stdout, however it ends; nothing, if it cannot be asked or takes too long.
    fn ask(&self, arguments: &[&str]) -> Option<Vec<u8>> {
        #[expect(clippy::disallowed_methods, reason = "awaited below, and killed when it takes too long")]
        let mut command = Command::new("git");
        command.args(arguments).current_dir(&self.directory).env("GIT_INDEX_FILE", &self.index);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut git = command.spawn().ok()?;
        let said = git.stdout.take().and_then(|said| read_until(said, Instant::now() + PATIENCE));
        if said.is_none() {
            // It can only fail because it is gone.
            let _gone = git.kill();
        }
        git.wait().ok()?;
        said
    }
}

fn read_until(mut from: impl Read + std::os::fd::AsFd, until: Instant) -> Option<Vec<u8>> {
    let mut said = Vec::new();
    let mut chunk = [0; 8192];
    loop {
        let left = Timespec::try_from(until.saturating_duration_since(Instant::now())).ok()?;
        match poll(&mut [PollFd::new(&from, PollFlags::IN)], Some(&left)) {
            Ok(1..) => {}
            Err(rustix::io::Errno::INTR) => continue,
            _ => return None,
        }
        match from.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
            Ok(0) => return Some(said),
            Ok(length) => said.extend_from_slice(chunk.get(..length)?),
        }
    }
}
