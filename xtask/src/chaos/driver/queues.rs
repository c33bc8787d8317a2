//! The closed loop: a session that has enough to do is given no more, so that queues stay as long as any machine can empty.

use super::Driver;

/// A session with so many messages without an end gets no more for now.
const FULL: usize = 8;

impl Driver<'_> {
    /// A planned message goes out, unless its session has enough to do. That changes nothing in the plan, only what is
    /// done of it.
    pub(super) fn send_if_there_is_room(&mut self, message: usize) {
        let session = self.plan.messages[message].session;
        if self.queues[session].len() >= FULL {
            self.ledger.queue_full += 1;
            return;
        }
        self.sent.insert(message);
        self.send(message);
    }

    /// The same key again; of a message that did not go out there is nothing to send again.
    pub(super) fn send_again(&mut self, message: usize) {
        if self.sent.contains(&message) {
            self.send(message);
        }
    }

    /// It was sent, and counts until its end or its refusal is seen.
    pub(super) fn enqueue(&mut self, message: usize) {
        let queue = &mut self.queues[self.plan.messages[message].session];
        queue.insert(message);
        self.ledger.longest_queue = self.ledger.longest_queue.max(queue.len());
    }

    /// After an answer to a send: the message waits for its end, or has nothing to wait for.
    pub(super) fn settle(&mut self, message: usize) {
        let mut ids = self.ledger.messages[message].replies.iter().flatten();
        if ids.all(|id| self.ledger.finished.contains(id)) {
            self.queues[self.plan.messages[message].session].remove(&message);
        } else {
            self.enqueue(message);
        }
    }

    /// The end of a message was seen; its answer may come later.
    pub(super) fn settle_by_id(&mut self, id: &str) {
        if let Some(message) = self.by_id.get(id).copied() {
            self.settle(message);
        }
    }
}
