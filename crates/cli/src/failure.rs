//! How a command fails: what happened, what to do, and the exit code scripts rely on.

use std::{fmt::Display, io, process::ExitCode};

/// Wrong usage or bad input.
const BAD_INPUT: u8 = 2;
/// It was right to ask, but it did not work.
const FAILED: u8 = 1;

/// An expected failure.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What happened, then a line `hint: …`.
    text: String,
    code: u8,
}

impl Failure {
    pub(crate) fn bad_input(what: impl Display, hint: &str) -> Self {
        Self { text: format!("{what}\nhint: {hint}"), code: BAD_INPUT }
    }

    pub(crate) fn failed(what: impl Display, hint: &str) -> Self {
        Self { text: format!("{what}\nhint: {hint}"), code: FAILED }
    }

    pub(crate) fn start(error: io::Error) -> Self {
        Self::failed(error, "the system refused threads or descriptors; look at its limits")
    }

    /// Tells the person, on stderr, and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        eprintln!("error: {}", self.text);
        ExitCode::from(self.code)
    }
}

impl From<selvedge_rehearsal::scenario::ScenarioError> for Failure {
    fn from(error: selvedge_rehearsal::scenario::ScenarioError) -> Self {
        Self { text: error.to_string(), code: BAD_INPUT }
    }
}
