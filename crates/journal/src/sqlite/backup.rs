//! A copy of the whole journal, as of one moment, in a new file.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use super::{create, explain::explain, open};
use crate::error::StoreError;

/// Copies into a file that does not exist yet.
pub(super) fn create(journal: &Path, file: &Path) -> Result<(), StoreError> {
    let exists = || StoreError::Exists { path: file.into() };
    if file.exists() {
        return Err(exists());
    }
    let partial = copy(journal, file)?;
    // A link, unlike a rename, does not replace what came there meanwhile.
    let linked = fs::hard_link(&partial, file);
    let removed = fs::remove_file(&partial);
    match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists()),
        linked => linked.and(removed).map_err(|error| failed(file, &error)),
    }
}

/// Copies over what may be there.
pub(super) fn replace(journal: &Path, file: &Path) -> Result<(), StoreError> {
    let partial = copy(journal, file)?;
    fs::rename(&partial, file).map_err(|error| failed(file, &error))
}

/// Copies beside the wanted file, whole and synchronised to the disk: half a backup never has the name of one.
fn copy(journal: &Path, file: &Path) -> Result<PathBuf, StoreError> {
    let mut name = OsString::from(file);
    name.push(".partial");
    let partial = PathBuf::from(name);
    match fs::remove_file(&partial) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&partial, &error)),
        _ => {}
    }
    // SQLite takes an empty file as it is, and what is in it is for its user's eyes only.
    create::create_private(&partial).map_err(|error| failed(&partial, &error))?;
    let text = partial.to_str().ok_or_else(|| failed(&partial, &io::ErrorKind::InvalidFilename.into()))?;
    let copied = open::connect(journal).and_then(|connection| connection.execute("VACUUM INTO ?1", [text]));
    if let Err(error) = copied {
        // What is left of it is of no use to anybody.
        let _ = fs::remove_file(&partial);
        return Err(explain(journal, &error));
    }
    File::open(&partial).and_then(|file| file.sync_all()).map_err(|error| failed(&partial, &error))?;
    Ok(partial)
}

fn failed(file: &Path, error: &io::Error) -> StoreError {
    match error.kind() {
        io::ErrorKind::StorageFull => StoreError::StorageFull { place: file.display().to_string() },
        _ => StoreError::Failed { place: file.display().to_string(), cause: error.to_string() },
    }
}
