//! One app-server's router: the only reader of its inbox. Hands each thread's news to whoever listens to it.

mod board;
mod held;
mod milestone;
mod routes;
mod slot;
mod sorter;
#[cfg(test)]
mod tests;
mod veil;

use std::{
    future::{Future, poll_fn},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use selvedge_client::{Client, End, Inbox, Line};
use serde_json::{Value, json};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{Instant, sleep_until},
};
use uuid::Uuid;

pub(super) use board::Board;
pub(super) use routes::{Loaded, Whose};
pub(super) use sorter::parent_in;

use super::{counters::Counters, generation::Occupancy, mailbox::Mailbox, options::FleetOptions};
use crate::from_codex::Reader;
use routes::{Backlog, Routes};
use sorter::Sorter;

/// At most so many lines are taken before any is handed on: what is joined meanwhile is handed on once. They are here
/// already, so nobody waits for them; and with fifty sessions in a flood each still gets some forty lines at a time.
const BATCH: usize = 2_048;
/// So many of them without letting others at the table.
const AT_ONCE: usize = 256;

/// Reads one app-server.
pub(super) struct Router {
    inbox: Inbox,
    board: Arc<Board>,
    sorter: Sorter,
    /// Questions to Codex whose a thread is, each in a task of its own.
    asking: JoinSet<Parentage>,
    asking_time: Duration,
}

/// What Codex said about a thread's parent.
struct Parentage {
    thread: String,
    parent: Option<String>,
}

impl Router {
    pub(super) fn new(
        (client, inbox): (&Client, Inbox),
        board: Arc<Board>,
        options: &FleetOptions,
        (process, counters): (Uuid, Arc<Counters>),
    ) -> Self {
        let sorter = Sorter {
            client: client.clone(),
            reader: Reader { fresh: Uuid::now_v7, process },
            gives_tokens: options.token_source.is_some(),
            unclaimed: options.unclaimed.clone(),
            counters,
        };
        Self { inbox, board, sorter, asking: JoinSet::new(), asking_time: options.hold.time }
    }

    /// Reads to the end, then tells everybody; `on_end` has learned how it ended before anyone else does. Stays for
    /// those who come to listen late, until the last seat is free.
    pub(super) async fn run(mut self, on_end: impl FnOnce(&End), mut seats: watch::Receiver<Occupancy>) {
        let mut waiting = Waiting::default();
        loop {
            tokio::select! {
                () = self.board.changed() => {}
                line = self.inbox.next(), if !waiting.backlog.too_much => match line {
                    Some(line) => self.take(line),
                    None => break,
                },
                Some(Ok(known)) = self.asking.join_next() => self.learn(&known),
                () = waiting.over() => self.see_to_held(),
            }
            waiting = self.hand_on();
        }
        let end = self.sorter.client.ended().await;
        on_end(&end);
        let stderr_tail = self.sorter.client.redactions().apply(&end.stderr_tail);
        self.board.lock().end(&end.to_string(), &stderr_tail);
        loop {
            waiting = self.hand_on();
            let all_told = waiting.backlog.full.is_empty();
            tokio::select! {
                () = self.board.changed() => {}
                () = waiting.over() => self.see_to_held(),
                _left = seats.wait_for(|now| now.is_left()), if all_told => break,
            }
        }
        self.give_up_held();
    }

    /// Takes this line and all that are here already.
    fn take(&mut self, first: Line) {
        let mut next = Some(first);
        for _ in 0..BATCH / AT_ONCE {
            let mut routes = self.board.lock();
            for _ in 0..AT_ONCE {
                let Some(line) = next else { return };
                self.sorter.sort(&mut routes, &line);
                next = self.inbox.try_next();
            }
        }
        // One more was taken than the batch holds; it is here, so it belongs to it.
        if let Some(line) = next {
            self.sorter.sort(&mut self.board.lock(), &line);
        }
    }

    /// Puts everything into its mailbox, as far as there is room, and sees to what is for nobody.
    ///
    /// What does not fit stays, and is joined with what comes after it: a slow session costs the others nothing. Only
    /// when very much of it waits, nothing is read any more until that session's append has reached the disk, because its
    /// actor waits for nothing else. What is said meanwhile waits in the inbox, which has room.
    fn hand_on(&mut self) -> Waiting {
        let mut routes = self.board.lock();
        for leftover in routes.leftovers() {
            self.sorter.leftover(leftover);
        }
        let backlog = routes.hand_on(self.sorter.client.redactions());
        Waiting { backlog, due: routes.next_due() }
    }

    /// Asks whose a thread is, or gives up on it.
    fn see_to_held(&mut self) {
        let to_ask = self.board.lock().overdue();
        for thread in to_ask {
            let (client, limit) = (self.sorter.client.clone(), self.asking_time);
            self.asking.spawn(ask(client, thread, limit));
        }
    }

    /// Nobody comes any more: what was held for somebody belongs to nobody, and is kept as such.
    fn give_up_held(&mut self) {
        self.board.lock().nobody_comes();
        self.hand_on();
    }

    fn learn(&self, known: &Parentage) {
        if let Some(parent) = &known.parent {
            let routes: &mut Routes = &mut self.board.lock();
            routes.is_child_of(&known.thread, parent);
        }
    }
}

/// What a router waits for beside new lines.
#[derive(Default)]
struct Waiting {
    backlog: Backlog,
    due: Option<Instant>,
}

impl Waiting {
    /// There is room in a full mailbox, or something held has waited long enough.
    async fn over(&self) {
        let due = async {
            match self.due {
                Some(due) => sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = room_in_any(&self.backlog.full) => {}
            () = due => {}
        }
    }
}

/// Waits until one of them has room, or nobody reads it any more.
async fn room_in_any(mailboxes: &[Mailbox]) {
    let mut rooms: Vec<_> = mailboxes.iter().map(|mailbox| Box::pin(mailbox.room())).collect();
    // What is reserved is given back at once: the next hand-over takes it.
    poll_fn(|context| {
        let any = rooms.iter_mut().any(|room| room.as_mut().poll(context).is_ready());
        if any { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

async fn ask(client: Client, thread: String, limit: Duration) -> Parentage {
    let params = json!({ "threadId": thread, "includeTurns": false });
    let answer = client.request_within("thread/read", &params, limit).await;
    let parent = answer.ok().and_then(|reply| {
        let read: Value = serde_json::from_str(reply.result().get()).ok()?;
        parent_in(&read["thread"])
    });
    Parentage { thread, parent }
}
