//! What can go wrong for somebody who uses a runtime: a stable code, words, and what to do.

use std::{fmt, io};

use selvedge_journal::{AppendError, OpenError, StoreError};
use selvedge_session::{Code, Refusal};

use crate::files::FileError;

/// Why something was not done. Nothing is lost by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// Stable, for programs.
    pub code: Code,
    /// What happened.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// What of the request it is about, by its name there.
    pub field: Option<&'static str>,
}

impl Error {
    /// With the code's own words.
    #[must_use]
    pub fn of(code: Code) -> Self {
        Self::coded(code, code.message())
    }

    /// With words of one's own.
    #[must_use]
    pub fn coded(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: Some(code.hint().to_owned()), field: None }
    }

    /// With another hint than the code's.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// About this field of the request.
    #[must_use]
    pub fn field(mut self, name: &'static str) -> Self {
        self.field = Some(name);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::coded(refusal.code(), refusal.to_string())
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::StorageFull { .. } => Code::StorageFull,
            StoreError::Damaged { .. } => Code::JournalDamaged,
            StoreError::Ahead { .. } => Code::CursorAhead,
            StoreError::Removed { .. } => Code::NotFound,
            StoreError::Exists { .. } => Code::InvalidArgument,
            StoreError::Busy { .. } | StoreError::Closed | StoreError::Failed { .. } => Code::Internal,
        };
        Self { code, message: error.to_string(), hint: error.hint(), field: None }
    }
}

impl From<AppendError> for Error {
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::Store(error) => error.into(),
            AppendError::Conflict { .. } => Self::of(Code::OwnedElsewhere),
            AppendError::Gap { .. } => Self::coded(Code::Internal, error.to_string()),
        }
    }
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Self {
        let code = match &error {
            OpenError::Newer { .. } => Code::JournalNewer,
            OpenError::Foreign { .. } => Code::InvalidArgument,
            OpenError::Migration { .. } => Code::Internal,
            OpenError::Store(error) => return Self { hint: error.hint(), ..error.clone().into() },
        };
        Self { code, message: error.to_string(), hint: error.hint(), field: None }
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Self::coded(error.code(), error.to_string())
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        let code = match error.kind() {
            io::ErrorKind::StorageFull => Code::StorageFull,
            _ => Code::Internal,
        };
        Self::coded(code, error.to_string())
    }
}
