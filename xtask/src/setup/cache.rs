//! The cache outside the tree: one directory per pinned package, complete or not there at all.
//!
//! A package is installed in a directory of its own beside its final place and moved there when it is complete. So a
//! set-up that was killed leaves nothing that could be taken for an install, and an npm that outlived it writes where
//! nobody reads.

use std::env::consts::{ARCH, OS};
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use super::catalog::Package;
use super::unpinned;
use crate::failure::Failure;

/// The files that pin a package, copied to where it is installed.
pub(super) const PINS: [&str; 2] = ["package.json", "package-lock.json"];

/// Written last: an install without it is none.
const STAMP: &str = "selvedge-complete";

/// One package's place in the cache, ours alone while this lives.
#[derive(Debug)]
pub(super) struct Slot {
    directory: PathBuf,
    /// Dropped, and so unlocked, when the slot is.
    _lock: File,
}

impl Slot {
    /// The slot of a package; waits while another set-up has it.
    pub(super) fn take(package: &Package) -> Result<Self, Failure> {
        Self::take_in(&root(|name| std::env::var_os(name))?, package)
    }

    fn take_in(root: &Path, package: &Package) -> Result<Self, Failure> {
        fs::create_dir_all(root).map_err(Failure::file("create", root))?;
        let directory = root.join(directory_name(package)?);
        let lock_path = directory.with_added_extension("lock");
        let lock = File::create(&lock_path).map_err(Failure::file("create", &lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                eprintln!("   {}: waiting for another set-up", package.title());
                lock.lock().map_err(Failure::file("lock", &lock_path))?;
            }
            Err(TryLockError::Error(error)) => return Err(Failure::file("lock", &lock_path)(error)),
        }
        Ok(Self { directory, _lock: lock })
    }

    /// The installed directory, if a set-up has completed it.
    pub(super) fn complete(&self) -> Option<&Path> {
        self.directory.join(STAMP).is_file().then_some(self.directory.as_path())
    }

    /// An empty directory to install in; what a killed set-up left is removed.
    pub(super) fn staging(&self) -> Result<PathBuf, Failure> {
        self.sweep();
        let staging = self.directory.with_added_extension(format!("partial-{}", std::process::id()));
        fs::create_dir_all(&staging).map_err(Failure::file("create", &staging))?;
        Ok(staging)
    }

    /// Stamps what was installed in `staging` and moves it to its place.
    pub(super) fn commit(&self, staging: &Path) -> Result<&Path, Failure> {
        let stamp = staging.join(STAMP);
        fs::write(&stamp, "").map_err(Failure::file("write", &stamp))?;
        if self.directory.exists() {
            fs::remove_dir_all(&self.directory).map_err(Failure::file("remove", &self.directory))?;
        }
        fs::rename(staging, &self.directory).map_err(Failure::file("move to", &self.directory))?;
        Ok(&self.directory)
    }

    /// Removes the staging directories of set-ups that did not end. The lock is ours, so none is in use; an npm that
    /// outlived its set-up may still write, and what it leaves goes next time.
    fn sweep(&self) {
        let (Some(parent), Some(name)) = (self.directory.parent(), self.directory.file_name()) else {
            return;
        };
        let prefix = format!("{}.partial-", name.to_string_lossy());
        let entries = fs::read_dir(parent).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// `$SELVEDGE_CACHE`, else `$XDG_CACHE_HOME/selvedge`, else `~/.cache/selvedge`.
fn root(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, Failure> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let root = set("SELVEDGE_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|cache| cache.join("selvedge")))
        .or_else(|| set("HOME").map(|home| home.join(".cache/selvedge")))
        .ok_or_else(|| {
            Failure::new("there is no place for the cache").hint("set SELVEDGE_CACHE to a directory")
        })?;
    std::path::absolute(&root).map_err(Failure::file("find", &root))
}

/// Version, platform and a hash of the pins: another lock file is another directory, so branches do not fight.
fn directory_name(package: &Package) -> Result<String, Failure> {
    if !unpinned::is_pinned(package) {
        return Ok(format!("{}-{}-{OS}-{ARCH}-unpinned", package.name, package.version));
    }
    // Not promised to be the same in every Rust release. Then a package is installed once more, no harm done.
    let mut hasher = DefaultHasher::new();
    for pin in PINS {
        let path = package.source().join(pin);
        hasher.write(&fs::read(&path).map_err(Failure::file("read", &path))?);
    }
    Ok(format!("{}-{}-{OS}-{ARCH}-{:016x}", package.name, package.version, hasher.finish()))
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
