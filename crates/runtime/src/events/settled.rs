//! A reader for who wants to know how things stand: what is there already is told shortly, what comes is told in full.

use super::{Events, Written, settling::Settling};
use crate::error::Error;

/// Events and bytes of history that are read at once: most of them are not told.
const HISTORY: (usize, usize) = (2_048, 256 << 10);

/// A session's events as [`Events`] yields them, but of what was there when it was opened the pieces are left out that a
/// whole item holds.
#[derive(Debug)]
pub struct Settled {
    events: Events,
    /// Up to here it is history, until it was told.
    until: Option<u64>,
    settling: Settling,
}

/// Some events, each of which stands for all since the one before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettledPage {
    /// In order.
    pub events: Vec<Written>,
    /// With these everything is told that was there; said once.
    pub settled: Option<u64>,
}

impl Settled {
    pub(crate) fn new(events: Events, until: u64) -> Self {
        Self { events, until: Some(until), settling: Settling::default() }
    }

    /// The next events; of what is live at most so many, and of about so many bytes. Waits for the first. Dropping the future
    /// loses nothing.
    pub async fn next_within(&mut self, limit: usize, bytes: usize) -> Result<SettledPage, Error> {
        let Some(until) = self.until else {
            return Ok(SettledPage { events: self.events.next_within(limit, bytes).await?, settled: None });
        };
        // What is held lies in `settling` and not here, so that whoever stops waiting loses nothing.
        let mut told = Vec::new();
        while self.events.seq() < until && told.is_empty() {
            for event in self.events.next_within(HISTORY.0, HISTORY.1).await? {
                self.settling.take(event, &mut told);
            }
        }
        if self.events.seq() < until {
            return Ok(SettledPage { events: told, settled: None });
        }
        self.until = None;
        self.settling.rest(&mut told);
        Ok(SettledPage { events: told, settled: Some(self.events.seq()) })
    }
}
