//! How a conversation ended, as a value.

use std::{fmt, os::unix::process::ExitStatusExt, process::ExitStatus};

use crate::stderr::strip_ansi;

/// How a conversation ended: told to every caller that waited, and to whoever asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Who ended it.
    pub closed_by: ClosedBy,
    /// How the process ended, if there was one and it could be reaped.
    pub exit: Option<Exit>,
    /// The last of what it wrote to stderr, without colours.
    pub stderr_tail: String,
}

impl End {
    /// Of a conversation whose process wrote this to stderr at last; its colours are removed.
    #[must_use]
    pub fn new(closed_by: ClosedBy, exit: Option<Exit>, stderr: &str) -> Self {
        Self { closed_by, exit, stderr_tail: strip_ansi(stderr.as_bytes()).trim_end().to_owned() }
    }

    /// For a caller that finds the conversation gone without a word; the owners make sure that it does not happen.
    pub(crate) fn unknown() -> Self {
        let closed_by = ClosedBy::ReadError("the conversation's owner is gone".to_owned());
        Self { closed_by, exit: None, stderr_tail: String::new() }
    }
}

/// Who ended a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClosedBy {
    /// We closed its stdin, and it ended.
    Us,
    /// We had to terminate it (SIGTERM).
    Terminated,
    /// We had to kill it (SIGKILL).
    Killed,
    /// It ended by itself.
    Codex,
    /// Reading from it failed.
    ReadError(String),
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// Its exit code, if it exited.
    pub code: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
}

impl Exit {
    /// Whether it ended of its own accord and content.
    #[must_use]
    pub fn is_clean(self) -> bool {
        self.code == Some(0)
    }
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        Self { code: status.code(), signal: status.signal() }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.closed_by {
            ClosedBy::Us => f.write_str("the conversation was closed by us")?,
            ClosedBy::Terminated => f.write_str("the app-server was terminated by us")?,
            ClosedBy::Killed => f.write_str("the app-server was killed by us")?,
            ClosedBy::Codex => f.write_str("the app-server ended by itself")?,
            ClosedBy::ReadError(error) => write!(f, "reading from the app-server failed: {error}")?,
        }
        match self.exit {
            Some(Exit { code: Some(code), .. }) => write!(f, " (exit code {code})"),
            Some(Exit { signal: Some(signal), .. }) => write!(f, " (signal {signal})"),
            _ => Ok(()),
        }
    }
}
