//! How a command fails: what happened, what to do, and the exit code scripts rely on.

use std::{fmt::Display, io, process::ExitCode};

use selvedge_session::Code;

use crate::exit;

/// An expected failure.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What happened, then a line `hint: …`.
    text: String,
    code: u8,
}

impl Failure {
    pub(crate) fn new(code: u8, what: impl Display, hint: Option<&str>) -> Self {
        let text = match hint {
            Some(hint) => format!("{what}\nhint: {hint}"),
            None => what.to_string(),
        };
        Self { text, code }
    }

    pub(crate) fn bad_input(what: impl Display, hint: &str) -> Self {
        Self::new(exit::BAD_INPUT, what, Some(hint))
    }

    pub(crate) fn failed(what: impl Display, hint: &str) -> Self {
        Self::new(exit::FAILED, what, Some(hint))
    }

    pub(crate) fn start(error: io::Error) -> Self {
        Self::failed(error, "the system refused threads or descriptors; look at its limits")
    }

    /// What was to be read could not be shown.
    pub(crate) fn output(error: &io::Error) -> Self {
        Self::failed(format!("cannot print: {error}"), "whatever reads the output has closed it")
    }

    /// Tells the person, on stderr, and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        eprintln!("error: {}", self.text);
        ExitCode::from(self.code)
    }

    /// What happened, and what to do.
    pub(crate) fn parts(&self) -> (&str, Option<&str>) {
        match self.text.split_once("\nhint: ") {
            Some((what, hint)) => (what, Some(hint)),
            None => (&self.text, None),
        }
    }

    #[cfg(test)]
    pub(crate) fn told(&self) -> (u8, &str) {
        (self.code, &self.text)
    }
}

impl From<selvedge_rehearsal::scenario::ScenarioError> for Failure {
    fn from(error: selvedge_rehearsal::scenario::ScenarioError) -> Self {
        Self::new(exit::BAD_INPUT, error, None)
    }
}

impl From<selvedge_recording::ReadError> for Failure {
    fn from(error: selvedge_recording::ReadError) -> Self {
        Self::bad_input(&error, error.hint())
    }
}

impl From<selvedge_runtime::Error> for Failure {
    fn from(error: selvedge_runtime::Error) -> Self {
        Self::new(exit::of(error.code), &error.message, error.hint.as_deref())
    }
}

impl From<Code> for Failure {
    fn from(code: Code) -> Self {
        Self::new(exit::of(code), code.message(), Some(code.hint()))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::output(&error)
    }
}
