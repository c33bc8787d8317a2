//! Opens the file: looks before it touches, makes what is missing, and refuses what is not ours.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, config::DbConfig};

use super::{
    checkpoint::LONG,
    create,
    explain::{Trouble, explain},
    migrate,
    schema::{self, Schema},
};
use crate::{
    error::{OpenError, StoreError},
    index::Indexer,
    record::blob::Blob,
};

/// How long to wait for another process that writes; it commits within milliseconds.
pub(super) const BUSY: Duration = Duration::from_secs(10);
/// One page: no journal is shorter.
const SHORTEST: u64 = create::PAGE as u64;

/// What a committed record survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// The end of any process, also by `kill -9`.
    #[default]
    Process,
    /// The loss of power too: each commit is synchronised to the disk.
    Full,
}

/// Which file, and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// The file; two more of the same name with endings lie beside it.
    pub path: PathBuf,
    /// What a committed record survives.
    pub durability: Durability,
    /// Makes the index entries of a record.
    pub indexer: Indexer,
    /// The file is not to grow beyond this; reaching it is like a full disk.
    pub max_bytes: Option<u64>,
}

impl Options {
    /// A journal in that file, without an index.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            durability: Durability::default(),
            indexer: Indexer::none(),
            max_bytes: None,
        }
    }

    /// With an index.
    #[must_use]
    pub fn indexer(mut self, indexer: Indexer) -> Self {
        self.indexer = indexer;
        self
    }

    /// With another durability.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }
}

/// The writer's connection to a file of the version of `schema`.
pub(super) fn open(options: &Options, schema: &Schema) -> Result<Connection, OpenError> {
    let path = &options.path;
    let failed = |error: rusqlite::Error| OpenError::from(explain(path, &error));
    if !exists(path)? {
        create::create(path)?;
    }
    look(path, schema)?;
    let mut connection = connect(path).map_err(failed)?;
    tune_writer(&connection, options).map_err(failed)?;
    migrate::migrate(&mut connection, path, schema)?;
    Ok(connection)
}

/// Does something that waits only so long for another process that writes.
pub(super) fn with_patience<T>(
    connection: &mut Connection,
    patience: Duration,
    work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    connection.busy_timeout(patience)?;
    let done = work(connection);
    connection.busy_timeout(BUSY)?;
    done
}

/// A connection that only reads.
pub(super) fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    let connection = connect(path)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// Any other connection to a file that was opened before.
pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(32);
    // Else SQLite may plan a statement anew for each value that it is asked with: that was two fifths of reading a session.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // Checkpoints have a thread of their own: whoever commits does not pay for them.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    Ok(connection)
}

fn tune_writer(connection: &Connection, options: &Options) -> rusqlite::Result<()> {
    let synchronous = match options.durability {
        Durability::Process => "NORMAL",
        Durability::Full => "FULL",
    };
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update(None, "cache_size", -8192)?;
    connection.pragma_update_and_check(None, "journal_size_limit", 2 * LONG, |_| Ok(()))?;
    if let Some(bytes) = options.max_bytes {
        let page: u64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        connection.pragma_update_and_check(None, "max_page_count", bytes / page.max(1), |_| Ok(()))?;
    }
    Ok(())
}

fn exists(path: &Path) -> Result<bool, StoreError> {
    path.try_exists()
        .map_err(|error| StoreError::Failed { place: path.display().to_string(), cause: error.to_string() })
}

/// Looks at a file without touching it: is it a journal, of a version we know, and whole as far as one can see?
fn look(path: &Path, schema: &Schema) -> Result<(), OpenError> {
    let (connection, seen) = identify(path, schema, Use::Shared)?;
    if seen.version == schema::CURRENT.version {
        check_newest(&connection).map_err(|trouble| trouble.at(path))?;
    }
    Ok(())
}

/// A connection that cannot write to a file that is a journal, of a version we know.
pub(super) fn identify(path: &Path, schema: &Schema, by: Use) -> Result<(Connection, Seen), OpenError> {
    // SQLite would take a file of less than a page for an empty one. It is not opened for this: to close it again would
    // take away the locks that this program's own connections have on it.
    if !fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() >= SHORTEST) {
        let what = "it is too short to be a journal".into();
        return Err(StoreError::Damaged { place: path.display().to_string(), what }.into());
    }
    let (connection, seen) = look_inside(path, by).map_err(|error| explain(path, &error))?;
    match seen {
        Seen { application, .. } if application != schema::APPLICATION_ID => {
            Err(OpenError::Foreign { path: path.into() })
        }
        Seen { version, .. } if version > schema.version => {
            Err(OpenError::Newer { path: path.into(), found: version, known: schema.version })
        }
        Seen { .. } => Ok((connection, seen)),
    }
}

/// What a file says of itself.
pub(super) struct Seen {
    application: i64,
    pub(super) version: i64,
}

/// Who uses a file while it is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Maybe others: SQLite puts the files beside it that connections share.
    Shared,
    /// Nobody: not even those are made.
    Nobody,
}

fn look_inside(path: &Path, by: Use) -> rusqlite::Result<(Connection, Seen)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match by {
        Use::Shared => Connection::open_with_flags(path, flags)?,
        Use::Nobody => Connection::open_with_flags(immutable(path), flags | OpenFlags::SQLITE_OPEN_URI)?,
    };
    connection.busy_timeout(BUSY)?;
    let seen =
        Seen { application: schema::application(&connection)?, version: schema::version(&connection)? };
    Ok((connection, seen))
}

/// The address under which SQLite believes that nobody changes the file.
fn immutable(path: &Path) -> String {
    let path = path.as_os_str().as_encoded_bytes().iter().map(|byte| match byte {
        b'/' | b'.' | b'-' | b'_' => char::from(*byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(*byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    format!("file:{}?immutable=1", path.collect::<String>())
}

pub(super) const NEWEST_RECORD: &str = "SELECT record FROM log WHERE record <> x'' ORDER BY id DESC LIMIT 1";

/// The newest record is the likeliest to have suffered.
fn check_newest(connection: &Connection) -> Result<(), Trouble> {
    let newest: Option<Vec<u8>> = connection.query_row(NEWEST_RECORD, [], |row| row.get(0)).optional()?;
    if let Some(record) = newest {
        Blob::check(record.into())?;
    }
    Ok(())
}
