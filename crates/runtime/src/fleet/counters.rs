//! What was not handed to anybody, in numbers.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counted over all processes of a fleet.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// News of threads that nobody claimed.
    pub(crate) unclaimed: Counter,
    /// News of threads whose session had left.
    pub(crate) muted: Counter,
    /// Notices about a whole process that concern no session.
    pub(crate) notices: Counter,
    /// What was told twice, in older words too.
    pub(crate) twins: Counter,
    /// Answers that came after their caller had given up.
    pub(crate) late_answers: Counter,
    /// Requests that nobody could answer.
    pub(crate) refused: Counter,
    /// What belonged to nobody and found its reader too slow.
    pub(crate) dropped: Counter,
}

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    /// One more.
    pub(super) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// So many.
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
