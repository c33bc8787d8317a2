//! The bytes of a session's deltas as a gateway writes them.

use axum::body::Bytes;

use crate::shown;

/// As much as the gateway puts into one chunk.
const CHUNK: usize = 64 << 10;

/// Deltas that are still to be said.
pub(super) struct Frames {
    before: String,
    after: String,
    next: u64,
    deltas: u64,
}

impl Frames {
    pub(super) fn new(session: &str, deltas: u64) -> Self {
        let place = format!(
            "\"session_id\":\"{session}\",\"at\":\"2026-01-01T00:00:00.000Z\",\"turn_id\":\"{session}\",\"item_id\":\"msg_0\""
        );
        let before = format!("{place},\"type\":\"item.delta\",\"data\":{{\"kind\":\"text\",\"delta\":\"");
        Self { before, after: format!("{}\"}}}}\n\n", ".".repeat(40)), next: 0, deltas }
    }

    /// One delta that says when it was made.
    pub(super) fn now(&mut self) -> Option<Bytes> {
        let mut chunk = Vec::new();
        self.put(&mut chunk, shown::now()).then(|| chunk.into())
    }

    /// Numbered deltas, as many as one chunk takes.
    pub(super) fn next_chunk(&mut self) -> Option<Bytes> {
        let mut chunk = Vec::with_capacity(CHUNK);
        while chunk.len() < CHUNK - 1024 && self.put(&mut chunk, self.next) {}
        (!chunk.is_empty()).then(|| chunk.into())
    }

    fn put(&mut self, chunk: &mut Vec<u8>, number: u64) -> bool {
        if self.next == self.deltas {
            return false;
        }
        self.next += 1;
        let Self { before, after, next: seq, .. } = self;
        let head = format!("id: {seq}\nevent: item.delta\ndata: {{\"seq\":{seq},{before}{number:018}");
        chunk.extend_from_slice(head.as_bytes());
        chunk.extend_from_slice(after.as_bytes());
        true
    }
}
