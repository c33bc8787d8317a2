//! Requests we make of the client: approvals, tool calls, questions. Each waits for one answer; a second is ignored.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use serde_json::Value;
use tokio::sync::oneshot;

use super::{messages, wire::Answer};

/// The open requests, by id. Ids count from 0, one counter for the process, as in Codex.
#[derive(Debug, Default)]
pub(super) struct Calls {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    next: i64,
    open: BTreeMap<i64, Open>,
}

#[derive(Debug)]
struct Open {
    thread: String,
    line: Bytes,
    answer: oneshot::Sender<Answer>,
}

/// A request that was opened.
pub(super) struct Call {
    pub(super) id: i64,
    pub(super) line: Bytes,
    pub(super) answer: oneshot::Receiver<Answer>,
}

impl Calls {
    /// Opens a request of `thread`; the caller sends its line.
    pub(super) fn open(&self, thread: &str, method: &str, params: &Value) -> Call {
        let (sender, answer) = oneshot::channel();
        let mut inner = self.inner();
        let id = inner.next;
        inner.next += 1;
        let line = messages::request(id, method, params);
        let open = Open { thread: thread.to_owned(), line: line.clone(), answer: sender };
        inner.open.insert(id, open);
        Call { id, line, answer }
    }

    /// Hands an answer to who waits for it; late and second answers find nobody.
    pub(super) fn answer(&self, id: i64, answer: Answer) {
        if let Some(open) = self.inner().open.remove(&id) {
            let _ = open.answer.send(answer);
        }
    }

    /// Nobody waits any more.
    pub(super) fn close(&self, id: i64) {
        self.inner().open.remove(&id);
    }

    /// What is open of a thread: a client that resumes it is asked again, under the same ids.
    pub(super) fn open_of(&self, thread: &str) -> Vec<Bytes> {
        self.inner()
            .open
            .values()
            .filter(|open| open.thread == thread)
            .map(|open| open.line.clone())
            .collect()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
