//! What happens to a message: by the seed, by what it is, and by how many like it came before in its thread.

use std::collections::HashMap;

use super::{super::dice::mixed, place::Place};

/// Counts messages, so that each has chances of its own.
#[derive(Debug)]
pub(super) struct Chances {
    seed: u64,
    counts: HashMap<String, u64>,
    /// Threads by their order of appearance: their ids are never the same.
    threads: HashMap<String, usize>,
}

/// The chances of one message.
#[derive(Debug)]
pub(super) struct Chance {
    state: u64,
    percent: u64,
}

impl Chances {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, counts: HashMap::new(), threads: HashMap::new() }
    }

    /// The chances of the next message.
    pub(super) fn next(&mut self, name: &str, place: &Place, percent: u64) -> Chance {
        let known = self.threads.len();
        let thread = place.thread.as_ref().map(|thread| *self.threads.entry(thread.clone()).or_insert(known));
        let what = format!("{name} {:?} {thread:?}", place.kind);
        let count = self.counts.entry(what.clone()).or_insert(0);
        *count += 1;
        // There are many pieces, and all alike.
        let percent = if name.ends_with("elta") { percent / 4 } else { percent };
        Chance { state: hashed(mixed(self.seed ^ mixed(*count)), &what), percent }
    }
}

impl Chance {
    /// Whether this is done here; `times` as often as usual.
    pub(super) fn strikes(&self, what: &str, times: u64) -> bool {
        self.roll(what) % 100 < self.percent * times
    }

    /// One of so many.
    pub(super) fn pick(&self, what: &str, count: usize) -> usize {
        let count = u64::try_from(count.max(1)).unwrap_or(1);
        usize::try_from(mixed(self.roll(what)) % count).unwrap_or(0)
    }

    fn roll(&self, what: &str) -> u64 {
        hashed(self.state, what)
    }
}

fn hashed(state: u64, text: &str) -> u64 {
    text.bytes().fold(state, |state, byte| mixed(state ^ u64::from(byte)))
}
