//! What can go wrong with a journal, in words for the person who reads it.

use std::path::{Path, PathBuf};

use crate::record::SessionId;

/// Why a store did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// What was read is not what was written.
    #[error("the journal {place} is damaged: {what}")]
    Damaged {
        /// Which journal.
        place: String,
        /// What is wrong with it.
        what: String,
    },
    /// There is no room; nothing that was committed is lost.
    #[error("there is no room to write the journal {place}")]
    StorageFull {
        /// Which journal.
        place: String,
    },
    /// Somebody else kept it locked for too long.
    #[error("another process keeps the journal {place} locked")]
    Busy {
        /// Which journal.
        place: String,
    },
    /// The reader wants to start after an event, or a feed after a place, that does not exist.
    #[error("there is nothing at {after} yet, the newest is at {last_seq}")]
    Ahead {
        /// Where it wants to start.
        after: u64,
        /// The newest there is.
        last_seq: u64,
    },
    /// The session was removed while it was read.
    #[error("the session {session} was removed")]
    Removed {
        /// Which session.
        session: SessionId,
    },
    /// A file is already there.
    #[error("{path} exists already")]
    Exists {
        /// Which file.
        path: PathBuf,
    },
    /// The store was closed.
    #[error("the journal is closed")]
    Closed,
    /// Anything else.
    #[error("the journal {place} failed: {cause}")]
    Failed {
        /// Which journal.
        place: String,
        /// In the words of what failed.
        cause: String,
    },
}

impl StoreError {
    /// Somebody else works on it.
    pub(crate) fn busy(journal: &Path) -> Self {
        Self::Busy { place: journal.display().to_string() }
    }

    /// What to do, if there is something to do.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Damaged { .. } => Some(DAMAGED_HINT.into()),
            Self::StorageFull { .. } => {
                Some("make room on that disk, or remove sessions (`selvedge sessions prune`); it goes on by itself".into())
            }
            Self::Busy { .. } => Some("see which other process uses that file; try again when it has ended".into()),
            Self::Ahead { last_seq, .. } => Some(format!("start after {last_seq} or before")),
            Self::Exists { .. } => Some("choose another name, or remove that file first".into()),
            Self::Removed { .. } | Self::Closed | Self::Failed { .. } => None,
        }
    }
}

const DAMAGED_HINT: &str = "the file was left as it is: restore a backup (`selvedge backup` makes them), or move it away to start anew";

/// Why a record was not appended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// The last record is another one than was expected: somebody else owns the session, or the owner forgot one.
    #[error("the last record is {last_n}, not the expected one")]
    Conflict {
        /// The last record there is.
        last_n: u64,
    },
    /// The events are not numbered on from the last one: a mistake of the owner.
    #[error("the next event has to be {expected}, but the record has {found}")]
    Gap {
        /// The number that comes next.
        expected: u64,
        /// The number that came.
        found: u64,
    },
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AppendError {
    /// Whether there was no room.
    #[must_use]
    pub fn is_storage_full(&self) -> bool {
        matches!(self, Self::Store(StoreError::StorageFull { .. }))
    }

    /// Whether it says nothing about the owner or the record, and the same append may work a little later: there was no
    /// room, or somebody else kept the journal locked.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        self.is_storage_full() || matches!(self, Self::Store(StoreError::Busy { .. }))
    }

    /// What to do, if there is something to do.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.hint(),
            Self::Conflict { .. } => Some("read the session's newest records, then decide anew".into()),
            Self::Gap { .. } => None,
        }
    }
}

/// Why a journal cannot be opened. The file is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// A newer program wrote it.
    #[error("the journal {path} has version {found}, this program knows versions up to {known}")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest we know.
        known: i64,
    },
    /// It is a database, but not a journal.
    #[error("{path} is not a journal of selvedge")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It could not be copied or brought to this program's version; it still has its own.
    #[error("the journal {path} of version {from} could not be migrated: {cause}")]
    Migration {
        /// The file.
        path: PathBuf,
        /// Its version.
        from: i64,
        /// In the words of what failed.
        cause: String,
    },
    /// It cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl OpenError {
    /// What to do, if there is something to do.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Newer { .. } => {
                Some("use the newer selvedge, or another data directory (`--data-dir`)".into())
            }
            Self::Foreign { .. } => Some("choose another data directory (`--data-dir`)".into()),
            Self::Migration { .. } => {
                Some("see that there is room for a copy beside it, then start again".into())
            }
            Self::Store(error) => error.hint(),
        }
    }
}
