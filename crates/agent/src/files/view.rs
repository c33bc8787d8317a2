//! The files of a directory, as one call sees them.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::fs::FileType;

use super::beneath::{Beneath, Obstacle};
use super::directory::Directory;
use super::error::FileError;
use super::inside::Inside;
use super::overlay::{Change, Overlay, Stamp};

/// The most that is read at once.
const MOST_READ: u64 = 32 << 20;

/// The files of a directory, as one call sees them: what it wrote itself, and for the rest what lies there. Nobody else sees what it wrote before it has succeeded, and if it fails, it
/// never happened. Cheap to clone.
///
/// Paths are relative to the directory. None leads out of it, and no link is followed, whatever a model's commands do meanwhile. The calls block as those of [`std::fs`] do.
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{Tool, ToolContext};
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Replace {
///     path: String,
///     old: String,
///     new: String,
/// }
///
/// let tool = Tool::new("replace", "Replace a text in a file.", async |params: Replace, context: ToolContext| {
///     let files = context.files()?;
///     let text = files.read_to_string(&params.path)?;
///     files.write(&params.path, text.replace(&params.old, &params.new))?;
///     Ok(())
/// });
/// ```
#[derive(Clone)]
pub struct Files {
    directory: Directory,
    overlay: Arc<Mutex<Overlay>>,
}

/// Something in a directory.
///
/// ```
/// use selvedge_agent::{Directory, EntryKind, FileEntry};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// # let path = temporary.path();
/// std::fs::create_dir(path.join("src"))?;
/// std::fs::write(path.join("README.md"), "")?;
/// let entries = Directory::open(path)?.files().list("")?;
/// assert_eq!(entries[0], FileEntry { name: "README.md".into(), kind: EntryKind::File });
/// assert_eq!(entries[1].name, "src");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

/// What something in a directory is.
///
/// ```
/// use selvedge_agent::{Directory, EntryKind};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// # let path = temporary.path();
/// std::os::unix::fs::symlink("/etc/passwd", path.join("users"))?;
/// let files = Directory::open(path)?.files();
/// assert_eq!(files.list("")?[0].kind, EntryKind::Link);
/// assert!(files.read("users").is_err(), "it is shown, and not followed");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A link, which is not followed.
    Link,
    /// A pipe, a socket, a device.
    Other,
}

impl From<FileType> for EntryKind {
    fn from(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Directory,
            FileType::Symlink => Self::Link,
            _ => Self::Other,
        }
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Files").field("directory", &self.directory).finish_non_exhaustive()
    }
}

impl Files {
    pub(super) fn over(directory: Directory) -> Self {
        Self { directory, overlay: Arc::default() }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If there is none that can be read, or it is larger than 32 MiB.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let inside = Inside::read(path)?;
        match self.overlay().change(&inside) {
            Some(Change::Written(bytes)) => return Ok(bytes.to_vec()),
            Some(Change::Removed) => return Err(FileError::Missing { path: path.to_owned() }),
            None => {}
        }
        let opened = self.parent(&inside).and_then(|(parent, name)| parent.file(name));
        let (file, stat) = opened.map_err(|obstacle| FileError::at(path, "read", obstacle))?;
        let mut bytes = Vec::new();
        let read = file.take(MOST_READ + 1).read_to_end(&mut bytes);
        read.map_err(|cause| FileError::io(path, "read", cause))?;
        if bytes.len() as u64 > MOST_READ {
            return Err(FileError::TooLarge { path: path.to_owned(), most: MOST_READ });
        }
        self.overlay().saw(&inside, Some(Stamp::of(&stat)));
        Ok(bytes)
    }

    /// Reads a file as text.
    ///
    /// # Errors
    /// As [`Files::read`], and if it is not UTF-8.
    pub fn read_to_string(&self, path: &str) -> Result<String, FileError> {
        String::from_utf8(self.read(path)?).map_err(|_| FileError::NotText { path: path.to_owned() })
    }

    /// Writes a file, new or over an old one, with directories as it needs them. It is there for others once the call has succeeded.
    ///
    /// A file that this call has read, and that somebody else has changed by then, fails the call: what the other wrote is not lost.
    ///
    /// # Errors
    /// If something else than a file is at that path, or the call has written more than 64 MiB in all, or is over.
    pub fn write(&self, path: &str, contents: impl AsRef<[u8]>) -> Result<(), FileError> {
        let inside = Inside::read(path)?;
        match self.look(&inside) {
            Ok(EntryKind::File) | Err(Obstacle::Missing) => {}
            Ok(EntryKind::Link) => return Err(FileError::Link { path: path.to_owned() }),
            Ok(_) => return Err(FileError::Kind { path: path.to_owned(), wanted: "file" }),
            Err(obstacle) => return Err(FileError::at(path, "written", obstacle)),
        }
        self.overlay().put(inside, Change::Written(contents.as_ref().into()))
    }

