//! Which repository a directory is in, found as git finds it, but without asking git.

use std::{
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::guarded;

/// A path in a file is not longer.
const LONGEST_PATH: u64 = 16 << 10;

/// A repository, where its parts lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The directory that is worked in; a bare repository has none.
    pub top: Option<PathBuf>,
    /// What this working directory has of its own: `HEAD`, the index.
    pub own: PathBuf,
    /// What it shares with its other worktrees: objects, branches, the configuration.
    pub common: PathBuf,
}

impl Repository {
    /// The one around a directory; nothing if it is in none.
    pub fn around(directory: &Path) -> io::Result<Option<Self>> {
        let directory = directory.canonicalize()?;
        for place in directory.ancestors() {
            if let Some(found) = Self::at(place)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn at(place: &Path) -> io::Result<Option<Self>> {
        let git = place.join(".git");
        if git.is_file() {
            let told = guarded::bytes(&git, LONGEST_PATH)?.unwrap_or_default();
            let own = told.strip_prefix(b"gitdir:").map(|path| place.join(path_in(path)));
            let found = own.map(|own| Self::of(&own, Some(place))).transpose()?.flatten();
            let lost = || io::Error::other(format!("{} leads to no repository", git.display()));
            return found.map(Some).ok_or_else(lost);
        }
        match Self::of(&git, Some(place))? {
            None => Self::of(place, None),
            found => Ok(found),
        }
    }

    /// Whatever looks like one; `objects` and `refs` tell.
    fn of(own: &Path, top: Option<&Path>) -> io::Result<Option<Self>> {
        if !own.join("HEAD").is_file() {
            return Ok(None);
        }
        let shared = guarded::bytes(&own.join("commondir"), LONGEST_PATH)?;
        let common = shared.map_or_else(|| own.to_owned(), |path| own.join(path_in(&path)));
        if !common.join("objects").is_dir() || !common.join("refs").is_dir() {
            return Ok(None);
        }
        let (own, common) = (own.canonicalize()?, common.canonicalize()?);
        Ok(Some(Self { top: top.map(Path::to_owned), own, common }))
    }

    /// Whether it is a worktree that was added to a repository.
    #[must_use]
    pub fn is_linked(&self) -> bool {
        self.own != self.common
    }
}

/// The path that a line says.
fn path_in(line: &[u8]) -> &Path {
    let line = line.trim_ascii_start();
    let end = line.iter().rposition(|byte| !b"\r\n".contains(byte)).map_or(0, |last| last + 1);
    Path::new(OsStr::from_bytes(&line[..end]))
}
