//! What a program left on its slip when it died.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::PathBuf,
};

use rusqlite::Connection;

use super::{frame, frame::Frame, free};
use crate::sqlite::{append::Ready, heads, room, transaction::Transaction};

/// The slip of a program that has died; it is locked, so that one alone carries it over.
#[derive(Debug)]
pub(in crate::sqlite) struct Left {
    id: i64,
    path: PathBuf,
    records: Vec<Frame>,
    /// Nothing if the slip is gone: then all of it was carried over.
    _locked: Option<File>,
}

impl Left {
    /// The slip of that number; nothing while its program lives, and where nobody can say.
    pub(super) fn open(path: PathBuf, id: i64) -> Option<Self> {
        let mut file = match File::options().read(true).write(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Some(Self { id, path, records: Vec::new(), _locked: None });
            }
            Err(_) => return None,
        };
        file.try_lock().ok()?;
        let mut slip = Vec::new();
        file.read_to_end(&mut slip).ok()?;
        Some(Self { id, path, records: frame::read(slip.into()), _locked: Some(file) })
    }

    /// Puts all of it into the log, and throws the slip away. Where the file may not grow it may for this: it was shown already.
    pub(in crate::sqlite) fn end(self, connection: &mut Connection) -> rusqlite::Result<()> {
        room::beyond_the_limit(
            connection,
            |connection| connection,
            |connection| {
                let transaction = Transaction::begin(connection)?;
                self.carry_over(&transaction)?;
                transaction.commit()
            },
        )?;
        // Whoever meets it again finds nothing new on it.
        let _removed = fs::remove_file(&self.path);
        Ok(())
    }

    /// Puts into the log what is not there yet, and gives the sessions free.
    pub(in crate::sqlite) fn carry_over(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        for Frame { session, blob } in &self.records {
            // One that was removed, or that went on without this slip, has nothing on it that the log has not.
            let Some((name, place)) = heads::named(transaction, *session)? else { continue };
            if place.slip != Some(self.id) {
                continue;
            }
            // A record that is not the next was carried over before.
            if let Some(ready) = Ready::jotted(name, blob.clone())
                && let Ok(head) = ready.head_after(place.head)
            {
                ready.insert(transaction, place.number, head)?;
            }
        }
        free(transaction, self.id).map(drop)
    }
}
