//! The index: what is asked across sessions, made from records by a function, so that it can be made again.

use std::{fmt, sync::Arc};

use bytes::Bytes;

use crate::record::{Record, SessionId};

/// One change to the index. Each session has entries of its own: two sessions may use the same key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Which table; the names are the caller's.
    pub table: &'static str,
    /// The key.
    pub key: String,
    /// What it now says, or that it is gone.
    pub value: Option<Bytes>,
}

/// An entry that was looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The key.
    pub key: String,
    /// Whose it is.
    pub session: SessionId,
    /// What it says.
    pub value: Bytes,
}

type MakeEntries = dyn Fn(&SessionId, &Record) -> Vec<Entry> + Send + Sync;

/// Makes the index entries of a record. It must depend on nothing but its arguments.
#[derive(Clone)]
pub struct Indexer {
    version: u32,
    make: Arc<MakeEntries>,
}

impl Indexer {
    /// An indexer; when `version` is not the one a journal was indexed with, the index is made again at opening.
    pub fn new(
        version: u32,
        make: impl Fn(&SessionId, &Record) -> Vec<Entry> + Send + Sync + 'static,
    ) -> Self {
        Self { version, make: Arc::new(make) }
    }

    /// One for a journal that nothing is asked across.
    #[must_use]
    pub fn none() -> Self {
        Self::new(0, |_, _| Vec::new())
    }

    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    pub(crate) fn entries(&self, session: &SessionId, record: &Record) -> Vec<Entry> {
        (self.make)(session, record)
    }
}

impl fmt::Debug for Indexer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Indexer(version {})", self.version)
    }
}
