//! A session's events, wherever it lives: each once, in order, however often a connection breaks in between.

use selvedge_runtime::{Error, Written};

use super::either;
use crate::gateway;

/// Events that are handed on in one go.
const PAGE: usize = 256;

/// A reader with a cursor.
pub(crate) enum Events {
    Here(Box<selvedge_runtime::Events>),
    There(gateway::Events),
}

/// What a reader hears.
#[derive(Debug)]
pub(crate) enum Heard {
    /// At least one event.
    Events(Vec<Written>),
    /// The gateway does not answer; it is looked for.
    Lost,
    /// It is there again, and nothing is missing.
    Back,
}

impl Heard {
    /// What a person is told about a connection.
    pub(crate) fn aside(&self) -> Option<&'static str> {
        match self {
            Self::Events(_) => None,
            Self::Lost => Some("the gateway does not answer; waiting for it …"),
            Self::Back => Some("the gateway is there again"),
        }
    }
}

impl Events {
    /// What comes next; waits for it. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<Heard, Error> {
        match self {
            Self::Here(it) => it.next(PAGE).await.map(Heard::Events),
            Self::There(it) => it.next().await,
        }
    }

    /// The next events that are there already.
    pub(crate) async fn there(&mut self, limit: usize) -> Result<Vec<Written>, Error> {
        either!(self, it => it.there(limit).await)
    }
}
