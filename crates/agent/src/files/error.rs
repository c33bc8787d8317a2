//! Why a file could not be read or written, in words that a model can act on.

use std::io;

use super::Obstacle;

/// Why a file could not be read or written. A handler's `?` makes an answer of it.
///
/// ```
/// use selvedge_agent::{Directory, FileError};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// let files = Directory::open(temporary.path())?.files();
/// assert!(matches!(files.read("nothing.md"), Err(FileError::Missing { .. })));
/// let outside = files.read("/etc/passwd").unwrap_err();
/// assert!(outside.to_string().ends_with("hint: give a path relative to it"), "in words for the model");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// There is no directory to work in.
    #[error(
        "there are no files here\nhint: give the prompt a workspace, or the toolbox a directory with `files`"
    )]
    Nowhere,
    /// The path leads out of the directory.
    #[error("`{path}` is not inside the directory that the tools work in\nhint: give a path relative to it")]
    Outside {
        /// As it was given.
        path: String,
    },
    /// There is nothing.
    #[error("there is no `{path}`")]
    Missing {
        /// As it was given.
        path: String,
    },
    /// It is a link, or lies behind one. No link is followed: whoever can write here could point it anywhere.
    #[error("`{path}` is a link, or lies behind one\nhint: name the file itself")]
    Link {
        /// As it was given.
        path: String,
    },
    /// It is a directory where a file is wanted, a file where a directory is wanted, or neither.
    #[error("`{path}` {}", is_none(.wanted))]
    Kind {
        /// As it was given.
        path: String,
        /// What it had to be.
        wanted: &'static str,
    },
    /// More than is read at once.
    #[error("`{path}` is larger than {most} bytes, which is the most that is read at once")]
    TooLarge {
        /// As it was given.
        path: String,
        /// The most.
        most: u64,
    },
    /// More than one call may write.
    #[error("`{path}` is too much: one call writes at most {most} bytes in all")]
    TooMuch {
        /// As it was given.
        path: String,
        /// The most.
        most: u64,
    },
    /// More files than are worth reading.
    #[error("more than {most} files fit `{pattern}`\nhint: say more exactly which")]
    TooMany {
        /// What was looked for.
        pattern: String,
        /// The most.
        most: usize,
    },
    /// Bytes that are no text.
    #[error("`{path}` is not UTF-8 text")]
    NotText {
        /// As it was given.
        path: String,
    },
    /// Somebody else changed what was read and is to be written.
    #[error("`{path}` was changed by somebody else meanwhile; nothing was written\nhint: read it again")]
    Changed {
        /// From the top of the directory.
        path: String,
    },
    /// The call is over, or there is none: what is written now is written by nobody.
    #[error("these files can only be read: the call that could write them is over")]
    Ended,
    /// The file system refused.
    #[error("`{path}` cannot be {doing}: {cause}")]
    Io {
        /// As it was given.
        path: String,
        /// What was tried.
        doing: &'static str,
        /// Its words.
        cause: io::Error,
    },
}

impl FileError {
    /// What stands in the way at a path.
    pub(super) fn at(path: &(impl ToString + ?Sized), doing: &'static str, obstacle: Obstacle) -> Self {
        let path = path.to_string();
        match obstacle {
            Obstacle::Missing => Self::Missing { path },
            Obstacle::Link => Self::Link { path },
            Obstacle::Kind(wanted) => Self::Kind { path, wanted },
            Obstacle::Io(cause) => Self::Io { path, doing, cause },
        }
    }

    pub(super) fn io(
        path: &(impl ToString + ?Sized),
        doing: &'static str,
        cause: impl Into<io::Error>,
    ) -> Self {
        Self::at(path, doing, Obstacle::Io(cause.into()))
    }
}

fn is_none(wanted: &str) -> &'static str {
    match wanted {
        "directory" => "is no directory, or lies in something that is none",
        _ => "is no file",
    }
}
