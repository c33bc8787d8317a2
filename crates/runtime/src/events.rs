//! A reader of one session's events: history and live are the same call.

mod head;
mod name;
mod settled;
mod settling;

pub(crate) use name::of as name_of;
pub use settled::{Settled, SettledPage};

use std::borrow::Cow;

use bytes::Bytes;
use selvedge_journal::{Limit, Reader, SqliteStore};
use selvedge_session::{Code, Event};

use crate::error::Error;

/// An event as it lies in the journal: its number and its finished text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its number.
    pub seq: u64,
    /// The event as JSON.
    pub text: Bytes,
}

impl Written {
    /// Its type, without reading the rest.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        name_of(&self.text)
    }

    /// What it says.
    pub fn read(&self) -> Result<Event, Error> {
        serde_json::from_slice(&self.text).map_err(|error| {
            Error::coded(Code::Internal, format!("event {} cannot be read: {error}", self.seq))
        })
    }
}

/// Yields events after a cursor, each once, in order, and waits at the newest. However slow its owner is, it costs a
/// cursor.
#[derive(Debug)]
pub struct Events {
    reader: Reader<SqliteStore>,
}

impl Events {
    pub(crate) fn new(reader: Reader<SqliteStore>) -> Self {
        Self { reader }
    }

    /// The next events, at least one and at most `limit`; waits for the first. Dropping the future loses nothing.
    pub async fn next(&mut self, limit: usize) -> Result<Vec<Written>, Error> {
        Ok(written(self.reader.next_page(limit).await?))
    }

    /// The same, of about so many bytes at most: for who holds many pages at a time.
    pub async fn next_within(&mut self, limit: usize, bytes: usize) -> Result<Vec<Written>, Error> {
        Ok(written(self.reader.next_within(Limit { bytes, ..Limit::of(limit) }).await?))
    }

    /// The next events that are there already.
    pub async fn there(&mut self, limit: usize) -> Result<Vec<Written>, Error> {
        Ok(written(self.reader.try_page(limit).await?))
    }

    /// The last event that was read.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.reader.seq()
    }
}

/// Some events, and how far their session is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventPage {
    /// In order, without a gap.
    pub events: Vec<Written>,
    /// The session's newest event.
    pub last_seq: u64,
}

fn written(events: Vec<selvedge_journal::Event>) -> Vec<Written> {
    events.into_iter().map(Written::from).collect()
}

impl From<selvedge_journal::Event> for Written {
    fn from(event: selvedge_journal::Event) -> Self {
        Self { seq: event.seq, text: event.body }
    }
}
