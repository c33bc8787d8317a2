//! Directories of this program's own, where all programs have theirs: they go with it, and if it was killed, with the next.

mod leftovers;
mod removal;

use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The file by which a directory is known as one of ours. Whoever uses the directory holds a lock on it, which no killed program does.
const OWNER: &str = "owner";
/// What stands in it once it is locked: a directory that is only being made has none of it, and a user's file says something else.
const MARK: &str =
    "This directory belongs to a program that uses selvedge-agent, and goes when nobody holds this file.\n";

/// What a directory is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Copies that a model works on.
    Workspace,
    /// The journal of a Codex that was given no directory.
    Journal,
}

impl Kind {
    /// What its name begins with.
    fn prefix(self) -> &'static str {
        match self {
            Self::Workspace => "selvedge-workspace-",
            Self::Journal => "selvedge-agent-",
        }
    }

    /// What the directory within it is called that is used: beside it lies what nobody is to see.
    fn inner(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Journal => "data",
        }
    }
}

/// A directory that only this user can look into. It goes when it is dropped.
#[derive(Debug)]
pub(crate) struct Private {
    outer: PathBuf,
    inner: PathBuf,
    /// For as long as it lives nobody else takes it for a leftover.
    _held: File,
    removed: bool,
}

impl Private {
    /// Makes one in this directory, under its real path. What killed programs left of the same kind there goes, the first time that this program makes one there.
    pub(crate) fn make(kind: Kind, below: &Path) -> io::Result<Self> {
        let below = below.canonicalize()?;
        leftovers::sweep_once(kind, &below);
        let only_ours = Permissions::from_mode(0o700);
        let outer =
            tempfile::Builder::new().prefix(kind.prefix()).permissions(only_ours).tempdir_in(&below)?;
        let held = hold(outer.path())?;
        let inner = outer.path().join(kind.inner());
        DirBuilder::new().mode(0o700).create(&inner)?;
        Ok(Self { inner, outer: outer.keep(), _held: held, removed: false })
    }

    /// Where there is nothing yet.
    pub(crate) fn path(&self) -> &Path {
        &self.inner
    }

    /// Removes it with all that is in it, and tells what went wrong.
    pub(crate) fn remove(mut self) -> io::Result<()> {
        self.removed = true;
        both(&self.outer, &self.inner)
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        if !self.removed {
            // Whoever wants to know calls `remove`; the next program tries again.
            let _stays = both(&self.outer, &self.inner);
        }
    }
}

/// The inner one first: as long as anything is left, it is known whose it was.
fn both(outer: &Path, inner: &Path) -> io::Result<()> {
    removal::remove(inner)?;
    removal::remove(outer)
}

fn hold(directory: &Path) -> io::Result<File> {
    let mut owner = File::options().write(true).create_new(true).mode(0o600).open(directory.join(OWNER))?;
    // Where nothing can be locked there is no mark either, and so nobody who takes it for a leftover.
    if owner.lock().is_ok() {
        owner.write_all(MARK.as_bytes())?;
    }
    Ok(owner)
}

#[cfg(test)]
mod tests;