    /// Removes a file, once the call has succeeded.
    ///
    /// # Errors
    /// If there is no file at that path, or the call is over.
    pub fn remove(&self, path: &str) -> Result<(), FileError> {
        let inside = Inside::read(path)?;
        match self.look(&inside).map_err(|obstacle| FileError::at(path, "removed", obstacle))? {
            EntryKind::File => self.overlay().put(inside, Change::Removed),
            EntryKind::Link => Err(FileError::Link { path: path.to_owned() }),
            _ => Err(FileError::Kind { path: path.to_owned(), wanted: "file" }),
        }
    }

    /// Whether there is something at this path: of a link, the link itself. There is nothing outside.
    #[must_use]
    pub fn exists(&self, path: &str) -> bool {
        let Ok(inside) = Inside::read(path) else { return false };
        match self.overlay().change(&inside) {
            Some(Change::Written(_)) => return true,
            Some(Change::Removed) => return false,
            None => {}
        }
        let stat = self.parent(&inside).and_then(|(parent, name)| parent.stat(name));
        match stat {
            Ok(stat) => {
                self.overlay().saw(&inside, Some(Stamp::of(&stat)));
                true
            }
            Err(Obstacle::Missing) => {
                self.overlay().saw(&inside, None);
                self.list(path).is_ok()
            }
            Err(_) => inside.parts().is_empty(),
        }
    }

    /// What is in a directory, by name; `""` is the directory itself.
    ///
    /// # Errors
    /// If there is no such directory.
    pub fn list(&self, directory: &str) -> Result<Vec<FileEntry>, FileError> {
        let inside = Inside::read(directory)?;
        let listed = match self.directory.root().walk(inside.parts()).and_then(|it| entries(&it)) {
            Ok(found) => Some(found),
            // It may be one that is only to be made.
            Err(Obstacle::Missing) => None,
            Err(obstacle) => return Err(FileError::at(directory, "listed", obstacle)),
        };
        let mut is_there = listed.is_some();
        let mut found = listed.unwrap_or_default();
        for (path, change) in self.overlay().changes() {
            let Some((name, is_all)) = path.below(&inside) else { continue };
            match change {
                Change::Removed if is_all => drop(found.remove(name)),
                Change::Removed => {}
                Change::Written(_) => {
                    is_there = true;
                    let kind = if is_all { EntryKind::File } else { EntryKind::Directory };
                    found.insert(name.to_owned(), kind);
                }
            }
        }
        if !is_there {
            return Err(FileError::Missing { path: directory.to_owned() });
        }
        Ok(found.into_iter().map(|(name, kind)| FileEntry { name, kind }).collect())
    }

    /// What is at a path.
    fn look(&self, path: &Inside) -> Result<EntryKind, Obstacle> {
        match self.overlay().change(path) {
            Some(Change::Written(_)) => return Ok(EntryKind::File),
            Some(Change::Removed) => return Err(Obstacle::Missing),
            None => {}
        }
        let (parent, name) = self.parent(path)?;
        Ok(FileType::from_raw_mode(parent.stat(name)?.st_mode).into())
    }

    /// The directory that a path lies in.
    fn parent<'a>(&self, path: &'a Inside) -> Result<(Beneath, &'a str), Obstacle> {
        let (parent, name) = path.split().ok_or(Obstacle::Kind("file"))?;
        Ok((self.directory.root().walk(parent)?, name))
    }

    pub(super) fn overlay(&self) -> MutexGuard<'_, Overlay> {
        self.overlay.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn entries(directory: &Beneath) -> Result<BTreeMap<String, EntryKind>, Obstacle> {
    let mut found = BTreeMap::new();
    for name in directory.names()? {
        match directory.stat(&name) {
            Ok(stat) => {
                found.insert(
                    name.to_string_lossy().into_owned(),
                    FileType::from_raw_mode(stat.st_mode).into(),
                );
            }
            // It went while we were looking.
            Err(Obstacle::Missing) => {}
            Err(obstacle) => return Err(obstacle),
        }
    }
    Ok(found)
}
