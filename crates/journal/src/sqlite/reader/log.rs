//! The questions of a feed: records of all sessions in the order of the log.

use rusqlite::{Connection, params};

use super::query;
use crate::{
    cursor::Limit,
    feed::{FeedCursor, FeedPage, FeedRecord},
    record::Kind,
    sqlite::explain::Trouble,
};

/// Of every kind, which is -1; the other questions take the bit of theirs.
pub(crate) const ALL: &str = "SELECT n, record, name, id FROM log CROSS JOIN sessions
    WHERE id > ?1 AND number = session AND removed = 0 AND ?2 = -1 ORDER BY id LIMIT ?3";
pub(crate) const WITH_KIND: &str = "SELECT n, record, name, id FROM log CROSS JOIN sessions
    WHERE id > ?1 AND kinds & ?2 <> 0 AND number = session AND removed = 0 ORDER BY id LIMIT ?3";
/// By the index of the records with a mark; what it is about is said again, or SQLite would not use it.
pub(crate) const WITH_MARK: &str =
    "SELECT n, record, name, id FROM log INDEXED BY by_mark CROSS JOIN sessions
    WHERE id > ?1 AND kinds >= 0x1000000000000 AND kinds & ?2 <> 0 AND number = session AND removed = 0
    ORDER BY id LIMIT ?3";

pub(crate) const NEWEST_PLACE: &str = "SELECT max(id) FROM log";

/// Records after a place, all or those with a fact of a kind.
pub(crate) fn log(
    connection: &Connection,
    after: FeedCursor,
    only: Option<Kind>,
    limit: Limit,
) -> Result<FeedPage, Trouble> {
    let (question, bits) = match only {
        None => (ALL, -1),
        Some(kind) if kind.is_mark() => (WITH_MARK, kind.bit()),
        Some(kind) => (WITH_KIND, kind.bit()),
    };
    let mut page = FeedPage { cursor: after, ..FeedPage::default() };
    let mut statement = connection.prepare_cached(question)?;
    let mut rows = statement.query(params![after.place(), bits, limit.events])?;
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        let blob = query::blob(row)?;
        bytes += blob.bytes().len();
        page.cursor = FeedCursor::at(row.get(3)?);
        let record = query::whole(connection, &blob)?.record;
        let session = row.get::<_, String>(2)?.into();
        page.records.push(FeedRecord { cursor: page.cursor, session, n: blob.n, record });
        if page.records.len() >= limit.events || bytes >= limit.bytes {
            return Ok(page);
        }
    }
    // Nothing is wanted of what else lies there: it is not looked through again.
    page.cursor = tip(connection)?.max(after);
    Ok(page)
}

/// The place of the newest record.
pub(crate) fn tip(connection: &Connection) -> Result<FeedCursor, Trouble> {
    let newest: Option<u64> = connection.prepare_cached(NEWEST_PLACE)?.query_row([], |row| row.get(0))?;
    Ok(FeedCursor::at(newest.unwrap_or(0)))
}
