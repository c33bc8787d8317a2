//! What happens in all sessions and a dashboard shows: one order, and a cursor to go on from.

mod place;

use selvedge_journal::{FeedRecord, SqliteStore, Store as _};
use selvedge_session::Code;

use crate::{error::Error, events::Written, ledger::NOTABLE};

use place::Place;

/// Records read at once. Each may hold many events that are not shown here.
const RECORDS: usize = 64;

/// An event of some session, and the place after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// Where the feed goes on after it.
    pub cursor: String,
    /// The event.
    pub event: Written,
}

/// Some events of the feed, and where it goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedPage {
    /// In the order of the journal.
    pub events: Vec<Noted>,
    /// Where it goes on.
    pub cursor: String,
}

/// Yields what happens in all sessions, each event once, and waits for more. However slow its owner is, it costs a
/// cursor.
#[derive(Debug)]
pub struct Feed {
    feed: selvedge_journal::Feed<SqliteStore>,
    place: Place,
}

impl Feed {
    /// The place of the newest event.
    pub const NOW: &str = "now";

    pub(crate) async fn open(store: &SqliteStore, after: Option<&str>) -> Result<Self, Error> {
        let place = match after {
            None => Place::default(),
            Some(Self::NOW) => Place::after(store.tip().await?),
            Some(text) => text.parse().map_err(|_unreadable| no_place(text))?,
        };
        let feed = store.feed(place.before, Some(NOTABLE)).await?;
        Ok(Self { feed, place })
    }

    /// The next events, at least one; waits for it. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Result<Vec<Noted>, Error> {
        loop {
            let records = self.feed.next_page(RECORDS).await?;
            let noted = self.take(records);
            if !noted.is_empty() {
                return Ok(noted);
            }
        }
    }

    /// The place up to which everything was given.
    #[must_use]
    pub fn cursor(&self) -> String {
        self.place.to_string()
    }

    /// What is there now, up to a limit.
    pub(crate) async fn page(mut self, limit: usize) -> Result<FeedPage, Error> {
        let mut events = Vec::new();
        while events.len() < limit {
            let records = self.feed.try_page(RECORDS).await?;
            if records.is_empty() {
                return Ok(FeedPage { cursor: self.cursor(), events });
            }
            events.extend(self.take(records));
        }
        events.truncate(limit);
        let cursor = events.last().map_or_else(|| self.cursor(), |last| last.cursor.clone());
        Ok(FeedPage { events, cursor })
    }

    fn take(&mut self, records: Vec<FeedRecord>) -> Vec<Noted> {
        let mut noted = Vec::new();
        for found in records {
            let passed = self.place.passed_in(found.cursor);
            let events = found.record.events.into_iter().map(Written::from).enumerate();
            let shown = events.skip(passed).filter(|(_, event)| is_shown(&event.name()));
            let mut shown = shown.peekable();
            while let Some((index, event)) = shown.next() {
                // Only the last one of a record has a place in the log; the others say how much of the record was given.
                let place = match shown.peek() {
                    Some(_) => Place::within(self.place.before, found.cursor, index + 1),
                    None => Place::after(found.cursor),
                };
                noted.push(Noted { cursor: place.to_string(), event });
            }
            self.place = Place::after(found.cursor);
        }
        noted
    }
}

/// What a dashboard wants to know: how sessions live, what they ask, what they use.
fn is_shown(name: &str) -> bool {
    let kind = name.split_once('.').map_or(name, |(kind, _)| kind);
    matches!(kind, "session" | "message" | "approval" | "tool" | "usage")
        || matches!(name, "codex.exited" | "codex.restarted")
}

fn no_place(text: &str) -> Error {
    let shown: String = text.chars().take(80).collect();
    Error::coded(Code::QueryInvalid, format!("{shown:?} is no place in the feed"))
        .hint("use the `id` of an event of the feed, or `now`")
}
