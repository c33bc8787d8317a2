//! What is read: the events of one session, and of all.

use selvedge_journal::Store as _;
use selvedge_session::SessionId;

use super::Runtime;
use crate::{
    error::Error,
    events::{EventPage, Events},
    feed::{Feed, FeedPage},
    ledger,
};

impl Runtime {
    /// A session's events after a number: history, then live. When the session is removed, they end with `not_found`.
    pub async fn events(&self, id: SessionId, after: u64) -> Result<Events, Error> {
        let session = self.session(id).await?;
        let events = session.events(after).await?;
        // Removed in between, nobody would tell the reader; from here on somebody does.
        self.session(id).await?;
        Ok(events)
    }

    /// At most `limit` events of a session after a number, and no more than a mebibyte, from what is there now.
    pub async fn event_page(&self, id: SessionId, after: u64, limit: usize) -> Result<EventPage, Error> {
        let mut reader = self.events(id, after).await?;
        let head = self.house.store.head(&ledger::key(id)).await?;
        let events = reader.there(limit).await?;
        Ok(EventPage { last_seq: head.seq.max(reader.seq()), events })
    }

    /// What happens in all sessions and a dashboard shows, in one order, after a place: a cursor of this feed's,
    /// [`Feed::NOW`] for what comes from now on, or nothing for all there is.
    pub async fn feed(&self, after: Option<&str>) -> Result<Feed, Error> {
        Feed::open(&self.house.store, after).await
    }

    /// At most `limit` events of the feed, from what is there now.
    pub async fn feed_page(&self, after: Option<&str>, limit: usize) -> Result<FeedPage, Error> {
        self.feed(after).await?.page(limit).await
    }
}
