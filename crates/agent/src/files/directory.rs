//! A directory that tools work in, and changes to it that are made together or not at all.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::beneath::Beneath;
use super::commit;
use super::error::FileError;
use super::view::Files;

/// A directory that tools work in. It is held open: whatever becomes of its path, this one is meant. A clone is the same one.
///
/// ```
/// use selvedge_agent::Directory;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// # let path = temporary.path();
/// std::fs::write(path.join("README.md"), "# Project\n")?;
/// let directory = Directory::open(path)?;
/// assert_eq!(directory.files().read_to_string("README.md")?, "# Project\n");
/// assert!(directory.files().read("../secret").is_err(), "nothing leads out of it");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Directory {
    inner: Arc<Inner>,
}

struct Inner {
    root: Beneath,
    path: PathBuf,
    /// One commit after the other: two that change the same files are not mixed.
    committing: Mutex<()>,
}

impl fmt::Debug for Directory {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Directory").field(&self.inner.path).finish()
    }
}

impl Directory {
    /// The directory at this path.
    ///
    /// # Errors
    /// If there is none.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, FileError> {
        let path = path.into();
        let opened = Beneath::open(&path);
        let root = opened.map_err(|obstacle| FileError::at(&path.display(), "opened", obstacle))?;
        Ok(Self { inner: Arc::new(Inner { root, path, committing: Mutex::default() }) })
    }

    /// Where it was when it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Its files, to be read. Who writes needs a [`transaction`](Self::transaction).
    #[must_use]
    pub fn files(&self) -> Files {
        self.transaction().files().clone()
    }

    /// Changes to its files that are made together or not at all. Each call of a tool has one.
    ///
    /// ```
    /// use selvedge_agent::Directory;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let temporary = tempfile::tempdir()?;
    /// # let path = temporary.path();
    /// let directory = Directory::open(path)?;
    /// let changes = directory.transaction();
    /// changes.files().write("notes/today.md", "nothing new")?;
    /// assert!(!path.join("notes").exists());
    /// changes.commit()?;
    /// assert_eq!(std::fs::read_to_string(path.join("notes/today.md"))?, "nothing new");
    /// # Ok(())
    /// # }
    /// ```
    pub fn transaction(&self) -> FileTransaction {
        FileTransaction { files: Files::over(self.clone()), directory: self.clone() }
    }

    pub(super) fn root(&self) -> &Beneath {
        &self.inner.root
    }
}

/// Changes to files that are made together or not at all. Dropped without [`commit`](Self::commit), they never happened: until then they are nowhere but in memory, so there is
/// nothing to undo and nothing of anybody's that could be lost.
///
/// ```
/// use selvedge_agent::Directory;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// # let path = temporary.path();
/// let directory = Directory::open(path)?;
/// let (kept, dropped) = (directory.transaction(), directory.transaction());
/// kept.files().write("kept.md", "one")?;
/// dropped.files().write("dropped.md", "two")?;
/// assert!(dropped.files().exists("dropped.md") && !kept.files().exists("dropped.md"));
/// kept.commit()?;
/// drop(dropped);
/// assert!(path.join("kept.md").exists() && !path.join("dropped.md").exists());
/// # Ok(())
/// # }
/// ```
#[must_use = "changes that are dropped are not made"]
pub struct FileTransaction {
    files: Files,
    directory: Directory,
}

impl fmt::Debug for FileTransaction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("FileTransaction").field(&self.directory).finish()
    }
}

impl FileTransaction {
    /// The files as this transaction sees them. A handle that outlives it still reads, and writes nothing.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Makes the changes. Readers see each file as it was or as it is to be, never half of one.
    ///
    /// # Errors
    /// If somebody else changed a file that was read here and is to be written, or the file system refuses. Then no file is changed.
    pub fn commit(self) -> Result<(), FileError> {
        let changes = self.files.overlay().end();
        if changes.is_empty() {
            return Ok(());
        }
        let _one_at_a_time = self.directory.inner.committing.lock().unwrap_or_else(PoisonError::into_inner);
        commit::commit(self.directory.root(), changes)
    }
}

impl Drop for FileTransaction {
    fn drop(&mut self) {
        drop(self.files.overlay().end());
    }
}
