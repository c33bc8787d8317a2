//! Looks at every part of a file and says what is damaged and where; changes nothing.

use std::{ffi::OsString, fmt, path::Path};

use rusqlite::Connection;

use super::{
    explain::Trouble,
    open::{self, Use},
    schema,
};
use crate::{error::OpenError, record::SessionId};

mod records;

/// So much damage is named; the rest is counted.
const NAMED: usize = 100;

/// What a check is looking at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The file as a database.
    Structure,
    /// Each record, with its long bodies.
    Records,
}

/// How far a check has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What it is looking at.
    pub stage: Stage,
    /// So many are done.
    pub done: u64,
    /// Of so many.
    pub of: u64,
}

/// Something that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// In which session, if it is known.
    pub session: Option<SessionId>,
    /// At which record of it.
    pub n: Option<u64>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.session, self.n) {
            (Some(session), Some(n)) => write!(out, "session {session}, record {n}: {}", self.what),
            (Some(session), None) => write!(out, "session {session}: {}", self.what),
            (None, _) => out.write_str(&self.what),
        }
    }
}

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Sessions that were looked at.
    pub sessions: u64,
    /// Records that were looked at.
    pub records: u64,
    /// What is damaged: the first hundred.
    pub damage: Vec<Damage>,
    /// How much more is.
    pub more: u64,
}

impl Report {
    /// Whether everything is as it was written.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.damage.is_empty()
    }

    fn add(&mut self, damage: Damage) {
        if self.damage.len() < NAMED {
            self.damage.push(damage);
        } else {
            self.more += 1;
        }
    }

    fn add_to_file(&mut self, what: String) {
        self.add(Damage { session: None, n: None, what });
    }
}

/// Checks a file that may be in use, through a connection that cannot write.
pub(super) fn check(path: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Report, OpenError> {
    if !is_used(path) {
        let report = check_as(path, Use::Nobody, progress);
        if !is_used(path) {
            return report;
        }
    }
    check_as(path, Use::Shared, progress)
}

/// Whether a process uses the file, or died while it did.
fn is_used(path: &Path) -> bool {
    let mut log = OsString::from(path);
    log.push("-wal");
    Path::new(&log).exists()
}

fn check_as(path: &Path, by: Use, progress: &mut dyn FnMut(Progress)) -> Result<Report, OpenError> {
    let (connection, seen) = open::identify(path, &schema::CURRENT, by)?;
    let mut report = Report::default();
    progress(Progress { stage: Stage::Structure, done: 0, of: 1 });
    check_structure(&connection, &mut report);
    progress(Progress { stage: Stage::Structure, done: 1, of: 1 });
    // How an older file's records lie is the business of its migration.
    if seen.version == schema::CURRENT.version {
        records::check(&connection, &mut report, progress);
    }
    Ok(report)
}

/// What SQLite finds: pages, trees, indexes, types.
fn check_structure(connection: &Connection, report: &mut Report) {
    let found = || -> rusqlite::Result<Vec<String>> {
        connection.prepare("PRAGMA integrity_check(100)")?.query_map([], |row| row.get(0))?.collect()
    };
    match found() {
        Ok(lines) => lines.into_iter().filter(|line| line != "ok").for_each(|line| report.add_to_file(line)),
        Err(error) => report.add_to_file(Trouble::Sqlite(error).to_string()),
    }
}
