//! How the journal lies on disk.
//!
//! One log in the order of commits, with an index by session number: rows keyed by the session's name scatter over
//! the file as soon as several sessions are at work.

use rusqlite::{Connection, Transaction};

/// "slvg" in the file's header: this is a journal and not somebody else's database.
pub(super) const APPLICATION_ID: i64 = 0x736c_7667;

/// A version of the file and how to come to it from the one before.
pub(super) struct Schema {
    /// The version.
    pub(super) version: i64,
    /// Step 0 leads from version 1 to 2, and so on.
    pub(super) steps: &'static [Step],
}

/// Changes a file from one version to the next, inside the migration's transaction.
pub(super) type Step = fn(&Transaction<'_>) -> rusqlite::Result<()>;

/// What this program reads and writes.
pub(super) const CURRENT: Schema = Schema { version: 2, steps: &[claims] };

/// 2: sessions can be claimed for a slip.
fn claims(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch("ALTER TABLE sessions ADD COLUMN slip INTEGER")
}

/// `log` is the truth; everything else can be made from it.
///
/// - `log.id` only grows, also when sessions are removed. `by_session` also carries what is asked without reading a
///   record: where an event lies (`last_seq`), where the newest fact of a kind lies (`kinds`, one bit each).
///   `by_mark` has the records with a fact of one of the highest kinds, for a feed that wants only those.
/// - `sessions.number` is never used twice: a reader that holds one cannot come into another session.
///   A removed session is invisible at once and its rows are deleted in small steps. `sessions.slip` is the [slip](super::slip)
///   that has newer records of it.
/// - `entries` is the index; `uses` says which session needs which of the `bodies`.
const TABLES: &str = "
CREATE TABLE log (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, n INTEGER NOT NULL, last_seq INTEGER NOT NULL,
    kinds INTEGER NOT NULL, at INTEGER NOT NULL, record BLOB NOT NULL
) STRICT;
CREATE INDEX by_session ON log (session, n, last_seq, kinds);
CREATE INDEX by_mark ON log (id, kinds) WHERE kinds >= 0x1000000000000;
CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, removed INTEGER NOT NULL DEFAULT 0, slip INTEGER
) STRICT;
CREATE UNIQUE INDEX by_name ON sessions (name) WHERE removed = 0;
CREATE INDEX removed ON sessions (number) WHERE removed = 1;
CREATE TABLE bodies (hash BLOB PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE uses (hash BLOB NOT NULL, session INTEGER NOT NULL, PRIMARY KEY (hash, session)) STRICT, WITHOUT ROWID;
CREATE INDEX uses_by_session ON uses (session);
CREATE TABLE entries (
    tab TEXT NOT NULL, key TEXT NOT NULL, session INTEGER NOT NULL, value BLOB NOT NULL,
    PRIMARY KEY (tab, key, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_by_session ON entries (session);
CREATE TABLE settings (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
";

/// Makes the tables of this program's version.
pub(super) fn create(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", CURRENT.version)
}

/// The version a file says it has; 0 is an empty one.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// What a file says it is.
pub(super) fn application(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "application_id", |row| row.get(0))
}
