//! How the child ended: a value, and a line in a file.

use std::{fmt, os::unix::process::ExitStatusExt, process::ExitStatus};

/// How the child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It exited with this code.
    Code(i32),
    /// It was ended by this signal.
    Signal(i32),
}

impl From<ExitStatus> for Ended {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, signal) => Self::Signal(signal.unwrap_or_default()),
        }
    }
}

impl Ended {
    /// As the file `exit` has it.
    pub(crate) fn line(self) -> String {
        match self {
            Self::Code(code) => format!("code {code}\n"),
            Self::Signal(signal) => format!("signal {signal}\n"),
        }
    }

    /// Reads that line.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let (kind, number) = line.trim_end().split_once(' ')?;
        let number = number.parse().ok()?;
        match kind {
            "code" => Some(Self::Code(number)),
            "signal" => Some(Self::Signal(number)),
            _ => None,
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(out, "exit code {code}"),
            Self::Signal(signal) => write!(out, "signal {signal}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Ended;

    #[test]
    fn a_line_says_what_it_was_made_of() {
        for ended in [Ended::Code(0), Ended::Code(3), Ended::Signal(9)] {
            assert_eq!(Ended::read(&ended.line()), Some(ended));
        }
        for other in ["", "code", "code x", "exit 3"] {
            assert_eq!(Ended::read(other), None, "{other}");
        }
    }
}
