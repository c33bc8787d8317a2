//! Makes everything that is not the log from the log: names, the index, who uses which body.

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::{bodies, explain::Trouble, index, reader::query};
use crate::{
    index::Indexer,
    record::{SessionId, blob::Hash},
};

const INDEX_VERSION: &str = "index_version";

/// Rebuilds if the index was made by another version of the indexer.
pub(super) fn rebuild_if_other(connection: &mut Connection, indexer: &Indexer) -> Result<(), Trouble> {
    let made_by: Option<u32> = connection
        .query_row("SELECT value FROM settings WHERE name = ?1", [INDEX_VERSION], |row| row.get(0))
        .optional()?;
    if made_by != Some(indexer.version()) {
        rebuild(connection, indexer)?;
    }
    Ok(())
}

/// Throws the index away and makes it again, in one transaction; how many records it read.
pub(super) fn rebuild(connection: &mut Connection, indexer: &Indexer) -> Result<u64, Trouble> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    name_sessions(&transaction)?;
    transaction.execute_batch("DELETE FROM entries; DELETE FROM uses;")?;
    let records = index_all(&transaction, indexer)?;
    transaction.execute(
        "INSERT OR REPLACE INTO settings (name, value) VALUES (?1, ?2)",
        params![INDEX_VERSION, indexer.version()],
    )?;
    transaction.commit()?;
    Ok(records)
}

/// The first record of a session says its name.
fn name_sessions(transaction: &Transaction<'_>) -> Result<(), Trouble> {
    let mut nameless = transaction.prepare(
        "SELECT n, record, session FROM log WHERE n = 1 AND record <> x''
         AND session NOT IN (SELECT number FROM sessions)",
    )?;
    let mut rows = nameless.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(name) = query::blob(row)?.name() {
            let number: i64 = row.get(2)?;
            transaction
                .execute("INSERT INTO sessions (number, name) VALUES (?1, ?2)", params![number, name])?;
        }
    }
    Ok(())
}

fn index_all(transaction: &Transaction<'_>, indexer: &Indexer) -> Result<u64, Trouble> {
    let mut statement = transaction.prepare(
        "SELECT n, record, session, name FROM log JOIN sessions ON number = session
         WHERE removed = 0 ORDER BY id",
    )?;
    let mut rows = statement.query([])?;
    let mut records = 0;
    while let Some(row) = rows.next()? {
        let session = row.get(2)?;
        let name = SessionId::from(row.get::<_, String>(3)?);
        let mut used: Vec<Hash> = Vec::new();
        let record = query::blob(row)?.record(&mut |hash| {
            used.push(*hash);
            bodies::load(transaction, hash)
        })?;
        index::apply(transaction, session, &indexer.entries(&name, &record))?;
        bodies::mark_used(transaction, session, &used)?;
        records += 1;
    }
    Ok(records)
}
