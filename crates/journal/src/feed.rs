//! A reader over all sessions: their records in the order of their commits, after a place in the log.

use std::{fmt, num::ParseIntError, str::FromStr, sync::Arc};

use tokio::sync::watch;

use crate::{
    cursor::Limit,
    error::StoreError,
    record::{Kind, Record, SessionId},
    store::Store,
};

mod pulse;

pub use pulse::Pulse;
pub(crate) use pulse::{Beat, Pulses};

/// A place in the log of all sessions. As text it can be given to a reader, and taken back from it later.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeedCursor(u64);

impl FeedCursor {
    /// Before everything.
    pub const START: Self = Self(0);

    pub(crate) fn at(place: u64) -> Self {
        Self(place)
    }

    pub(crate) fn place(self) -> u64 {
        self.0
    }
}

impl fmt::Display for FeedCursor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl FromStr for FeedCursor {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// A record of some session, and the place after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedRecord {
    /// Go on after this.
    pub cursor: FeedCursor,
    /// Whose it is.
    pub session: SessionId,
    /// Its place in its session.
    pub n: u64,
    /// The record, with its facts: what of it is shown is for the caller to say.
    pub record: Record,
}

/// Some records, and how far the log was looked through for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedPage {
    /// In the order of their commits.
    pub records: Vec<FeedRecord>,
    /// The place to go on after.
    pub cursor: FeedCursor,
}

/// Reads the records of all sessions, each once, and waits at the tip.
#[derive(Debug)]
pub struct Feed<S> {
    store: S,
    only: Option<Kind>,
    cursor: FeedCursor,
    beats: watch::Receiver<Beat>,
    /// While it is held, the writer tells of what it commits.
    _pulse: Arc<Pulse>,
}

impl<S: Store> Feed<S> {
    pub(crate) async fn open(store: S, after: FeedCursor, only: Option<Kind>) -> Result<Self, StoreError> {
        // First there for the writer to see: what is committed from now on is told.
        let pulse = store.pulse(only);
        let tip = store.tip().await?;
        if after > tip {
            return Err(StoreError::Ahead { after: after.0, last_seq: tip.0 });
        }
        Ok(Self { beats: pulse.watch(), store, only, cursor: after, _pulse: pulse })
    }

    /// The next records, at most `limit`; waits until there is one. Dropping the future loses nothing.
    pub async fn next_page(&mut self, limit: usize) -> Result<Vec<FeedRecord>, StoreError> {
        loop {
            let records = self.try_page(limit).await?;
            if !records.is_empty() {
                return Ok(records);
            }
            // The sender lives in the pulse, which we hold.
            let _ = self.beats.changed().await;
        }
    }

    /// The next records if there are some now, else nothing.
    pub async fn try_page(&mut self, limit: usize) -> Result<Vec<FeedRecord>, StoreError> {
        // Marked as seen before reading: what comes during the read wakes the next wait.
        let beat = *self.beats.borrow_and_update();
        match beat {
            Beat::At(newest) if newest <= self.cursor.0 => return Ok(Vec::new()),
            Beat::At(_) | Beat::Unknown => {}
            Beat::Closed => return Err(StoreError::Closed),
        }
        let page = self.store.log(self.cursor, self.only, Limit::of(limit)).await?;
        self.cursor = page.cursor;
        Ok(page.records)
    }

    /// The place up to which everything was read: where another feed can go on.
    #[must_use]
    pub fn cursor(&self) -> FeedCursor {
        self.cursor
    }
}
