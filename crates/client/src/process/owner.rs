//! The owner of an app-server: awaits it, ends it by a ladder, and says how it ended.

use std::{sync::Arc, time::Duration};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::{
    process::{Child, ChildStderr},
    sync::{mpsc, watch},
    task::JoinHandle,
    time::timeout,
};
use uuid::Uuid;

use super::{launch::pid, sweep};
use crate::{
    client::Client,
    connection::Streams,
    end::{ClosedBy, End, Exit},
    stderr::StderrTail,
    table::RequestTable,
};

/// How long each rung of the ladder waits before the next.
#[derive(Debug, Clone)]
pub struct Ladder {
    /// From closing stdin to SIGTERM.
    pub after_eof: Duration,
    /// From SIGTERM to SIGKILL.
    pub after_term: Duration,
    /// How long a dead child's pipes are read on when a grandchild holds them open.
    pub drain: Duration,
}

impl Default for Ladder {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { after_eof: seconds(5), after_term: seconds(2), drain: seconds(2) }
    }
}

/// A running app-server, to be ended.
#[derive(Debug, Clone)]
pub struct Process {
    id: u32,
    marker: Uuid,
    orders: mpsc::Sender<Order>,
    finished: watch::Receiver<Option<Arc<End>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Down the ladder.
    ShutDown,
    /// SIGKILL now.
    Kill,
}

impl Process {
    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// By what it and its descendants are found.
    #[must_use]
    pub fn marker(&self) -> Uuid {
        self.marker
    }

    /// Ends it: closes stdin, waits, SIGTERM, waits, SIGKILL. Returns when it is reaped and nothing of it is left.
    pub async fn shut_down(&self) -> Arc<End> {
        self.order(Order::ShutDown).await
    }

    /// Kills it now, with everything it started.
    pub async fn kill(&self) -> Arc<End> {
        self.order(Order::Kill).await
    }

    /// Waits until it is reaped and nothing of it is left.
    pub async fn finished(&self) -> Arc<End> {
        let mut finished = self.finished.clone();
        match finished.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(end)) => Arc::clone(end),
            _ => Arc::new(End::unknown()),
        }
    }

    async fn order(&self, order: Order) -> Arc<End> {
        // A closed channel means that the owner has done all this already.
        let _done_already = self.orders.send(order).await;
        self.finished().await
    }
}

pub(super) struct Owned {
    pub(super) child: Child,
    pub(super) streams: Streams,
    pub(super) marker: Uuid,
    pub(super) ladder: Ladder,
}

/// Starts the owner of a child whose conversation has begun.
pub(super) fn own(owned: Owned, stderr: ChildStderr, client: &Client) -> Process {
    let tail = StderrTail::default();
    let (orders, received) = mpsc::channel(4);
    let finished = watch::Sender::new(None);
    let process = Process {
        id: owned.child.id().unwrap_or_default(),
        marker: owned.marker,
        orders,
        finished: finished.subscribe(),
    };
    #[expect(clippy::disallowed_methods, reason = "the owner holds the handle until the pipe has ended")]
    let draining = tokio::spawn(tail.clone().drain(stderr));
    let owner = Owner {
        owned,
        orders: received,
        stderr: (draining, tail),
        table: Arc::clone(client.table()),
        end: client.end_sender(),
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "this task is the owner; how it ended is published as the `End`"
    )]
    tokio::spawn(owner.run(finished));
    process
}

/// Whether the next rung may be a gentle one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Patience {
    Left,
    Over,
}

struct Owner {
    owned: Owned,
    orders: mpsc::Receiver<Order>,
    stderr: (JoinHandle<()>, StderrTail),
    table: Arc<RequestTable>,
    end: watch::Sender<Option<Arc<End>>>,
}

