//! What is read: the events of one session, and of all.

use std::collections::BTreeSet;

use selvedge_journal::Store as _;
use selvedge_session::SessionId;
use serde::Deserialize;

use super::Runtime;
use crate::{
    error::Error,
    events::{EventPage, Events, Settled},
    feed::{Feed, FeedPage},
    ledger::{self, table},
};

/// Entries read at once.
const PAGE: usize = 1_000;

impl Runtime {
    /// A session's events after a number: history, then live. When the session is removed, they end with `not_found`.
    pub async fn events(&self, id: SessionId, after: u64) -> Result<Events, Error> {
        let session = self.session(id).await?;
        let events = session.events(after).await?;
        // Removed in between, nobody would tell the reader; from here on somebody does.
        self.session(id).await?;
        Ok(events)
    }

    /// The same for who wants to know how things stand: what is there already is told shortly.
    pub async fn settled_events(&self, id: SessionId, after: u64) -> Result<Settled, Error> {
        let events = self.events(id, after).await?;
        let head = self.house.store.head(&ledger::key(id)).await?;
        Ok(Settled::new(events, head.seq))
    }

    /// At most `limit` events of a session after a number, and no more than a mebibyte, from what is there now.
    pub async fn event_page(&self, id: SessionId, after: u64, limit: usize) -> Result<EventPage, Error> {
        let mut reader = self.events(id, after).await?;
        let head = self.house.store.head(&ledger::key(id)).await?;
        let events = reader.there(limit).await?;
        Ok(EventPage { last_seq: head.seq.max(reader.seq()), events })
    }

    /// A picture that was sent to a session, by its SHA-256.
    pub async fn attachment(&self, id: SessionId, sha256: &str) -> Result<Vec<u8>, Error> {
        self.session(id).await?;
        Ok(self.house.files.get(id, sha256).await?)
    }

    /// Where sessions work, each place once.
    pub async fn cwds(&self) -> Result<BTreeSet<String>, Error> {
        #[derive(Deserialize)]
        struct Place {
            cwd: String,
        }
        let mut places = BTreeSet::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = self.house.store.list(table::SESSIONS, cursor.as_deref(), PAGE).await?;
            let Some(last) = page.last() else { return Ok(places) };
            cursor = Some(last.key.clone());
            places.extend(
                page.iter()
                    .filter_map(|found| serde_json::from_slice::<Place>(&found.value).ok())
                    .map(|place| place.cwd),
            );
        }
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
