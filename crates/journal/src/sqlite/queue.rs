//! What waits for the writer: bounded, and taken all at once, so that everything that waits is one commit.

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
    nudged: bool,
    closed: bool,
}

/// What the writer found.
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

    /// Hands a job to the writer.
    pub(super) async fn put(&self, job: Job) -> Result<(), StoreError> {
        let permit = self.room.acquire().await.map_err(|_| StoreError::Closed)?;
        {
            let mut waiting = self.lock();
            if waiting.closed {
                return Err(StoreError::Closed);
            }
            permit.forget();
            waiting.jobs.push(job);
        }
        self.arrived.notify_one();
        Ok(())
    }

    /// Everything that waits; waits for it as long as `patience` says, or for ever.
    pub(super) fn take(&self, patience: Option<Duration>) -> Taken {
        let nothing = |waiting: &mut Waiting| waiting.jobs.is_empty() && !waiting.nudged && !waiting.closed;
        let waiting = self.lock();
        let mut waiting = match patience {
            None => self.arrived.wait_while(waiting, nothing).unwrap_or_else(PoisonError::into_inner),
            Some(patience) => {
                let waited = self.arrived.wait_timeout_while(waiting, patience, nothing);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        };
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
        self.lock().nudged = true;
        self.arrived.notify_one();
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

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
