//! Where the slips of a journal lie, and whose they are.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

use rusqlite::Connection;

use super::left::Left;
use crate::sqlite::explain::{is_busy, is_full};

/// The slips beside a journal: `journal.db-slip-7`.
#[derive(Debug, Clone)]
pub(in crate::sqlite) struct Slips {
    journal: PathBuf,
}

impl Slips {
    /// By whatever path the journal was opened, these are the same files.
    pub(in crate::sqlite) fn beside(journal: &Path) -> Self {
        Self { journal: journal.canonicalize().unwrap_or_else(|_| journal.into()) }
    }

    pub(super) fn place(&self, id: i64) -> PathBuf {
        let mut name = self.stem();
        name.push(id.to_string());
        self.journal.with_file_name(name)
    }

    /// The slip of that number, if whoever took it has died.
    pub(in crate::sqlite) fn left_by(&self, id: i64) -> Option<Left> {
        Left::open(self.place(id), id)
    }

    /// Carries over what programs that have died left, and throws their slips away; whether there was room and time for all of it.
    pub(in crate::sqlite) fn carry_all_left(&self, connection: &mut Connection) -> rusqlite::Result<bool> {
        let mut all = true;
        for left in self.all_left() {
            match left.end(connection) {
                // What lies on a slip is as durable there.
                Err(error) if is_busy(&error) || is_full(&error) => all = false,
                ended => ended?,
            }
        }
        Ok(all)
    }

    fn all_left(&self) -> Vec<Left> {
        let folder = self.journal.parent().filter(|folder| !folder.as_os_str().is_empty());
        let Ok(files) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return Vec::new() };
        let stem = self.stem();
        let numbered = |name: &OsStr| name.to_str()?.strip_prefix(stem.to_str()?)?.parse().ok();
        let left = files.filter_map(|file| {
            let file = file.ok()?;
            Left::open(file.path(), numbered(&file.file_name())?)
        });
        left.collect()
    }

    /// What stands before the number in the name of a slip.
    fn stem(&self) -> OsString {
        let mut name = self.journal.file_name().map(OsString::from).unwrap_or_default();
        name.push("-slip-");
        name
    }
}
