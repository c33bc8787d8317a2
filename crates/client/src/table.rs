//! The request table: who waits for which answer.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use selvedge_protocol::frame::RequestId;
use tokio::sync::oneshot;

use crate::{end::End, line::Line};

/// Ids of one attachment begin at `epoch × EPOCH_SIZE`, so that answers to an earlier one are recognised as such.
const EPOCH_SIZE: i64 = 1_000_000_000;
/// How many timed-out requests are remembered for their late answers.
const LATE_KEPT: usize = 4096;

/// What a caller waits for.
pub(crate) type Waiting = oneshot::Receiver<Line>;

/// The open requests of one conversation.
#[derive(Debug)]
pub(crate) struct RequestTable {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    next: i64,
    open: HashMap<i64, Open>,
    late: VecDeque<(i64, String)>,
    ended: Option<Arc<End>>,
}

#[derive(Debug)]
struct Open {
    method: String,
    answer: oneshot::Sender<Line>,
}

impl RequestTable {
    pub(crate) fn new(epoch: u32) -> Self {
        let next = i64::from(epoch) * EPOCH_SIZE + 1;
        Self { state: Mutex::new(State { next, open: HashMap::new(), late: VecDeque::new(), ended: None }) }
    }

    /// A new id, which nobody else gets.
    pub(crate) fn reserve(&self) -> i64 {
        let mut state = self.lock();
        let id = state.next;
        state.next += 1;
        id
    }

    /// Where the answer to the request with this id will come. After the end: how it ended.
    pub(crate) fn open(&self, id: i64, method: &str) -> Result<Waiting, Arc<End>> {
        let mut state = self.lock();
        if let Some(end) = &state.ended {
            return Err(Arc::clone(end));
        }
        let (answer, waiting) = oneshot::channel();
        state.open.insert(id, Open { method: method.to_owned(), answer });
        Ok(waiting)
    }

    /// Hands an answer to its caller. What nobody waits for comes back: it is for the inbox.
    pub(crate) fn answer(&self, id: &RequestId<'_>, line: Line) -> Result<(), Line> {
        let RequestId::Int(id) = id else { return Err(line) };
        let open = self.lock().open.remove(id);
        match open {
            Some(open) => open.answer.send(line),
            None => Err(line),
        }
    }

    /// The caller went away. If the request may have been sent, its answer may still come.
    pub(crate) fn abandon(&self, id: i64, sent: bool) {
        let mut state = self.lock();
        let Some(open) = state.open.remove(&id) else { return };
        if sent {
            if state.late.len() == LATE_KEPT {
                state.late.pop_front();
            }
            state.late.push_back((id, open.method));
        }
    }

    /// The method of a request that was given up before its answer came; asked once per answer.
    pub(crate) fn take_late(&self, id: &RequestId<'_>) -> Option<String> {
        let RequestId::Int(id) = id else { return None };
        let mut state = self.lock();
        let place = state.late.iter().position(|(late, _)| late == id)?;
        state.late.remove(place).map(|(_, method)| method)
    }

    /// The stream has ended: every caller is told, now and later.
    pub(crate) fn close(&self, end: Arc<End>) {
        let mut state = self.lock();
        state.ended = Some(end);
        state.open.clear();
    }

    /// How it ended, if it did.
    pub(crate) fn ended(&self) -> Option<Arc<End>> {
        self.lock().ended.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
