//! Makes a new journal: elsewhere first, then at its place whole, so that nobody ever meets half of one.

use std::{
    ffi::OsString,
    fs::{self, OpenOptions},
    io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

use rusqlite::{Connection, TransactionBehavior};

use super::{explain::explain, schema};
use crate::error::StoreError;

/// Bytes of a page. A commit writes each page that it touches as a whole, mostly two for a short record: small pages are a quarter
/// of SQLite's usual write-ahead log, and so a quarter of what a checkpoint has to synchronise while commits wait. Measured
/// with a hundred sessions: p99 of a commit 0.8 instead of 2 to 6 ms, and replay is no slower. A file keeps the size it was made with.
pub(super) const PAGE: u32 = 1024;

/// Makes an empty journal at a place where there is none. If somebody else was quicker, theirs is taken.
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    let draft = draft_of(path);
    let placed = draw_up(&draft).and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked.map_err(|error| failed(path, &error)),
    });
    let removed = fs::remove_file(&draft).map_err(|error| failed(&draft, &error));
    placed.and(removed)
}

/// A name nobody else uses, in the same folder.
fn draft_of(path: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut name = OsString::from(path);
    name.push(format!(".new-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    name.into()
}

fn draw_up(draft: &Path) -> Result<(), StoreError> {
    create_private(draft).map_err(|error| failed(draft, &error))?;
    write_schema(draft).map_err(|error| explain(draft, &error))
}

/// What was said to an agent is for its user's eyes only; the files SQLite puts beside it take after it.
pub(super) fn create_private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

fn write_schema(draft: &Path) -> rusqlite::Result<()> {
    let mut connection = Connection::open(draft)?;
    connection.pragma_update(None, "page_size", PAGE)?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    schema::create(&transaction)?;
    transaction.commit()?;
    // The last connection to close carries everything into the file.
    connection.close().map_err(|(_, error)| error)
}

fn failed(path: &Path, error: &io::Error) -> StoreError {
    let place = path.display().to_string();
    match error.kind() {
        io::ErrorKind::StorageFull => StoreError::StorageFull { place },
        _ => StoreError::Failed { place, cause: error.to_string() },
    }
}
