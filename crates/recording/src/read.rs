//! Reading a recording: ours, a tap's file, a relay's log, caic's log, or an export of events.

mod bytes;
mod caic;
mod form;
mod ours;
mod sides;
#[cfg(test)]
mod tests;

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::Value;

use crate::{
    entry::{Direction, Header},
    name::Name,
};
pub use form::Form;

/// A recording that was read.
#[derive(Debug, Clone)]
pub struct Recording {
    /// What it was written by.
    pub form: Form,
    /// What the first line says, if it is ours.
    pub header: Option<Header>,
    /// What was said, in order. Of an export: its events, as they stand there.
    pub entries: Vec<Entry>,
    /// It ends in the middle of a line or of a compressed block: whoever wrote it was killed.
    pub cut: bool,
    /// So many lines came faster than they could be written.
    pub missing: u64,
    /// What stands in it and is no part of the conversation, or could not be told in Codex's words: line and why.
    pub left_out: Vec<(usize, String)>,
    /// What the person asked for at the beginning, where only a log's own first line says it.
    pub prompt: Option<String>,
}

/// One line that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// When, since the start; unknown in forms without times.
    pub at: Option<Duration>,
    /// By whom.
    pub direction: Direction,
    /// The line.
    pub text: String,
}

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Its bytes are not what was written.
    #[error("{} is damaged: {why}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// It was written by a later program.
    #[error("{} is a recording of format {version}, and this program reads up to {}", .path.display(), crate::VERSION)]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        version: u64,
    },
    /// It is something else.
    #[error("{} is no recording", .path.display())]
    NotOne {
        /// The file.
        path: PathBuf,
    },
}

impl ReadError {
    /// What to do.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "name a file that there is; recordings lie in DATA_DIR/recordings",
            Self::Damaged { .. } => {
                "take another copy of it, if there is one; what it holds cannot be trusted"
            }
            Self::Newer { .. } => "play it with the program that wrote it, or a later one",
            Self::NotOne { .. } => {
                "recordings are made by `--record`, a relay (output.jsonl), caic, or `selvedge export`"
            }
        }
    }
}

impl Recording {
    /// Reads a file. From the first part of a conversation, the parts beside it are read too.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let mut recording = Self::of_file(path)?;
        let mut name = Name::of(path).filter(|name| name.part() == 1);
        while let Some(next) = name.map(|name| name.next()) {
            let beside = path.with_file_name(next.to_string());
            if !beside.exists() {
                break;
            }
            recording.go_on(Self::of_file(&beside)?);
            name = Some(next);
        }
        Ok(recording)
    }

    fn of_file(path: &Path) -> Result<Self, ReadError> {
        let (text, cut) = bytes::read(path)?;
        let mut recording = form::read(path, &text)?;
        recording.cut |= cut;
        Ok(recording)
    }

    fn go_on(&mut self, next: Self) {
        self.entries.extend(next.entries);
        self.left_out.extend(next.left_out);
        self.missing += next.missing;
        self.cut = next.cut;
    }

    fn new(form: Form) -> Self {
        Self {
            form,
            header: None,
            entries: Vec::new(),
            cut: false,
            missing: 0,
            left_out: Vec::new(),
            prompt: None,
        }
    }

    /// A line that cannot be read: at the end it was cut, elsewhere it is left out.
    fn unreadable(&mut self, number: usize, is_last: bool) {
        if is_last {
            self.cut = true;
        } else {
            self.left_out.push((number, "it is no JSON".into()));
        }
    }
}

/// Lines that are not empty, numbered as people number them.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty())
}

fn value(line: &str) -> Option<Value> {
    serde_json::from_str(line).ok()
}
