//! The way to the connection that writes: what waits for it, bounded, and whose turn it is to use it.
//!
//! Who comes while nobody writes leads and commits where it is: no change of thread, which costs more than the commit. In
//! busy times it first lets everybody else come forward who is ready on its thread, and commits for all of them: one
//! commit for a burst. Whatever comes during a commit, and everything that may be slow, waits for the writer's thread,
//! which takes all of it at once.

use std::{
    mem,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::Semaphore;

use super::{append::Append, writer::Job};
use crate::error::StoreError;

mod lately;

use lately::Lately;

/// So many may wait; the next one waits to wait.
const ROOM: usize = 1024;
/// More bytes at once are written by the writer's thread.
const QUICK_BYTES: usize = 256 * 1024;

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
    lately: Lately,
    turn: Turn,
    /// Somebody has promised to come back and to commit what waits until then.
    led: bool,
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

/// What becomes of a small append.
#[derive(Debug)]
pub(super) enum Joined<'a> {
    /// The caller is to commit it, and what else waits then: at once, or in busy times after others could come forward.
    Leads { lead: Lead<'a>, busy: bool },
    /// Somebody else commits it.
    Follows,
    /// There is no room now, or nothing is taken in any more.
    Refused(Box<Append>),
}

/// The promise to commit what waits; who goes away leaves that to the writer's thread.
#[derive(Debug)]
pub(super) struct Lead<'a>(&'a Queue);

impl Lead<'_> {
    /// Commits everything that waits, as `commit` does it, which gives back what the thread is to do; unless the thread
    /// has it already, or may be needed.
    pub(super) fn keep(self, commit: impl FnOnce(Vec<Append>) -> Vec<Append>) {
        let Some(appends) = self.0.gather() else { return };
        let mut turn = CallersTurn { queue: self.0, done: appends.len(), left: Vec::new() };
        turn.left = commit(appends);
        turn.done -= turn.left.len();
    }
}

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        let mut waiting = self.0.lock();
        if mem::take(&mut waiting.led) {
            self.0.wake(waiting);
        }
    }
}

/// The caller's turn, which ends however the caller ends.
struct CallersTurn<'a> {
    queue: &'a Queue,
    done: usize,
    left: Vec<Append>,
}

impl Drop for CallersTurn<'_> {
    fn drop(&mut self) {
        self.queue.leave(self.done, mem::take(&mut self.left));
    }
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
        // The thread does it, and with it what somebody else would have led.
        waiting.led = false;
        self.wake(waiting);
        Ok(())
    }

    /// Lets a small append wait for whoever commits next; perhaps that is the caller.
    pub(super) fn join(&self, append: Box<Append>) -> Joined<'_> {
        let Ok(permit) = self.room.try_acquire() else { return Joined::Refused(append) };
        let mut waiting = self.lock();
        if waiting.closed {
            return Joined::Refused(append);
        }
        permit.forget();
        waiting.jobs.push(Job::Append(append));
        let busy = waiting.lately.one_more(Instant::now());
        if waiting.led {
            return Joined::Follows;
        }
        if waiting.turn == Turn::Nobody && waiting.jobs.len() == 1 && !waiting.slow {
            waiting.led = true;
            return Joined::Leads { lead: Lead(self), busy };
        }
        self.wake(waiting);
        Joined::Follows
    }

    /// Everything that waits, if it is for who leads and not for the thread; then it is the caller's turn.
    fn gather(&self) -> Option<Vec<Append>> {
        let mut waiting = self.lock();
        if !mem::take(&mut waiting.led) {
            return None;
        }
        if waiting.slow || waiting.jobs.iter().map(Job::bytes).sum::<usize>() > QUICK_BYTES {
            self.wake(waiting);
            return None;
        }
        waiting.turn = Turn::Caller;
        Some(mem::take(&mut waiting.jobs).into_iter().filter_map(Job::append).collect())
    }

    /// The caller's turn is over: so many jobs are done, and these are left for the thread.
    fn leave(&self, done: usize, left: Vec<Append>) {
        self.room.add_permits(done);
        let mut waiting = self.lock();
        waiting.turn = Turn::Nobody;
        waiting.jobs.splice(..0, left.into_iter().map(|append| Job::Append(Box::new(append))));
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
        waiting.led = false;
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
