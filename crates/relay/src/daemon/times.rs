//! Every limit of time, and the clock that wakes for the next one.

use std::time::{Duration, Instant};

/// How long half a line of the child waits for the rest.
pub(super) const HALF_LINE: Duration = Duration::from_millis(100);
/// How soon a full disk is tried again.
pub(super) const FULL_DISK: Duration = Duration::from_millis(250);
/// How long an ended child's stdout is read on, if something it left behind holds it open. As in caic.
pub(super) const LAST_WORDS: Duration = Duration::from_secs(5);
/// From closing stdin to SIGTERM.
pub(super) const AFTER_EOF: Duration = Duration::from_secs(5);
/// From SIGTERM to SIGKILL.
pub(super) const AFTER_TERM: Duration = Duration::from_secs(2);
/// How long a client that leaves may take nothing of what is still for it. As long as caic's client waits.
pub(super) const SLOW_LEAVER: Duration = Duration::from_secs(25);
/// How long no connection is taken after the system refused one.
pub(super) const REFUSED: Duration = Duration::from_secs(1);

/// How often one who is alone looks whether anybody can still come.
pub(super) const ALONE: Duration = Duration::from_secs(10);

/// The earlier of two moments.
pub(super) fn sooner(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Whether a moment has come.
pub(super) fn has_come(moment: Option<Instant>, now: Instant) -> bool {
    moment.is_some_and(|moment| moment <= now)
}