impl Owner {
    async fn run(mut self, finished: watch::Sender<Option<Arc<End>>>) {
        let mut exit = None;
        let mut ended_by = None;
        let input_closed = self.owned.streams.input_closed();
        // Until it exits, stops speaking, or is to be ended.
        let order = tokio::select! {
            status = self.owned.child.wait() => {
                exit = status.ok().map(Exit::from);
                None
            }
            by = self.owned.streams.end_of_reading() => {
                ended_by = Some(by);
                Some(Order::ShutDown)
            }
            () = input_closed => Some(Order::ShutDown),
            // Without a `Process` nobody orders anything; the conversation goes on as long as there is a client.
            Some(order) = self.orders.recv() => Some(order),
        };
        let mut forced = None;
        if let Some(order) = order {
            (exit, forced) = self.descend(order).await;
        }
        let closed_by = self.last_words(ended_by).await;
        let end = self.publish(forced.unwrap_or(closed_by), exit);
        // Also after a clean exit: Codex ends its commands, but not what a login shell of its own had under way.
        sweep::end_marked(self.owned.marker).await;
        finished.send_replace(Some(end));
    }

    /// Down the ladder until it is reaped. Says how hard it had to be pushed.
    async fn descend(&mut self, order: Order) -> (Option<Exit>, Option<ClosedBy>) {
        let Ladder { after_eof, after_term, .. } = self.owned.ladder;
        let mut patience = if order == Order::Kill { Patience::Over } else { Patience::Left };
        if patience == Patience::Left {
            self.owned.streams.close_input();
            match self.exits_within(after_eof).await {
                Ok(exit) => return (exit, None),
                Err(left) => patience = left,
            }
        }
        if patience == Patience::Left {
            self.signal(|pid| kill_process(pid, Signal::TERM));
            if let Ok(exit) = self.exits_within(after_term).await {
                return (exit, Some(ClosedBy::Terminated));
            }
        }
        self.signal(|pid| kill_process_group(pid, Signal::KILL));
        let exit = self.owned.child.wait().await.ok().map(Exit::from);
        (exit, Some(ClosedBy::Killed))
    }

    /// Waits for the exit; an order to kill cuts the wait short.
    async fn exits_within(&mut self, limit: Duration) -> Result<Option<Exit>, Patience> {
        let killed = async {
            while let Some(order) = self.orders.recv().await {
                if order == Order::Kill {
                    return;
                }
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            status = timeout(limit, self.owned.child.wait()) => match status {
                Ok(status) => Ok(status.ok().map(Exit::from)),
                Err(_elapsed) => Err(Patience::Left),
            },
            () = killed => Err(Patience::Over),
        }
    }

    fn signal(&self, send: impl FnOnce(Pid) -> rustix::io::Result<()>) {
        if let Some(pid) = pid(&self.owned.child) {
            // It can only fail because the process is gone, and then it is about to be reaped.
            let _gone = send(pid);
        }
    }

    /// Reads what the dead child left in its pipes: its last lines may hold the end of a turn.
    async fn last_words(&mut self, ended_by: Option<ClosedBy>) -> ClosedBy {
        let drain = self.owned.ladder.drain;
        let closed_by = match ended_by {
            Some(closed_by) => closed_by,
            None => match timeout(drain, self.owned.streams.end_of_reading()).await {
                Ok(closed_by) => closed_by,
                Err(_still_open) => {
                    self.owned.streams.stop_reading();
                    ClosedBy::Codex
                }
            },
        };
        self.owned.streams.stop_writing();
        let (draining, _tail) = &mut self.stderr;
        if timeout(drain, &mut *draining).await.is_err() {
            draining.abort();
        }
        closed_by
    }

    /// Tells every caller, now and later.
    fn publish(&self, closed_by: ClosedBy, exit: Option<Exit>) -> Arc<End> {
        let end = Arc::new(End { closed_by, exit, stderr_tail: self.stderr.1.text() });
        self.table.close(Arc::clone(&end));
        self.end.send_replace(Some(Arc::clone(&end)));
        end
    }
}
