//! The index tables: entries of sessions by table and key.

use bytes::Bytes;
use rusqlite::{Connection, Row, params};

use crate::index::{Entry, Found};

/// Applies the entries of one record of a session.
pub(super) fn apply(connection: &Connection, session: i64, entries: &[Entry]) -> rusqlite::Result<()> {
    for Entry { table, key, value } in entries {
        match value {
            Some(value) => connection
                .prepare_cached(
                    // What says the same again costs a look, and no page.
                    "INSERT INTO entries (tab, key, session, value) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO UPDATE SET value = excluded.value WHERE value <> excluded.value",
                )?
                .execute(params![table, key, session, &value[..]])?,
            None => connection
                .prepare_cached("DELETE FROM entries WHERE tab = ?1 AND key = ?2 AND session = ?3")?
                .execute(params![table, key, session])?,
        };
    }
    Ok(())
}

/// The entries with exactly this key.
pub(super) fn look_up(connection: &Connection, table: &str, key: &str) -> rusqlite::Result<Vec<Found>> {
    connection
        .prepare_cached(
            "SELECT key, name, value FROM entries JOIN sessions ON number = session
             WHERE tab = ?1 AND key = ?2 AND removed = 0 ORDER BY session",
        )?
        .query_map(params![table, key], found)?
        .collect()
}

/// The entries with any of these keys, in the order in which they are named.
pub(super) fn look_up_all(
    connection: &Connection,
    table: &str,
    keys: &[String],
) -> rusqlite::Result<Vec<Found>> {
    let mut found = Vec::with_capacity(keys.len());
    for key in keys {
        found.extend(look_up(connection, table, key)?);
    }
    Ok(found)
}

/// Entries in the order of their keys. All entries of the last key are there, so that the next page begins after it.
pub(super) fn list(
    connection: &Connection,
    table: &str,
    after: Option<&str>,
    limit: usize,
) -> rusqlite::Result<Vec<Found>> {
    let range = if after.is_some() { LIST_AFTER } else { LIST_ALL };
    let mut listed: Vec<Found> = connection
        .prepare_cached(range)?
        .query_map(params![table, after.unwrap_or_default(), limit], found)?
        .collect::<rusqlite::Result<_>>()?;
    if listed.len() == limit
        && let Some(last) = listed.last().map(|found| found.key.clone())
    {
        listed.retain(|found| found.key != last);
        listed.extend(look_up(connection, table, &last)?);
    }
    Ok(listed)
}

/// How many entries say the same.
pub(super) fn counts(connection: &Connection, table: &str) -> rusqlite::Result<Vec<(Bytes, u64)>> {
    connection
        .prepare_cached(
            "SELECT value, count(*) FROM entries JOIN sessions ON number = session
             WHERE tab = ?1 AND removed = 0 GROUP BY value ORDER BY value",
        )?
        .query_map([table], |row| Ok((row.get::<_, Vec<u8>>(0)?.into(), row.get(1)?)))?
        .collect()
}

const LIST_ALL: &str = "SELECT key, name, value FROM entries JOIN sessions ON number = session
    WHERE tab = ?1 AND key >= ?2 AND removed = 0 ORDER BY key, session LIMIT ?3";
const LIST_AFTER: &str = "SELECT key, name, value FROM entries JOIN sessions ON number = session
    WHERE tab = ?1 AND key > ?2 AND removed = 0 ORDER BY key, session LIMIT ?3";

fn found(row: &Row<'_>) -> rusqlite::Result<Found> {
    Ok(Found {
        key: row.get(0)?,
        session: row.get::<_, String>(1)?.into(),
        value: row.get::<_, Vec<u8>>(2)?.into(),
    })
}
