//! Which threads are known to rest: only their turns may end without being told so, for then a client can still learn it.

use std::collections::HashSet;

use serde_json::Value;

use super::place::Place;

/// The threads that were last said to be idle, in a word that everybody knows.
#[derive(Debug, Default)]
pub(super) struct Idle {
    threads: HashSet<String>,
}

impl Idle {
    pub(super) fn is_said_of(&self, place: &Place) -> bool {
        place.thread.as_ref().is_some_and(|thread| self.threads.contains(thread))
    }

    /// Takes note of a message as it is passed on.
    pub(super) fn note(&mut self, name: &str, place: &Place, message: &Value) {
        let Some(thread) = place.thread.as_ref().filter(|_| name == "thread/status/changed") else { return };
        if message["params"]["status"]["type"] == "idle" {
            self.threads.insert(thread.clone());
        } else {
            self.threads.remove(thread);
        }
    }
}
