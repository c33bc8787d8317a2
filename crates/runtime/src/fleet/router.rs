//! One app-server's router: the only reader of its inbox. Hands each thread's news to whoever listens to it.

mod board;
mod held;
mod routes;
mod slot;
mod sorter;
#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use selvedge_client::{Client, End, Inbox, Line};
use serde_json::{Value, json};
use tokio::{
    sync::{mpsc::error::TrySendError, watch},
    task::JoinSet,
    time::{Instant, sleep_until},
};
use uuid::Uuid;

pub(super) use board::Board;

use super::{counters::Counters, generation::Occupancy, mailbox::Mailbox, options::FleetOptions};
use crate::from_codex::Reader;
use routes::{Parcel, Routes};
use sorter::Sorter;

/// So many lines are taken before any is handed on: what is joined meanwhile is handed on once.
const BATCH: usize = 512;

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
        loop {
            let due = self.board.lock().next_due();
            tokio::select! {
                () = self.board.changed() => {}
                line = self.inbox.next() => match line {
                    Some(line) => self.take(&line),
                    None => break,
                },
                Some(Ok(known)) = self.asking.join_next() => self.learn(&known),
                () = at(due) => self.see_to_held(),
            }
            self.hand_on().await;
        }
        let end = self.sorter.client.ended().await;
        on_end(&end);
        self.board.lock().end(&end.to_string(), &end.stderr_tail);
        self.hand_on().await;
        loop {
            let due = self.board.lock().next_due();
            tokio::select! {
                () = self.board.changed() => {}
                () = at(due) => self.see_to_held(),
                _free = seats.wait_for(|now| now.is_left()) => return,
            }
            self.hand_on().await;
        }
    }

    /// Takes this line and all that are here already.
    fn take(&mut self, line: &Line) {
        let mut routes = self.board.lock();
        self.sorter.sort(&mut routes, line);
        for _ in 1..BATCH {
            let Some(line) = self.inbox.try_next() else { break };
            self.sorter.sort(&mut routes, &line);
        }
    }

    /// Puts everything into its mailbox.
    ///
    /// A full mailbox makes the router wait, and with it the other sessions of this app-server: but only until that
    /// session's append has reached the disk, because its actor waits for nothing else. What is said meanwhile waits in
    /// the inbox, which has room.
    async fn hand_on(&mut self) {
        let (parcels, leftovers) = {
            let mut routes = self.board.lock();
            (routes.parcels(), routes.leftovers())
        };
        for leftover in leftovers {
            self.sorter.leftover(leftover);
        }
        // All that fits first: nobody waits for another's disk who does not have to.
        let full: Vec<Parcel> = parcels.into_iter().filter_map(|parcel| self.put(parcel)).collect();
        for Parcel { slot, mailbox, news } in full {
            for told in news {
                if mailbox.send(told).await.is_err() {
                    self.closed(slot, &mailbox);
                    break;
                }
            }
        }
    }

    /// Puts what fits; gives back what does not.
    fn put(&self, parcel: Parcel) -> Option<Parcel> {
        let Parcel { slot, mailbox, news } = parcel;
        let mut news = news.into_iter();
        while let Some(told) = news.next() {
            match mailbox.try_send(told) {
                Ok(()) => {}
                Err(TrySendError::Full(told)) => {
                    let news = std::iter::once(told).chain(news).collect();
                    return Some(Parcel { slot, mailbox, news });
                }
                Err(TrySendError::Closed(_)) => {
                    self.closed(slot, &mailbox);
                    return None;
                }
            }
        }
        None
    }

    /// The reader of a mailbox is gone: its threads are muted.
    fn closed(&self, slot: usize, mailbox: &Mailbox) {
        self.board.lock().close_if(slot, mailbox);
    }

    /// Asks whose a thread is, or gives up on it.
    fn see_to_held(&mut self) {
        let to_ask = self.board.lock().overdue();
        for thread in to_ask {
            let (client, limit) = (self.sorter.client.clone(), self.asking_time);
            self.asking.spawn(ask(client, thread, limit));
        }
    }

    fn learn(&self, known: &Parentage) {
        if let Some(parent) = &known.parent {
            let routes: &mut Routes = &mut self.board.lock();
            routes.is_child_of(&known.thread, parent);
        }
    }
}

async fn at(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => std::future::pending().await,
    }
}

async fn ask(client: Client, thread: String, limit: Duration) -> Parentage {
    let params = json!({ "threadId": thread, "includeTurns": false });
    let answer = client.request_within("thread/read", &params, limit).await;
    let parent = answer.ok().and_then(|reply| {
        let read: Value = serde_json::from_str(reply.result().get()).ok()?;
        read["thread"]["parentThreadId"].as_str().map(str::to_owned)
    });
    Parentage { thread, parent }
}
