//! Files by a pattern.

use super::error::FileError;
use super::glob::fits;
use super::view::{EntryKind, Files};

/// The most that are found: more is nothing that a model reads.
const MOST_FOUND: usize = 10_000;

impl Files {
    /// The paths of all files that fit a pattern, sorted. `*` stands for anything, slashes too; `?` for one character, `[abc]` for one of some. Links are not followed.
    ///
    /// # Errors
    /// If a directory cannot be read, or more than 10,000 files fit.
    ///
    /// ```
    /// use selvedge_agent::Directory;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let temporary = tempfile::tempdir()?;
    /// # let path = temporary.path();
    /// # std::fs::create_dir(path.join("src"))?;
    /// std::fs::write(path.join("src/main.rs"), "")?;
    /// std::fs::write(path.join("README.md"), "")?;
    /// assert_eq!(Directory::open(path)?.files().find("*.rs")?, ["src/main.rs"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn find(&self, pattern: &str) -> Result<Vec<String>, FileError> {
        let mut found = Vec::new();
        self.below("", pattern, &mut found)?;
        found.sort_unstable();
        Ok(found)
    }

    fn below(&self, directory: &str, pattern: &str, found: &mut Vec<String>) -> Result<(), FileError> {
        let entries = match self.list(directory) {
            // It went while we were looking.
            Err(FileError::Missing { .. }) => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let path = if directory.is_empty() { entry.name } else { format!("{directory}/{}", entry.name) };
            match entry.kind {
                EntryKind::Directory => self.below(&path, pattern, found)?,
                EntryKind::File if fits(pattern, &path) => found.push(path),
                _ => {}
            }
            if found.len() > MOST_FOUND {
                return Err(FileError::TooMany { pattern: pattern.to_owned(), most: MOST_FOUND });
            }
        }
        Ok(())
    }
}
