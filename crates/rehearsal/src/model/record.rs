//! The last requests, for tests that ask what a Codex really sent.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use bytes::Bytes;

/// Bounds of what is kept: a long demonstration must not fill the memory.
const MAX_REQUESTS: usize = 256;
const MAX_BYTES: usize = 64 << 20;

/// One request, and what was played for it.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    /// The path it came to.
    pub path: String,
    /// By what it was authorized, as it came.
    pub authorization: Option<String>,
    /// Its body, as it came.
    pub body: Bytes,
    /// The last user text in it.
    pub user_text: String,
    /// The rule that played, from 1.
    pub rule: Option<usize>,
    /// The step that played, from 1; `None` past the end.
    pub step: Option<usize>,
}

/// A ring of the last requests.
#[derive(Debug, Default)]
pub(super) struct Records(Mutex<VecDeque<RecordedRequest>>);

impl Records {
    pub(super) fn add(&self, request: RecordedRequest) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(request);
        let mut bytes: usize = kept.iter().map(|request| request.body.len()).sum();
        while kept.len() > 1 && (kept.len() > MAX_REQUESTS || bytes > MAX_BYTES) {
            bytes -= kept.pop_front().map_or(0, |oldest| oldest.body.len());
        }
    }

    pub(super) fn all(&self) -> Vec<RecordedRequest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
