//! What went wrong, and what to do about it.

use std::fmt;

/// A failure, for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What happened.
    pub what: String,
    /// What to do.
    pub hint: String,
    /// Whether what was given was wrong, and not what was done with it.
    pub wrong_input: bool,
}

impl Error {
    /// Something did not work.
    pub(crate) fn failed(what: impl fmt::Display, hint: impl fmt::Display) -> Self {
        Self { what: what.to_string(), hint: hint.to_string(), wrong_input: false }
    }

    /// Something given cannot be used.
    pub(crate) fn input(what: impl fmt::Display, hint: impl fmt::Display) -> Self {
        Self { wrong_input: true, ..Self::failed(what, hint) }
    }

    /// As a starting daemon tells it to whoever starts it.
    pub(crate) fn lines(&self) -> String {
        let kind = if self.wrong_input { INPUT } else { FAILED };
        format!("{kind}\n{}\n{}\n", self.hint, self.what)
    }

    /// Reads those lines. A daemon that said nothing has died.
    pub(crate) fn read(lines: &str) -> Option<Self> {
        let mut parts = lines.trim_end().splitn(3, '\n');
        let wrong_input = match parts.next()? {
            INPUT => true,
            FAILED => false,
            _ => return None,
        };
        let hint = parts.next()?.to_owned();
        Some(Self { what: parts.next()?.to_owned(), hint, wrong_input })
    }
}

const INPUT: &str = "input";
const FAILED: &str = "failed";

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}\nhint: {}", self.what, self.hint)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::Error;

    #[test]
    fn a_daemon_and_its_starter_mean_the_same() {
        for error in [Error::input("no\nsuch program", "install it"), Error::failed("full", "make room")] {
            assert_eq!(Error::read(&error.lines()), Some(error));
        }
        assert_eq!(Error::read(""), None);
        assert_eq!(Error::read("ready\n"), None);
    }
}
