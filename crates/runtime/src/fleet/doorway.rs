//! Starts are one at a time for each CODEX_HOME, among programs too: Codex migrates its files at a start.

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::time::{Instant, sleep};

/// How often we look whether another program is through.
const LOOK: Duration = Duration::from_millis(20);
/// A start that takes longer than this is not waited for: two at once are the smaller evil.
const PATIENCE: Duration = Duration::from_secs(30);

/// Held while an app-server starts; other programs wait. The directory itself is locked, so nothing is written there, and
/// whoever dies lets go.
#[derive(Debug)]
pub(super) struct Doorway {
    _locked: Option<File>,
}

impl Doorway {
    /// Waits until nobody else starts an app-server in this home. A home that is not there, or that cannot be locked, has
    /// no doorway.
    pub(super) async fn pass(home: Option<PathBuf>) -> Self {
        let Some((home, directory)) = home.and_then(|home| File::open(&home).ok().map(|open| (home, open)))
        else {
            return Self { _locked: None };
        };
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            match directory.try_lock() {
                Ok(()) => return Self { _locked: Some(directory) },
                Err(TryLockError::WouldBlock) => sleep(LOOK).await,
                Err(TryLockError::Error(_cannot)) => return Self { _locked: None },
            }
        }
        say_so(&home);
        Self { _locked: None }
    }
}

fn say_so(home: &Path) {
    tracing::warn!(home = %home.display(), "another program has been starting Codex for long; starting beside it");
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn is_passed(home: &Path) -> Option<Doorway> {
        tokio::time::timeout(PATIENCE / 2, Doorway::pass(Some(home.to_owned()))).await.ok()
    }

    #[tokio::test(start_paused = true)]
    async fn one_waits_for_the_other_and_not_for_ever() {
        let home = tempfile::tempdir().unwrap();
        let first = is_passed(home.path()).await.expect("nobody is there");
        assert!(is_passed(home.path()).await.is_none(), "the second one waits");
        drop(first);
        let second = is_passed(home.path()).await.expect("the first one is through");
        let impatient = Doorway::pass(Some(home.path().to_owned())).await;
        assert!(second._locked.is_some() && impatient._locked.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn other_homes_and_none_at_all_do_not_wait() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let held = is_passed(one.path()).await;
        assert!(held.is_some() && is_passed(other.path()).await.is_some());
        assert!(Doorway::pass(Some(one.path().join("missing"))).await._locked.is_none());
        assert!(Doorway::pass(None).await._locked.is_none());
    }
}
