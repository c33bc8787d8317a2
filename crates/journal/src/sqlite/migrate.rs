//! Brings an older file to this program's version: first a copy, then every step in one transaction.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::{
    backup,
    explain::explain,
    schema::{self, Schema},
};
use crate::error::OpenError;

/// Migrates if the file is older than `schema`.
pub(super) fn migrate(connection: &mut Connection, path: &Path, schema: &Schema) -> Result<(), OpenError> {
    let found = schema::version(connection).map_err(|error| explain(path, &error))?;
    if found >= schema.version {
        return Ok(());
    }
    let failed = |cause: String| OpenError::Migration { path: path.into(), from: found, cause };
    // Of several programs that begin at the same moment one does it, and the others wait for that.
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(|error| failed(error.to_string()))?;
    if schema::version(&transaction).map_err(|error| failed(error.to_string()))? != found {
        return Ok(());
    }
    // Another connection may read meanwhile, as it was.
    backup::replace(path, &copy_of(path, found)).map_err(|error| failed(error.to_string()))?;
    run_steps(&transaction, schema, found).map_err(|error| failed(error.to_string()))?;
    transaction.commit().map_err(|error| failed(error.to_string()))
}

/// Where the copy of a file of an older version lies: `journal.db.v1`.
pub(super) fn copy_of(path: &Path, version: i64) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".v{version}"));
    name.into()
}

fn run_steps(transaction: &Transaction<'_>, schema: &Schema, found: i64) -> rusqlite::Result<()> {
    let done = usize::try_from(found - 1).unwrap_or(0);
    for step in schema.steps.iter().skip(done) {
        step(transaction)?;
    }
    transaction.pragma_update(None, "user_version", schema.version)
}
