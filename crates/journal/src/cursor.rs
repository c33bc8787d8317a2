//! A reader with a cursor: history and live are one call, "the events after N".

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::watch;

use crate::{
    error::StoreError,
    record::{
        Event, SessionId,
        blob::{Blob, Hash, Malformed},
    },
    store::Store,
    tail::{Live, Newest},
};

/// A page holds this much, and one event more.
const PAGE_BYTES: usize = 1024 * 1024;

/// A place in a session's events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The last event that was read.
    pub seq: u64,
    /// A record up to which there is no event after `seq`; where a store may begin to look.
    pub n: u64,
}

impl Cursor {
    /// The place after an event.
    #[must_use]
    pub fn after(seq: u64) -> Self {
        Self { seq, n: 0 }
    }
}

/// How much to read at once: at least one, and no more than either says.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Events, or records where records are read.
    pub events: usize,
    /// Bytes of bodies; the one that passes it is still read.
    pub bytes: usize,
}

impl Limit {
    /// So many, of no more than a mebibyte.
    #[must_use]
    pub fn of(events: usize) -> Self {
        Self { events: events.max(1), bytes: PAGE_BYTES }
    }
}

/// Some events, and where to go on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// In order, without a gap.
    pub events: Vec<Event>,
    /// The place after them.
    pub cursor: Cursor,
    /// Bytes of their bodies.
    pub bytes: usize,
}

impl Page {
    /// An empty page.
    #[must_use]
    pub fn after(cursor: Cursor) -> Self {
        Self { cursor, ..Self::default() }
    }

    /// Adds the events of a record; true while there is room for more.
    pub(crate) fn add<E: From<Malformed>>(
        &mut self,
        blob: &Blob,
        limit: Limit,
        bodies: &mut dyn FnMut(&Hash) -> Result<Bytes, E>,
    ) -> Result<bool, E> {
        let Self { events, cursor, bytes } = self;
        let wants_more = blob.events_after(cursor.seq, bodies, &mut |event| {
            cursor.seq = event.seq;
            *bytes += event.body.len();
            events.push(event);
            events.len() < limit.events && *bytes < limit.bytes
        })?;
        if blob.ends_at(cursor.seq) {
            cursor.n = blob.n;
        }
        Ok(wants_more)
    }
}

/// Reads one session's events in order, each once, and waits at the tip. It costs a cursor, however slow it is.
#[derive(Debug)]
pub struct Reader<S> {
    store: S,
    live: Arc<Live>,
    newest: watch::Receiver<Newest>,
    cursor: Cursor,
}

impl<S: Store> Reader<S> {
    /// A reader of the events after `after_seq`.
    pub(crate) async fn open(store: S, session: &SessionId, after_seq: u64) -> Result<Self, StoreError> {
        let live = store.live(session).await?;
        let last_seq = live.head().seq;
        if after_seq > last_seq {
            return Err(StoreError::Ahead { after: after_seq, last_seq });
        }
        Ok(Self { newest: live.watch(), store, live, cursor: Cursor::after(after_seq) })
    }

    /// The next events, at most `limit`; waits until there is one. Dropping the future loses nothing.
    pub async fn next_page(&mut self, limit: usize) -> Result<Vec<Event>, StoreError> {
        self.next_within(Limit::of(limit)).await
    }

    /// The same, of no more bytes than the limit says: for who holds many pages at a time.
    pub async fn next_within(&mut self, limit: Limit) -> Result<Vec<Event>, StoreError> {
        loop {
            if let Some(events) = self.page_here(limit).await? {
                return Ok(events);
            }
            // The sender lives in `live`, which we hold.
            let _ = self.newest.changed().await;
        }
    }

    /// The next events if there are some now, else nothing.
    pub async fn try_page(&mut self, limit: usize) -> Result<Vec<Event>, StoreError> {
        Ok(self.page_here(Limit::of(limit)).await?.unwrap_or_default())
    }

    /// The last event that was read.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.cursor.seq
    }

    async fn page_here(&mut self, limit: Limit) -> Result<Option<Vec<Event>>, StoreError> {
        // Marked as seen before reading: what comes during the read wakes the next wait.
        let newest = *self.newest.borrow_and_update();
        match newest {
            Newest::At(head) if head.seq > self.cursor.seq => {}
            Newest::At(_) | Newest::Unknown => return Ok(None),
            Newest::Removed => return Err(StoreError::Removed { session: self.live.session().clone() }),
            Newest::Closed => return Err(StoreError::Closed),
        }
        let page = match self.live.page(self.cursor, limit) {
            Some(page) => page,
            None => self.store.events(self.live.session(), self.cursor, limit).await?,
        };
        self.cursor = page.cursor;
        Ok(if page.events.is_empty() { None } else { Some(page.events) })
    }
}

#[cfg(test)]
mod tests;
