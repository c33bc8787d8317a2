//! A transaction that writes; the words that begin and end it are prepared once, as everything else that a commit says.

use std::ops::Deref;

use rusqlite::Connection;

/// Undone when it is dropped before its [`commit`](Self::commit).
pub(super) struct Transaction<'a> {
    connection: &'a Connection,
    open: bool,
}

impl<'a> Transaction<'a> {
    /// Begins one that nobody else can write beside. One connection has one at a time, which is why it is borrowed alone.
    pub(super) fn begin(connection: &'a mut Connection) -> rusqlite::Result<Self> {
        say(connection, "BEGIN IMMEDIATE")?;
        Ok(Self { connection, open: true })
    }

    pub(super) fn commit(mut self) -> rusqlite::Result<()> {
        say(self.connection, "COMMIT")?;
        self.open = false;
        Ok(())
    }
}

impl Deref for Transaction<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        // SQLite itself has ended it after some errors, such as a full disk.
        if self.open && !self.connection.is_autocommit() {
            let _ = say(self.connection, "ROLLBACK");
        }
    }
}

fn say(connection: &Connection, word: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(word)?.execute([]).map(drop)
}
