//! What waits to be written: two lanes, whole lines, one writer.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

/// How much the writer takes at once. Small, so that an interrupt never waits behind much.
const TAKE_BYTES: usize = 16 * 1024;

/// Which lane a line takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Interrupts, steers, and answers to what Codex asks: ahead of everything.
    Urgent,
    /// Every other request, in order.
    Normal,
}

impl Lane {
    pub(crate) fn of(method: &str) -> Self {
        match method {
            "turn/interrupt" | "turn/steer" => Self::Urgent,
            _ => Self::Normal,
        }
    }
}

/// Nothing more can be written: stdin is closed, by us or by its reader's death.
#[derive(Debug)]
pub(crate) struct Closed;

/// One line, with its line end, and the request it carries.
#[derive(Debug)]
pub(crate) struct Outgoing {
    pub(crate) id: Option<i64>,
    pub(crate) line: Vec<u8>,
}

/// The lanes between callers and the writer.
///
/// They need no bound of their own: the normal lane holds at most as many requests as may be in flight, and in the
/// urgent lane each line is the answer to something Codex asked, or the interrupt or steer of a caller that waits.
#[derive(Debug, Default)]
pub(crate) struct Lanes {
    queues: Mutex<Queues>,
    wake: Notify,
    closing: Notify,
}

#[derive(Debug, Default)]
struct Queues {
    urgent: VecDeque<Outgoing>,
    normal: VecDeque<Outgoing>,
    state: State,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Open,
    /// By us: nothing new is taken.
    Closed,
    /// By the other side: nobody reads.
    Broken,
}

impl Lanes {
    pub(crate) fn push(&self, lane: Lane, outgoing: Outgoing) -> Result<(), Closed> {
        let mut queues = self.lock();
        if queues.state != State::Open {
            return Err(Closed);
        }
        match lane {
            Lane::Urgent => queues.urgent.push_back(outgoing),
            Lane::Normal => queues.normal.push_back(outgoing),
        }
        drop(queues);
        self.wake.notify_one();
        Ok(())
    }

    /// Takes back a request that the writer has not taken: it was certainly not sent.
    pub(crate) fn withdraw(&self, id: i64) -> bool {
        let mut queues = self.lock();
        let before = queues.urgent.len() + queues.normal.len();
        queues.urgent.retain(|outgoing| outgoing.id != Some(id));
        queues.normal.retain(|outgoing| outgoing.id != Some(id));
        queues.urgent.len() + queues.normal.len() < before
    }

    /// No more lines; what waits is still written, then stdin is closed.
    pub(crate) fn close(&self) {
        let mut queues = self.lock();
        if queues.state == State::Open {
            queues.state = State::Closed;
        }
        drop(queues);
        self.wake.notify_one();
        self.closing.notify_waiters();
    }

    /// Nobody reads any more: what waits will never be written.
    pub(crate) fn fail(&self) {
        let mut queues = self.lock();
        if queues.state == State::Open {
            queues.state = State::Broken;
        }
        queues.urgent.clear();
        queues.normal.clear();
        drop(queues);
        self.wake.notify_one();
    }

    /// Waits until it is we who say no more.
    pub(crate) async fn closed(&self) {
        loop {
            // Made before the look at the state, so that a close in between is not missed.
            let closing = self.closing.notified();
            if self.closed_by_us() {
                return;
            }
            closing.await;
        }
    }

    /// Whether it was we who said no more.
    pub(crate) fn closed_by_us(&self) -> bool {
        self.lock().state == State::Closed
    }

    /// The next lines to write, whole and in their order, or `None` when the lanes are closed and empty.
    pub(crate) async fn next(&self) -> Option<Vec<u8>> {
        loop {
            {
                let mut queues = self.lock();
                if let Some(bytes) = queues.take() {
                    return Some(bytes);
                }
                if queues.state != State::Open {
                    return None;
                }
            }
            self.wake.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queues {
    fn take(&mut self) -> Option<Vec<u8>> {
        let mut bytes = self.pop()?.line;
        while bytes.len() < TAKE_BYTES {
            let Some(next) = self.pop() else { break };
            bytes.extend_from_slice(&next.line);
        }
        Some(bytes)
    }

    fn pop(&mut self) -> Option<Outgoing> {
        self.urgent.pop_front().or_else(|| self.normal.pop_front())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outgoing(id: i64) -> Outgoing {
        Outgoing { id: Some(id), line: format!("{id}\n").into_bytes() }
    }

    #[tokio::test]
    async fn urgent_lines_go_first_and_order_is_kept_in_each_lane() {
        let lanes = Lanes::default();
        for id in [1, 2] {
            lanes.push(Lane::Normal, outgoing(id)).unwrap();
        }
        for id in [8, 9] {
            lanes.push(Lane::Urgent, outgoing(id)).unwrap();
        }
        assert_eq!(lanes.next().await.unwrap(), b"8\n9\n1\n2\n");
    }

    #[tokio::test]
    async fn a_withdrawn_request_is_never_written() {
        let lanes = Lanes::default();
        lanes.push(Lane::Normal, outgoing(1)).unwrap();
        lanes.push(Lane::Normal, outgoing(2)).unwrap();
        assert!(lanes.withdraw(1));
        assert!(!lanes.withdraw(1), "only once");
        assert_eq!(lanes.next().await.unwrap(), b"2\n");
        assert!(!lanes.withdraw(2), "the writer has it");
    }

    #[tokio::test]
    async fn closing_writes_what_waits_and_takes_nothing_new() {
        let lanes = Lanes::default();
        lanes.push(Lane::Normal, outgoing(1)).unwrap();
        lanes.close();
        assert!(lanes.push(Lane::Urgent, outgoing(2)).is_err());
        assert_eq!(lanes.next().await.unwrap(), b"1\n");
        assert_eq!(lanes.next().await, None);
    }
}
