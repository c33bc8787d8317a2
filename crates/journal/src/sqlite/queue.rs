//! The way to the connection that writes: what waits for it, bounded, and whose turn it is to use it.
//!
//! Who comes while nobody writes has the turn and commits on its own thread: no change of thread, which costs more than
//! the commit. Whatever comes meanwhile, and everything that may be slow, waits for the writer's thread, which
//! takes all of it at once: one commit.

use std::{
    mem,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::Semaphore;

use super::writer::Job;
use crate::error::StoreError;

/// So many may wait; the next one waits to wait.
const ROOM: usize = 1024;

/// The way to the writer.
#[derive(Debug)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    room: Semaphore,
}

#[derive(Debug, Default)]
struct Waiting {
    jobs: Vec<Job>,
    turn: Turn,
    /// The next commit may take long: it is for the thread.
    slow: bool,
    nudged: bool,
    closed: bool,
}

/// Who uses the connection that writes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Turn {
    #[default]
    Nobody,
    Caller,
    Thread,
}

/// What the writer's thread found.
pub(super) enum Taken {
    /// Everything that waited.
    Jobs(Vec<Job>),
    /// Nothing came in time, or it is time to look around.
    Nothing,
    /// Nothing will come any more.
    Closed,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self { waiting: Mutex::default(), arrived: Condvar::new(), room: Semaphore::new(ROOM) }
    }

    /// Hands a job to the writer's thread.
    pub(super) async fn put(&self, job: Job) -> Result<(), StoreError> {
        let permit = self.room.acquire().await.map_err(|_| StoreError::Closed)?;
        let mut waiting = self.lock();
        if waiting.closed {
            return Err(StoreError::Closed);
        }
        permit.forget();
        waiting.jobs.push(job);
        self.wake(waiting);
        Ok(())
    }

    /// Whether the caller may write now, on its own thread; then it has to [`leave`](Self::leave).
    pub(super) fn enter(&self) -> bool {
        let mut waiting = self.lock();
        let free =
            waiting.turn == Turn::Nobody && waiting.jobs.is_empty() && !waiting.slow && !waiting.closed;
        if free {
            waiting.turn = Turn::Caller;
        }
        free
    }

    /// The caller's turn is over.
    pub(super) fn leave(&self) {
        let mut waiting = self.lock();
        waiting.turn = Turn::Nobody;
        if !waiting.jobs.is_empty() || waiting.nudged || waiting.closed {
            self.wake(waiting);
        }
    }

    /// Whether the next commit may take long: then it is not for a caller's thread.
    pub(super) fn expect_slow(&self, slow: bool) {
        self.lock().slow = slow;
    }

    /// Everything that waits; waits for it as long as `patience` says, or for ever. Until the next call it is the
    /// thread's turn.
    pub(super) fn take(&self, patience: Option<Duration>) -> Taken {
        let mut waiting = self.lock();
        waiting.turn = Turn::Nobody;
        let nothing = |waiting: &mut Waiting| waiting.jobs.is_empty() && !waiting.nudged && !waiting.closed;
        let mut waiting = match patience {
            None => self.arrived.wait_while(waiting, nothing).unwrap_or_else(PoisonError::into_inner),
            Some(patience) => {
                let waited = self.arrived.wait_timeout_while(waiting, patience, nothing);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        };
        while waiting.turn == Turn::Caller {
            waiting.nudged = true;
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        waiting.turn = Turn::Thread;
        waiting.nudged = false;
        let jobs = mem::take(&mut waiting.jobs);
        self.room.add_permits(jobs.len());
        match (jobs.is_empty(), waiting.closed) {
            (false, _) => Taken::Jobs(jobs),
            (true, false) => Taken::Nothing,
            (true, true) => Taken::Closed,
        }
    }

    /// Wakes the writer to look around.
    pub(super) fn nudge(&self) {
        let mut waiting = self.lock();
        waiting.nudged = true;
        self.wake(waiting);
    }

    /// Nothing will be done any more; whoever waits is told by the loss of the way to answer.
    pub(super) fn abandon(&self) {
        self.close();
        self.lock().jobs.clear();
    }

    /// Nothing more is taken in; what waits is still done.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.room.close();
        self.arrived.notify_one();
    }

    /// The thread is woken, unless somebody writes: who leaves looks again.
    fn wake(&self, waiting: MutexGuard<'_, Waiting>) {
        let nobody_writes = waiting.turn == Turn::Nobody;
        drop(waiting);
        if nobody_writes {
            self.arrived.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
