//! Where one conversation is handed in.

use std::time::Instant;

use crate::{
    entry::Direction,
    queue::{Entrance, Told},
};

/// Takes the lines of one conversation, and never waits. Clones are the same one; when the last is gone, its file ends.
#[derive(Debug, Clone)]
pub struct Recorder {
    entrance: Entrance,
    start: Instant,
}

impl Recorder {
    pub(crate) fn new(entrance: Entrance) -> Self {
        Self { entrance, start: Instant::now() }
    }

    /// Codex has introduced itself with this version. Until then nothing is written, since it stands in the first line.
    pub fn introduce(&self, version: Option<&str>) {
        self.entrance.tell(Told::Introduced(version.map(str::to_owned)));
    }

    /// Codex did not introduce itself: what was said is kept for whoever wants to know why.
    pub fn not_introduced(&self) {
        self.entrance.tell(Told::Unintroduced);
    }

    /// A line was said.
    pub fn line(&self, direction: Direction, line: &[u8]) {
        self.entrance.line(self.start.elapsed(), direction, line);
    }
}
