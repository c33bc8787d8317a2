//! With `--diff-stat`: what changed in git, as a line of the log, as caic counts it.

mod git;
mod stat;

use std::{
    io::{self, Write},
    os::unix::net::UnixStream,
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use super::arguments::Task;
use git::Git;

/// So long the child has to be quiet.
const DEBOUNCE: Duration = Duration::from_secs(2);
/// So long lies between two counts.
const THROTTLE: Duration = Duration::from_secs(10);

/// The watcher, from the loop's side.
#[derive(Debug)]
pub(super) struct Diff {
    activity: SyncSender<()>,
    lines: Receiver<Vec<u8>>,
}

impl Diff {
    /// The child said something.
    pub(super) fn stir(&self) {
        // One sign is enough; a watcher that is gone needs none.
        let _known = self.activity.try_send(());
    }

    /// A line for the log.
    pub(super) fn line(&self) -> Option<Vec<u8>> {
        self.lines.try_recv().ok()
    }
}

/// Starts the watcher. `wake` gets a byte for each line.
pub(super) fn watch(task: &Task, wake: UnixStream) -> io::Result<Diff> {
    let (activity, seen) = sync_channel(1);
    let (told, lines) = sync_channel(1);
    let git = Git::new(task);
    let watcher = Watcher { git, seen, told, wake };
    thread::Builder::new().name("diff".into()).spawn(move || watcher.run())?;
    Ok(Diff { activity, lines })
}

struct Watcher {
    git: Git,
    seen: Receiver<()>,
    told: SyncSender<Vec<u8>>,
    wake: UnixStream,
}

impl Watcher {
    /// Until the daemon ends.
    fn run(mut self) {
        let base = self.git.base();
        let mut known = None;
        let mut last: Option<Instant> = None;
        while self.seen.recv().is_ok() && self.quiet(DEBOUNCE) {
            self.rest(last.map(|last| last + THROTTLE));
            last = Some(Instant::now());
            let Some(counted) = self.git.count(base) else { continue };
            if known.as_ref() != Some(&counted) {
                let line = stat::line(&counted, now());
                known = Some(counted);
                if self.told.send(line).is_err() || self.wake.write_all(&[1]).is_err() {
                    return;
                }
            }
        }
    }

    /// Waits until nothing has happened for so long; `false` when the daemon ends.
    fn quiet(&self, so_long: Duration) -> bool {
        loop {
            match self.seen.recv_timeout(so_long) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }

    /// What happens meanwhile is counted afterwards.
    fn rest(&self, until: Option<Instant>) {
        let left = || until.map(|until| until.saturating_duration_since(Instant::now()));
        while let Some(left) = left().filter(|left| !left.is_zero()) {
            if self.seen.recv_timeout(left) == Err(RecvTimeoutError::Disconnected) {
                return;
            }
        }
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}
