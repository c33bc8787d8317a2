//! Removes sessions: invisible at once, their rows in small steps, so that nobody who appends waits for it.

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use super::{
    bodies,
    desk::{Claim, Desk},
    heads,
    transaction::Transaction,
};
use crate::record::SessionId;

/// Rows deleted between two commits.
const STEP: usize = 500;

/// `sessions.removed`: visible · its rows are being deleted · only the log's newest row is left of it.
const REMOVED: i64 = 1;
const LAST_ROW_LEFT: i64 = 2;

/// Makes a session invisible; whether there was one to remove. With `only_at` it has to end there, for all that is known: who has
/// claimed it for a slip may be further.
pub(super) fn remove(
    connection: &mut Connection,
    session: &SessionId,
    only_at: Option<u64>,
    desk: &Desk,
) -> rusqlite::Result<bool> {
    let transaction = Transaction::begin(connection)?;
    let Some(mut place) = heads::place(&transaction, session)? else { return Ok(false) };
    if let Some(n) = only_at {
        let claim = desk.settle(&transaction, place.slip)?;
        if claim == Claim::TakenOver {
            place = heads::place(&transaction, session)?.unwrap_or(place);
        }
        let head = desk.ahead(session).unwrap_or(place.head);
        if claim == Claim::Held || head.n != n {
            // What was taken over is in the log, and stays there.
            transaction.commit()?;
            return Ok(false);
        }
    }
    transaction.execute("DELETE FROM entries WHERE session = ?1", [place.number])?;
    transaction.execute(
        "UPDATE sessions SET removed = ?2 WHERE number = ?1 OR removed = ?3",
        params![place.number, REMOVED, LAST_ROW_LEFT],
    )?;
    transaction.commit()?;
    Ok(true)
}

/// Whether removed sessions have rows left.
pub(super) fn has_leftovers(connection: &Connection) -> rusqlite::Result<bool> {
    connection
        .query_row("SELECT EXISTS (SELECT 1 FROM sessions WHERE removed = ?1)", [REMOVED], |row| row.get(0))
}

/// Deletes some rows of a removed session; true while there may be more.
pub(super) fn sweep(connection: &mut Connection) -> rusqlite::Result<bool> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let number: Option<i64> = transaction
        .query_row("SELECT number FROM sessions WHERE removed = ?1 LIMIT 1", [REMOVED], |row| row.get(0))
        .optional()?;
    let Some(number) = number else { return Ok(false) };
    // The newest row of the log stays, emptied, until there is a newer one: ids only grow.
    let deleted = transaction.execute(
        "DELETE FROM log WHERE id IN
         (SELECT id FROM log WHERE session = ?1 AND id < (SELECT max(id) FROM log) LIMIT ?2)",
        params![number, STEP],
    )?;
    if deleted < STEP {
        finish(&transaction, number)?;
    }
    transaction.commit()?;
    Ok(true)
}

fn finish(connection: &Connection, number: i64) -> rusqlite::Result<()> {
    bodies::release(connection, number)?;
    let last = connection.execute("UPDATE log SET record = x'' WHERE session = ?1", [number])?;
    if last == 0 {
        connection.execute("DELETE FROM sessions WHERE number = ?1", [number])?;
    } else {
        connection
            .execute("UPDATE sessions SET removed = ?2 WHERE number = ?1", params![number, LAST_ROW_LEFT])?;
    }
    Ok(())
}
