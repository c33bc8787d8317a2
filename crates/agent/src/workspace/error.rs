//! Why there is no workspace.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::Obstacle;

/// Why there is no workspace. Nothing of it is left then.
///
/// ```
/// use selvedge_agent::{HostMount, Workspace, WorkspaceError};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// # let project = temporary.path();
/// std::fs::write(project.join("large"), "a thousand bytes, say")?;
/// let error = Workspace::builder().mount(HostMount::new(project).max_bytes(10)).build().await.unwrap_err();
/// assert!(matches!(&error, WorkspaceError::TooLarge { most: 10, .. }), "{error}");
/// let error = Workspace::builder().mount(HostMount::new("/etc/passwd")).allowed_root(project).build().await.unwrap_err();
/// assert!(matches!(error, WorkspaceError::OutsideRoots { .. }));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// There is nothing to be mounted.
    #[error("there is no {} to be mounted", .path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// It lies outside of the roots that mounts may come from.
    #[error(
        "{} lies outside of the allowed roots ({})\nhint: mount something inside, or allow its directory with `allowed_root`",
        .path.display(),
        listed(.roots)
    )]
    OutsideRoots {
        /// Where it really lies.
        path: PathBuf,
        /// The roots.
        roots: Vec<PathBuf>,
    },
    /// The place of a mount is no path inside the workspace.
    #[error(
        "a mount cannot be at `{mount_path}`: that is not inside the workspace\nhint: give `at` a relative path without `..`"
    )]
    Escapes {
        /// As it was given.
        mount_path: String,
    },
    /// What is to be mounted is a link, and links are not followed; or it points out of the directory it lies in.
    #[error("{} is a link, {why}\nhint: mount what it points to", .path.display())]
    Link {
        /// The link.
        path: PathBuf,
        /// Why it is not followed.
        why: &'static str,
    },
    /// What is to be mounted is neither a file nor a directory.
    #[error("{} is neither a file nor a directory", .path.display())]
    Special {
        /// It.
        path: PathBuf,
    },
    /// A mount has more than it may have.
    #[error(
        "the mount of {} has more than {most} bytes: {} is too much\nhint: leave files out with `exclude`, or allow more with `max_bytes`",
        .mount.display(),
        .file
    )]
    TooLarge {
        /// What is mounted.
        mount: PathBuf,
        /// The first file that is too much.
        file: String,
        /// What it may have.
        most: u64,
    },
    /// Two mounts have something at the same place.
    #[error(
        "two mounts have something at `{path}` of the workspace\nhint: mount one of them elsewhere with `at`"
    )]
    Taken {
        /// The place.
        path: String,
    },
    /// A file could not be read, or its copy not be written.
    #[error("{} cannot be {doing}: {cause}{}", .path.display(), hint(.doing))]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's words.
        cause: io::Error,
    },
}

impl WorkspaceError {
    pub(super) fn io(path: impl Into<PathBuf>, doing: &'static str, cause: impl Into<io::Error>) -> Self {
        Self::Io { path: path.into(), doing, cause: cause.into() }
    }

    /// What stands in the way of something on the host.
    pub(super) fn at(path: &Path, obstacle: Obstacle) -> Self {
        let path = path.to_owned();
        match obstacle {
            Obstacle::Missing => Self::Missing { path },
            // It was none when it was looked at.
            Obstacle::Link => Self::Link { path, why: "and was made one just now" },
            Obstacle::Kind(_) => Self::Special { path },
            Obstacle::Io(cause) => Self::io(path, "read", cause),
        }
    }

    /// What stands in the way of a copy.
    pub(super) fn copy(shown: &str, obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Io(cause) if cause.kind() != io::ErrorKind::AlreadyExists => {
                Self::io(shown, "copied", cause)
            }
            Obstacle::Missing => Self::io(shown, "copied", io::ErrorKind::NotFound),
            _ => Self::Taken { path: shown.to_owned() },
        }
    }
}

fn listed(roots: &[PathBuf]) -> String {
    roots.iter().map(|root| root.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn hint(doing: &str) -> &'static str {
    match doing {
        "read" => "\nhint: leave it out with `exclude`, or let this program read it",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_comes_with_what_to_do() {
        let denied = Obstacle::Io(io::ErrorKind::PermissionDenied.into());
        let error = WorkspaceError::at(Path::new("/srv/key"), denied).to_string();
        let expected = "/srv/key cannot be read: permission denied\nhint: leave it out with `exclude`, or let this program read it";
        assert_eq!(error, expected);
        let full = WorkspaceError::copy("project/a", Obstacle::Io(io::ErrorKind::StorageFull.into()));
        assert_eq!(full.to_string(), "project/a cannot be copied: no storage space");
    }
}
