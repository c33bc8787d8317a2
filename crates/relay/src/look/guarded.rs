//! Files that somebody else wrote are read with care: they may be pipes that never end, devices, or without measure.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use rustix::fs::OFlags;

/// What a file holds; nothing if there is none.
pub(super) fn bytes(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = open(path, most)? else { return Ok(None) };
    let mut held = Vec::new();
    file.take(most).read_to_end(&mut held)?;
    Ok(Some(held))
}

/// A copy with the time of the original: git looks into a file that is not older than the index, because it may have changed
/// within the same second. A copy of an index that looked newer would hide that. Nothing is made if there is none.
pub(super) fn copy(from: &Path, to: &Path, most: u64) -> io::Result<()> {
    let Some(file) = open(from, most)? else { return Ok(()) };
    let written = file.metadata()?.modified()?;
    let mut copy = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    io::copy(&mut file.take(most), &mut copy)?;
    copy.set_modified(written)
}

fn open(path: &Path, most: u64) -> io::Result<Option<File>> {
    let checked = |found: &fs::Metadata| match (found.is_file(), found.len() <= most) {
        (true, true) => Ok(()),
        (true, false) => Err(io::Error::other(format!("{} is too large", path.display()))),
        (false, _) => Err(io::Error::other(format!("{} is no file", path.display()))),
    };
    match fs::metadata(path) {
        Ok(found) => checked(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    // It may have become a pipe meanwhile, and to open one can take for ever.
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    checked(&file.metadata()?)?;
    Ok(Some(file))
}
