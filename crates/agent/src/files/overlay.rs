//! What a call has written so far, and what it has seen.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustix::fs::Stat;

use super::FileError;
use super::beneath::{FileId, id};
use super::inside::Inside;

/// The most that one call writes: it is held in memory until the call has succeeded.
const MOST_WRITTEN: u64 = 64 << 20;

/// What becomes of a file.
#[derive(Clone)]
pub(super) enum Change {
    Written(Arc<[u8]>),
    Removed,
}

/// What tells one state of a file from another, without reading it; `None` if there was none.
pub(super) type Seen = Option<Stamp>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    file: FileId,
    size: i64,
    modified: (i64, i64),
}

impl Stamp {
    #[allow(
        clippy::unnecessary_cast,
        clippy::cast_lossless,
        reason = "the types of these fields differ between systems"
    )]
    pub(super) fn of(stat: &Stat) -> Self {
        Self {
            file: id(stat),
            size: stat.st_size as i64,
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        }
    }

    /// Whether it was changed after that one.
    pub(super) fn is_later_than(&self, other: &Self) -> bool {
        self.modified > other.modified
    }

    /// When it was changed.
    pub(super) fn modified(&self) -> SystemTime {
        let (seconds, nanoseconds) = self.modified;
        let second = match u64::try_from(seconds) {
            Ok(after) => SystemTime::UNIX_EPOCH + Duration::from_secs(after),
            Err(_) => SystemTime::UNIX_EPOCH - Duration::from_secs(seconds.unsigned_abs()),
        };
        second + Duration::from_nanos(nanoseconds.unsigned_abs())
    }
}

/// One call's view: its own changes over what lies in the directory.
#[derive(Default)]
pub(super) struct Overlay {
    changes: BTreeMap<Inside, Change>,
    /// As each file was when this call first looked.
    seen: BTreeMap<Inside, Seen>,
    ended: bool,
}

impl Overlay {
    pub(super) fn change(&self, path: &Inside) -> Option<Change> {
        self.changes.get(path).cloned()
    }

    pub(super) fn changes(&self) -> impl Iterator<Item = (&Inside, &Change)> {
        self.changes.iter()
    }

    pub(super) fn saw(&mut self, path: &Inside, stamp: Seen) {
        self.seen.entry(path.clone()).or_insert(stamp);
    }

    pub(super) fn put(&mut self, path: Inside, change: Change) -> Result<(), FileError> {
        if self.ended {
            return Err(FileError::Ended);
        }
        let is_written =
            |(other, change): (&Inside, &Change)| matches!(change, Change::Written(_)) && path.crosses(other);
        if self.changes.iter().any(is_written) {
            // A file cannot have another one in it.
            return Err(FileError::Kind { path: path.to_string(), wanted: "directory" });
        }
        let others = self.changes.iter().filter(|(other, _)| **other != path).map(|(_, change)| size(change));
        if others.sum::<u64>() + size(&change) > MOST_WRITTEN {
            return Err(FileError::TooMuch { path: path.to_string(), most: MOST_WRITTEN });
        }
        self.changes.insert(path, change);
        Ok(())
    }

    /// Nothing is written any more. What was, and how it looked before, as far as this call knows.
    pub(super) fn end(&mut self) -> Vec<(Inside, Change, Option<Seen>)> {
        self.ended = true;
        let changes = std::mem::take(&mut self.changes).into_iter();
        changes
            .map(|(path, change)| {
                let seen = self.seen.remove(&path);
                (path, change, seen)
            })
            .collect()
    }
}

fn size(change: &Change) -> u64 {
    match change {
        Change::Written(bytes) => bytes.len() as u64,
        Change::Removed => 0,
    }
}
