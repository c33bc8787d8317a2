//! What is nobody else's business: files that only their user may read, and that are whole or not there; secrets that are
//! compared.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
};

use uuid::Uuid;

/// Makes a directory for its user alone, or makes one that is there private.
pub fn directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

/// Writes a file beside its place and moves it there: nobody ever meets half of it, and it was never readable by others.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = path.with_extension(format!("{}.part", Uuid::now_v7().simple()));
    let written = write_part(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // It is of no use to anybody; if it cannot be removed, there is nothing better to do.
        let _removed = fs::remove_file(&part);
    }
    written
}

fn write_part(part: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(part)?;
    file.write_all(bytes)?;
    file.sync_data()
}

/// Whether two digests of secrets are the same, without a way out before the end: the time it takes says nothing.
#[must_use]
pub fn same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    let different = one.iter().zip(other).fold(0, |different, (one, other)| different | (one ^ other));
    std::hint::black_box(different) == 0
}

/// What is not there is gone already.
pub(crate) fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
