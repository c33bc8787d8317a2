//! A directory that is open: what lies beneath is reached name by name, and never through a link.
//!
//! A path that was looked at may lead elsewhere a moment later, because a model's commands, too, make links. A name in a directory that is held open cannot: it is opened
//! with the system's word that it is no link, or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use rustix::fs::{self, AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

/// Opened as what it is and nothing else; a pipe that nobody writes to keeps nobody waiting.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);
const ENTER: OFlags = OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
const CREATE: OFlags =
    OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// What tells one file from another.
pub(crate) type FileId = (u64, u64);

/// Which file it is.
#[allow(
    clippy::unnecessary_cast,
    clippy::cast_lossless,
    reason = "the types of these fields differ between systems"
)]
pub(crate) fn id(stat: &Stat) -> FileId {
    (stat.st_dev as u64, stat.st_ino as u64)
}

/// Why something cannot be reached.
#[derive(Debug)]
pub(crate) enum Obstacle {
    Missing,
    Link,
    /// It is something else than this.
    Kind(&'static str),
    Io(io::Error),
}

impl From<Errno> for Obstacle {
    fn from(error: Errno) -> Self {
        match error {
            Errno::NOENT => Self::Missing,
            Errno::LOOP => Self::Link,
            Errno::NOTDIR => Self::Kind("directory"),
            other => Self::Io(other.into()),
        }
    }
}

/// A directory that is open.
#[derive(Debug)]
pub(crate) struct Beneath(OwnedFd);

impl Beneath {
    /// The directory at a path that is trusted: links in it are followed.
    pub(crate) fn open(path: &Path) -> Result<Self, Obstacle> {
        Ok(Self(fs::openat(CWD, path, ENTER.difference(OFlags::NOFOLLOW), Mode::empty())?))
    }

    /// A directory in it.
    pub(crate) fn enter(&self, name: impl AsRef<OsStr>) -> Result<Self, Obstacle> {
        let name = name.as_ref();
        fs::openat(&self.0, name, ENTER, Mode::empty()).map(Self).map_err(|error| self.why(name, error))
    }

    /// A directory beneath it.
    pub(crate) fn walk<N: AsRef<OsStr>>(&self, parts: &[N]) -> Result<Self, Obstacle> {
        parts.iter().try_fold(self.again()?, |directory, name| directory.enter(name))
    }

    /// The same, with directories made where there are none; `made` is told of each.
    pub(crate) fn make<N: AsRef<OsStr>>(
        &self,
        parts: &[N],
        mut made: impl FnMut(Self, &OsStr),
    ) -> Result<Self, Obstacle> {
        let mut directory = self.again()?;
        for name in parts.iter().map(AsRef::as_ref) {
            directory = match directory.enter(name) {
                Err(Obstacle::Missing) => {
                    match fs::mkdirat(&directory.0, name, Mode::from_raw_mode(0o777)) {
                        Ok(()) => made(directory.again()?, name),
                        // Somebody else was faster.
                        Err(Errno::EXIST) => {}
                        Err(error) => return Err(error.into()),
                    }
                    directory.enter(name)?
                }
                entered => entered?,
            };
        }
        Ok(directory)
    }

    /// The directory itself, once more.
    pub(crate) fn again(&self) -> Result<Self, Obstacle> {
        Ok(Self(self.0.try_clone().map_err(Obstacle::Io)?))
    }

    /// A file in it, open for reading. What is no file is not opened: a pipe or a device does something when it is.
    pub(crate) fn file(&self, name: impl AsRef<OsStr>) -> Result<(File, Stat), Obstacle> {
        let name = name.as_ref();
        let is_file = |stat: Stat| match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Ok(stat),
            FileType::Symlink => Err(Obstacle::Link),
            _ => Err(Obstacle::Kind("file")),
        };
        is_file(self.stat(name)?)?;
        let file = fs::openat(&self.0, name, READ, Mode::empty()).map_err(|error| self.why(name, error))?;
        let stat = is_file(fs::fstat(&file)?)?;
        Ok((file.into(), stat))
    }

    /// A new file in it, open for writing.
    pub(crate) fn create(&self, name: impl AsRef<OsStr>, mode: u32) -> Result<File, Obstacle> {
        Ok(fs::openat(&self.0, name.as_ref(), CREATE, Mode::from_raw_mode(mode))?.into())
    }

    /// What there is by a name; of a link, the link itself.
    pub(crate) fn stat(&self, name: impl AsRef<OsStr>) -> Result<Stat, Obstacle> {
        Ok(fs::statat(&self.0, name.as_ref(), AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// What it is itself.
    pub(crate) fn own_stat(&self) -> Result<Stat, Obstacle> {
        Ok(fs::fstat(&self.0)?)
    }

    /// The names of all that is in it, sorted.
    pub(crate) fn names(&self) -> Result<Vec<OsString>, Obstacle> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            let name = OsString::from_vec(entry?.file_name().to_bytes().to_vec());
            if name != "." && name != ".." {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Gives a file in it one more name.
    pub(crate) fn link(&self, name: &str, other: &str) -> Result<(), Obstacle> {
        Ok(fs::linkat(&self.0, name, &self.0, other, AtFlags::empty())?)
    }

    /// Puts a file of it in the place of another.
    pub(crate) fn rename(&self, name: &str, other: &str) -> Result<(), Obstacle> {
        Ok(fs::renameat(&self.0, name, &self.0, other)?)
    }

    /// Removes a file of it.
    pub(crate) fn unlink(&self, name: &str) -> Result<(), Obstacle> {
        Ok(fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Removes a directory of it that is empty.
    pub(crate) fn remove_empty(&self, name: impl AsRef<OsStr>) -> Result<(), Obstacle> {
        Ok(fs::unlinkat(&self.0, name.as_ref(), AtFlags::REMOVEDIR)?)
    }

    /// Lets its owner do everything with it.
    pub(crate) fn unlock(&self) -> Result<(), Obstacle> {
        Ok(fs::fchmod(self.0.as_fd(), Mode::RWXU)?)
    }

    /// Systems tell of a link in different ways.
    fn why(&self, name: &OsStr, error: Errno) -> Obstacle {
        match self.stat(name) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => Obstacle::Link,
            _ => error.into(),
        }
    }
}
