//! The questions readers ask the file.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::{
    cursor::{Cursor, Limit, Page},
    record::{
        Kind, SessionId, StoredRecord,
        blob::{Blob, Malformed},
    },
    sqlite::{bodies, explain::Trouble, heads},
    store::{Head, SessionInfo},
};

pub(crate) const RECORDS_AFTER: &str = "SELECT n, record FROM log WHERE session = ?1 AND n > ?2 ORDER BY n";
pub(crate) const NEWEST: &str =
    "SELECT n FROM log WHERE session = ?1 AND kinds & ?2 <> 0 ORDER BY n DESC LIMIT 1";
pub(crate) const SESSIONS: &str = "SELECT name, n, last_seq, at FROM sessions, log
    WHERE removed = 0 AND name > ?1 AND session = number
    AND n = (SELECT max(n) FROM log WHERE session = number) ORDER BY name LIMIT ?2";

/// Events after a cursor.
pub(crate) fn events(
    connection: &Connection,
    session: &SessionId,
    after: Cursor,
    limit: Limit,
) -> Result<Page, Trouble> {
    let mut page = Page::after(after);
    let Some(number) = heads::number(connection, session)? else { return Ok(page) };
    if page.cursor.n == 0 && page.cursor.seq > 0 {
        page.cursor.n = last_record_without(connection, number, page.cursor.seq)?;
    }
    let mut statement = connection.prepare_cached(RECORDS_AFTER)?;
    let mut rows = statement.query(params![number, page.cursor.n])?;
    while let Some(row) = rows.next()? {
        let blob = blob(row)?;
        if !page.add(&blob, limit, &mut |hash| bodies::load(connection, hash))? {
            break;
        }
    }
    Ok(page)
}

/// The last record that has no event after `seq`: by halves, in the index alone. Places are dense from 1.
fn last_record_without(connection: &Connection, number: i64, seq: u64) -> Result<u64, Trouble> {
    let mut last_n = connection.prepare_cached("SELECT max(n) FROM log WHERE session = ?1")?;
    let mut last_seq = connection.prepare_cached("SELECT last_seq FROM log WHERE session = ?1 AND n = ?2")?;
    let (mut without, mut with) =
        (0, last_n.query_row([number], |row| row.get::<_, Option<u64>>(0))?.unwrap_or(0) + 1);
    while with - without > 1 {
        let middle = without + (with - without) / 2;
        let middle_seq: u64 = last_seq.query_row(params![number, middle], |row| row.get(0))?;
        if middle_seq <= seq { without = middle } else { with = middle }
    }
    Ok(without)
}

/// Records after a place.
pub(crate) fn records(
    connection: &Connection,
    session: &SessionId,
    after_n: u64,
    limit: Limit,
) -> Result<Vec<StoredRecord>, Trouble> {
    let Some(number) = heads::number(connection, session)? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(RECORDS_AFTER)?;
    let mut rows = statement.query(params![number, after_n])?;
    let (mut found, mut bytes) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let blob = blob(row)?;
        bytes += blob.bytes().len();
        found.push(whole(connection, &blob)?);
        if found.len() >= limit.events || bytes >= limit.bytes {
            break;
        }
    }
    Ok(found)
}

/// The newest record that has a fact of that kind: backwards through the index alone.
pub(crate) fn newest(
    connection: &Connection,
    session: &SessionId,
    kind: Kind,
) -> Result<Option<StoredRecord>, Trouble> {
    let Some(number) = heads::number(connection, session)? else { return Ok(None) };
    let Some(n) = newest_place(connection, number, kind)? else { return Ok(None) };
    Ok(records(connection, session, n - 1, Limit::of(1))?.pop())
}

/// The newest record that has a fact of that kind and those after it; all if none has.
pub(crate) fn since(
    connection: &Connection,
    session: &SessionId,
    kind: Kind,
    limit: Limit,
) -> Result<Vec<StoredRecord>, Trouble> {
    let Some(number) = heads::number(connection, session)? else { return Ok(Vec::new()) };
    let first = newest_place(connection, number, kind)?.unwrap_or(1);
    records(connection, session, first - 1, limit)
}

fn newest_place(connection: &Connection, number: i64, kind: Kind) -> Result<Option<u64>, Trouble> {
    let mut newest = connection.prepare_cached(NEWEST)?;
    Ok(newest.query_row(params![number, kind.bit()], |row| row.get(0)).optional()?)
}

/// Sessions in the order of their names.
pub(crate) fn sessions(
    connection: &Connection,
    after: Option<&SessionId>,
    limit: usize,
) -> Result<Vec<SessionInfo>, Trouble> {
    let mut statement = connection.prepare_cached(SESSIONS)?;
    // No session has an empty name that would be left out: the name of nothing sorts before all others.
    let after = after.map_or("", SessionId::as_str);
    let found = statement.query_map(params![after, limit], info)?.collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn info(row: &Row<'_>) -> rusqlite::Result<SessionInfo> {
    let id = row.get::<_, String>(0)?.into();
    Ok(SessionInfo { id, head: Head { n: row.get(1)?, seq: row.get(2)? }, at: row.get(3)? })
}

/// The record of a row of place and bytes, checked.
pub(crate) fn blob(row: &Row<'_>) -> Result<Blob, Trouble> {
    let bytes = row.get_ref(1)?.as_blob().map_err(|error| Trouble::Sqlite(error.into()))?;
    let blob = Blob::check(Bytes::copy_from_slice(bytes))?;
    if blob.n == row.get::<_, u64>(0)? { Ok(blob) } else { Err(Malformed::Place.into()) }
}

/// The whole record.
pub(crate) fn whole(connection: &Connection, blob: &Blob) -> Result<StoredRecord, Trouble> {
    let record = blob.record(&mut |hash| bodies::load(connection, hash))?;
    Ok(StoredRecord { n: blob.n, record })
}
