//! Long bodies: stored once by their hash, and put back when a record is read.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};

use super::explain::Trouble;
use crate::record::blob::{ApartBody, Hash, Malformed};

/// Stores the bodies of one record of a session.
pub(super) fn store(connection: &Connection, session: i64, apart: &[ApartBody]) -> rusqlite::Result<()> {
    for ApartBody { hash, body } in apart {
        connection
            .prepare_cached("INSERT OR IGNORE INTO bodies (hash, body) VALUES (?1, ?2)")?
            .execute(params![&hash[..], &body[..]])?;
        mark_used(connection, session, &[*hash])?;
    }
    Ok(())
}

/// A session needs these bodies.
pub(super) fn mark_used(connection: &Connection, session: i64, hashes: &[Hash]) -> rusqlite::Result<()> {
    for hash in hashes {
        connection
            .prepare_cached("INSERT OR IGNORE INTO uses (hash, session) VALUES (?1, ?2)")?
            .execute(params![&hash[..], session])?;
    }
    Ok(())
}

/// The body with that hash, if it is still what it was.
pub(super) fn load(connection: &Connection, hash: &Hash) -> Result<Bytes, Trouble> {
    let body: Option<Vec<u8>> = connection
        .prepare_cached("SELECT body FROM bodies WHERE hash = ?1")?
        .query_row([&hash[..]], |row| row.get(0))
        .optional()?;
    match body {
        Some(body) if <Hash>::from(Sha256::digest(&body)) == *hash => Ok(body.into()),
        _ => Err(Malformed::Body.into()),
    }
}

/// Removes what only this session uses.
pub(super) fn release(connection: &Connection, session: i64) -> rusqlite::Result<()> {
    connection.execute(
        "DELETE FROM bodies WHERE hash IN (SELECT hash FROM uses WHERE session = ?1)
         AND NOT EXISTS (SELECT 1 FROM uses WHERE uses.hash = bodies.hash AND uses.session <> ?1)",
        [session],
    )?;
    connection.execute("DELETE FROM uses WHERE session = ?1", [session])?;
    Ok(())
}
