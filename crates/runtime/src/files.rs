//! Pictures of messages: kept as files of their session under their hash, and given to Codex by their path.

mod data_url;

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use selvedge_session::{Code, SessionId};
use sha2::{Digest, Sha256};

pub use data_url::{Picture, picture_of_url};

use crate::private;

/// The pictures of all sessions.
#[derive(Debug, Clone)]
pub struct Files {
    dir: Arc<Path>,
}

/// Why a picture was not taken or not found.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Nothing is fetched.
    #[error("an image at an address is not fetched")]
    Remote,
    /// Nothing but pictures is taken.
    #[error("the media type is no kind of image")]
    Kind,
    /// It is not what it has to be.
    #[error("{0}")]
    Invalid(String),
    /// There is none with this hash.
    #[error("there is no file {0}")]
    Missing(String),
    /// The disk says no.
    #[error("{path}: {error}")]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl FileError {
    /// Stable, for programs.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Remote => Code::ImageUrlRefused,
            Self::Kind | Self::Invalid(_) => Code::InvalidArgument,
            Self::Missing(_) => Code::NotFound,
            Self::Io { error, .. } if error.kind() == io::ErrorKind::StorageFull => Code::StorageFull,
            Self::Io { .. } => Code::Internal,
        }
    }
}

impl Files {
    /// In a directory of its own, which nobody else may read.
    pub fn new(dir: impl Into<PathBuf>) -> Result<Self, FileError> {
        let dir = dir.into();
        private::directory(&dir).map_err(at(&dir))?;
        Ok(Self { dir: dir.into() })
    }

    /// Keeps a picture; its hash. The same one again costs nothing.
    pub async fn put(&self, session: SessionId, picture: Picture) -> Result<String, FileError> {
        let files = self.clone();
        blocking(move || files.put_now(session, &picture)).await
    }

    fn put_now(&self, session: SessionId, picture: &Picture) -> Result<String, FileError> {
        let sha256 = hex(&Sha256::digest(&picture.bytes));
        let path = self.path(session, &sha256);
        if !path.exists() {
            let dir = self.of(session);
            private::directory(&dir).map_err(at(&dir))?;
            private::write(&path, &picture.bytes).map_err(at(&path))?;
        }
        Ok(sha256)
    }

    /// Where a picture lies, if it is there.
    #[must_use]
    pub fn path(&self, session: SessionId, sha256: &str) -> PathBuf {
        self.of(session).join(sha256)
    }

    /// A picture, by its hash.
    pub async fn get(&self, session: SessionId, sha256: &str) -> Result<Vec<u8>, FileError> {
        // A hash, and no way to another place.
        let is_hash = sha256.len() == 64 && sha256.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !is_hash {
            return Err(FileError::Missing(sha256.to_owned()));
        }
        let (path, name) = (self.path(session, sha256), sha256.to_owned());
        blocking(move || match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(FileError::Missing(name)),
            read => read.map_err(at(&path)),
        })
        .await
    }

    /// Removes all pictures of a session.
    pub async fn remove(&self, session: SessionId) -> Result<(), FileError> {
        let dir = self.of(session);
        blocking(move || private::gone(fs::remove_dir_all(&dir)).map_err(at(&dir))).await
    }

    fn of(&self, session: SessionId) -> PathBuf {
        self.dir.join(session.to_string())
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> FileError {
    let path = path.to_owned();
    move |error| FileError::Io { path, error }
}

/// Off the async threads: a slow disk is nobody else's trouble.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, FileError> + Send + 'static,
) -> Result<T, FileError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(FileError::Io { path: PathBuf::new(), error: io::Error::other(error) }))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests;
