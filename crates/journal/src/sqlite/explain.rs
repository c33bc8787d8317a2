//! Turns what SQLite says into what a user reads.

use std::{fmt, path::Path};

use rusqlite::{Error, ErrorCode, ffi};

use crate::{error::StoreError, record::blob::Malformed};

/// What went wrong inside one step, before it is known which file it was.
#[derive(Debug)]
pub(super) enum Trouble {
    Sqlite(Error),
    Record(Malformed),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<Malformed> for Trouble {
    fn from(malformed: Malformed) -> Self {
        Self::Record(malformed)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(error) => error.fmt(out),
            Self::Record(malformed) => malformed.fmt(out),
        }
    }
}

impl Trouble {
    /// The error for a journal at that path.
    pub(super) fn at(self, path: &Path) -> StoreError {
        match self {
            Self::Sqlite(error) => explain(path, &error),
            Self::Record(malformed) => {
                StoreError::Damaged { place: path.display().to_string(), what: malformed.to_string() }
            }
        }
    }
}

/// Somebody else writes.
pub(super) fn is_busy(error: &Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// There is no room.
pub(super) fn is_full(error: &Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DiskFull)
}

/// The error for what SQLite said about a file.
pub(super) fn explain(path: &Path, error: &Error) -> StoreError {
    let place = path.display().to_string();
    let Error::SqliteFailure(failure, _) = error else {
        return StoreError::Failed { place, cause: error.to_string() };
    };
    match (failure.code, failure.extended_code) {
        // The shared memory beside the file cannot grow: the same full disk, met one step earlier.
        (ErrorCode::DiskFull, _) | (_, ffi::SQLITE_IOERR_SHMSIZE) => StoreError::StorageFull { place },
        (ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase, _) => {
            StoreError::Damaged { place, what: error.to_string() }
        }
        // The last is what a reader is told that never came to its turn: whoever wrote was not let run.
        (ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed, _) => {
            StoreError::Busy { place }
        }
        _ => StoreError::Failed { place, cause: error.to_string() },
    }
}
