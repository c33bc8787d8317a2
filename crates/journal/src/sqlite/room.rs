//! Room for what was shown already: a file that may not grow any more may for that.

use rusqlite::Connection;

use super::explain::is_full;

/// What one slip takes in the log, with all that belongs to it, in pages.
const MARGIN: u64 = 128;

/// Writes; where that finds no room, once more beyond the limit that was set for the file. On a full disk that fails too.
pub(super) fn beyond_the_limit<W, T>(
    writer: &mut W,
    connection: impl Fn(&W) -> &Connection,
    write: impl Fn(&mut W) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    match write(writer) {
        Err(error) if is_full(&error) => {}
        written => return written,
    }
    let limit = limit(connection(writer))?;
    set_limit(connection(writer), limit + MARGIN)?;
    let written = write(writer);
    // SQLite takes it for no less than the file has by now.
    set_limit(connection(writer), limit)?;
    written
}

fn limit(connection: &Connection) -> rusqlite::Result<u64> {
    connection.pragma_query_value(None, "max_page_count", |row| row.get(0))
}

fn set_limit(connection: &Connection, pages: u64) -> rusqlite::Result<()> {
    connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
}
