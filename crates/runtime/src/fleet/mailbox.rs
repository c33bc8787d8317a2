//! What a session is told of its threads, and what nobody is there to be told.

use selvedge_session::Heard;
use tokio::sync::mpsc;
use uuid::Uuid;

/// Where a session takes its news. Its reader waits for nothing but the disk.
pub(crate) type Mailbox = mpsc::Sender<Told>;

/// One piece of news.
#[derive(Debug)]
pub(crate) struct Told {
    /// Which app-server said it.
    pub(crate) process: Uuid,
    /// Where the newest line in it began in the app-server's output. Lines that were held come late, with a smaller one.
    pub(crate) offset: u64,
    /// What it means.
    pub(crate) heard: Heard,
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
