//! What a session is told of its threads, and what nobody is there to be told.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use selvedge_session::Heard;
use tokio::sync::mpsc::{self, Permit, error::TrySendError};
use uuid::Uuid;

/// In a box, because every session that is awake has room for 32 of these ready: 13 KiB less of each.
pub(crate) type Letter = Box<Told>;

/// Where a session is told its news. It waits for nothing but the disk. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Mailbox {
    letters: mpsc::Sender<Letter>,
    count: Arc<Count>,
}

/// The session's own end of its mailbox.
#[derive(Debug)]
pub(crate) struct Letters {
    letters: mpsc::Receiver<Letter>,
    count: Arc<Count>,
}

/// How many news were on their way, and how many of them need not be told again: they are durable, or void.
#[derive(Debug, Default)]
struct Count {
    sent: AtomicU64,
    settled: AtomicU64,
}

/// A mailbox with room for so many, and its reader.
pub(crate) fn mailbox(room: usize) -> (Mailbox, Letters) {
    let (sender, receiver) = mpsc::channel(room);
    let count = Arc::<Count>::default();
    (Mailbox { letters: sender, count: Arc::clone(&count) }, Letters { letters: receiver, count })
}

impl Mailbox {
    /// One more is on its way here.
    pub(super) fn announce(&self) {
        self.count.sent.fetch_add(1, Ordering::Relaxed);
    }

    /// So many that were announced will not come.
    pub(super) fn withdraw(&self, many: usize) {
        self.count.settled.fetch_add(many as u64, Ordering::Release);
    }

    /// How many were announced so far.
    pub(super) fn announced(&self) -> u64 {
        self.count.sent.load(Ordering::Relaxed)
    }

    /// Whether so many of them are settled, or nobody reads them any more.
    pub(super) fn has_settled(&self, many: u64) -> bool {
        self.letters.is_closed() || self.count.settled.load(Ordering::Acquire) >= many
    }

    /// A place for one letter, if there is room.
    pub(super) fn try_reserve(&self) -> Result<Permit<'_, Letter>, TrySendError<()>> {
        self.letters.try_reserve()
    }

    /// Waits until there is room, or nobody reads it any more.
    pub(super) async fn room(&self) {
        let _nobody = self.letters.reserve().await;
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.letters.same_channel(&other.letters)
    }
}

impl Letters {
    /// Takes at least one, and at most so many.
    pub(crate) async fn take(&mut self, into: &mut Vec<Letter>, most: usize) -> usize {
        self.letters.recv_many(into, most).await
    }

    /// So many of those that were taken are durable, or void.
    pub(crate) fn settle(&self, many: usize) {
        self.count.settled.fetch_add(many as u64, Ordering::Release);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// The next one.
    #[cfg(test)]
    pub(crate) async fn recv(&mut self) -> Option<Told> {
        self.letters.recv().await.map(|letter| *letter)
    }
}

/// One piece of news.
#[derive(Debug)]
pub(crate) struct Told {
    /// Which app-server said it.
    pub(crate) process: Uuid,
    /// Where the newest line in it began in the app-server's output. Lines that were held come late, with a smaller one.
    pub(crate) offset: u64,
    /// Of which thread, where what it means does not say so; nothing if it is about the whole app-server.
    pub(crate) thread: Option<String>,
    /// What it means.
    pub(crate) heard: Heard,
}

impl Told {
    /// Of which thread it is; of none, if it is about the whole app-server. The lines of one come in their order.
    pub(crate) fn of(&self) -> &str {
        let placed = self.heard.place().map(|place| place.thread.as_str());
        placed.or(self.thread.as_deref()).unwrap_or_default()
    }
}

/// What belongs to nobody here. It is kept by whoever reads this; when that one is slow it is counted, and dropped.
#[derive(Debug)]
pub(crate) enum Unclaimed {
    /// News of a thread that nobody listens to.
    Thread {
        /// Whose, and what.
        told: Told,
        /// Which thread.
        thread: String,
    },
    /// A line that is no message, or one about nothing we know.
    Line {
        /// Which app-server said it.
        process: Uuid,
        /// Where it began.
        offset: u64,
        /// As it was.
        raw: String,
    },
    /// The answer to a request whose caller had given up: it was done after all.
    LateAnswer {
        /// Which app-server gave it.
        process: Uuid,
        /// What had been asked.
        method: String,
        /// The whole line.
        raw: String,
    },
}
