//! A private directory for one look, which goes with it.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, symlink},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

/// No look takes so long: what is older was left by a program that was killed.
const LEFT: Duration = Duration::from_secs(60 * 60);

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// A directory that goes with its owner.
#[derive(Debug)]
pub(super) struct Place(PathBuf);

impl Place {
    /// A new one among the looks, whose directory is made if it is not there.
    pub(super) fn new(looks: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(looks)?;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let place = looks.join(format!("{}-{number}", process::id()));
            match directory(&place) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Self(place)),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Links go, and not what they lead to. What cannot be removed now is swept up later.
        let _later = fs::remove_dir_all(&self.0);
    }
}

/// Removes what killed programs left among the looks.
pub fn sweep(looks: &Path) -> io::Result<()> {
    let now = SystemTime::now();
    for left in fs::read_dir(looks)?.flatten() {
        let made = left.metadata().and_then(|found| found.modified());
        if made.is_ok_and(|made| now.duration_since(made).is_ok_and(|age| age > LEFT)) {
            // Somebody else may be sweeping too.
            let _gone = fs::remove_dir_all(left.path());
        }
    }
    Ok(())
}

/// Leads to what is there, if anything is.
pub(super) fn link(to: &Path, at: &Path) -> io::Result<()> {
    if to.symlink_metadata().is_ok() { symlink(to, at) } else { Ok(()) }
}

pub(super) fn directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?.write_all(bytes)
}
