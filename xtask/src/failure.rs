//! What went wrong and what to do about it: the one error of this program.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

/// An error for a person: what happened, and a hint on its own line.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    hint: Option<String>,
    exit: u8,
}

impl Failure {
    /// An error that says what happened.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, exit: 1 }
    }

    /// The same error with what to do about it.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The same error with another exit code than 1.
    pub(crate) fn exit(self, exit: u8) -> Self {
        Self { exit, ..self }
    }

    /// The exit code it ends the program with.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.exit)
    }

    /// A file operation that failed, for `map_err`.
    pub(crate) fn file(doing: &str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let what = format!("cannot {doing} {}", path.display());
        move |error| Self::new(format!("{what}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(out, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}
