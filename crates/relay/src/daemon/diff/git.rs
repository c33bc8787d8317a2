//! Asks git, in a mirror of the repository so that the child's is left alone and nothing of the child's is run, and never for
//! long.

use std::{
    io::{self, Read},
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::{
    daemon::arguments::Task,
    look::{DIFF, Draft, Mirror, NEW_FILES, Operator, Repository, sweep},
};

const PATIENCE: Duration = Duration::from_secs(5);

/// Where to ask.
#[derive(Debug)]
pub(super) struct Git {
    directory: PathBuf,
    looks: PathBuf,
}

impl Git {
    pub(super) fn new(task: &Task) -> Self {
        let looks = task.place.directory().join("looks");
        // There is none before the first look, and what stays does no harm.
        let _nothing_left = sweep(&looks);
        Self { directory: task.options.directory.clone(), looks }
    }

    /// What is compared with: `base`, if somebody set that up.
    pub(super) fn base(&self) -> &'static str {
        let found = self.mirror().and_then(|mirror| self.ask(&mirror, &["rev-parse", "--verify", "base"]));
        if found.is_some_and(|name| !name.is_empty()) { "base" } else { "HEAD" }
    }

    /// Lines of `git diff --numstat`, files that git does not know yet included. Nothing, if it took too long.
    pub(super) fn count(&self, base: &str) -> Option<Vec<u8>> {
        let mirror = self.mirror()?;
        let new_files = self.ask(&mirror, &NEW_FILES)?;
        if let Some(announce) = mirror.announce(&new_files).ok()? {
            said(announce)?;
        }
        let diff: Vec<&str> = DIFF.into_iter().chain(["--numstat", base, "--"]).collect();
        self.ask(&mirror, &diff)
    }

    fn mirror(&self) -> Option<Mirror> {
        let repository = Repository::around(&self.directory).ok()??;
        let draft = Draft::begin(&self.looks, repository).ok()?;
        let operator = match Operator::known() {
            Some(known) => known,
            None => Operator::learn(&said(Operator::question())?),
        };
        let settings = draft.question().ok()?.map_or_else(|| Some(Vec::new()), said)?;
        draft.finish(&settings, operator).ok()
    }

    fn ask(&self, mirror: &Mirror, arguments: &[&str]) -> Option<Vec<u8>> {
        let mut git = mirror.git(mirror.repository().top.as_deref()?);
        git.args(arguments);
        said(git)
    }
}

/// What git says on stdout, however it ends; nothing, if it cannot be asked or takes too long.
fn said(mut command: Command) -> Option<Vec<u8>> {
    command.stderr(Stdio::null());
    let mut git = command.spawn().ok()?;
    let said = git.stdout.take().and_then(|said| read_until(said, Instant::now() + PATIENCE));
    if said.is_none() {
        // It can only fail because it is gone.
        let _gone = git.kill();
    }
    git.wait().ok()?;
    said
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
