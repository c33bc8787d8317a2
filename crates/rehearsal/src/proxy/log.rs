//! Says what was done to which frame: on stderr, and in a file if one is named.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::Arc,
};

use super::{dice::Decision, kind::Direction};

/// Where the proxy says what it did.
#[derive(Debug, Clone, Default)]
pub(super) struct Log {
    file: Option<Arc<File>>,
}

impl Log {
    /// Adds to this file, if there is one.
    pub(super) fn open(path: Option<&Path>) -> io::Result<Self> {
        let open = |path| OpenOptions::new().create(true).append(true).open(path);
        Ok(Self { file: path.map(open).transpose()?.map(Arc::new) })
    }

    /// One line, written at once: others may add to the same file.
    pub(super) fn tell(&self, direction: Direction, name: &str, decision: Decision) {
        let Decision { fault: Some(fault), frame, .. } = decision else { return };
        let way = match direction {
            Direction::FromCodex => "from",
            Direction::ToCodex => "to",
        };
        let line = format!("proxy {}: {way} #{frame} {name}: {fault:?}\n", std::process::id());
        // Neither a closed stderr nor a full disk is a reason to stop passing frames.
        let _ = io::stderr().write_all(line.as_bytes());
        self.write(&line);
    }

    /// One line for the file alone: there is too much of it for stderr.
    pub(super) fn add(&self, line: &str) {
        self.write(&format!("{line}\n"));
    }

    fn write(&self, line: &str) {
        if let Some(mut file) = self.file.as_deref() {
            let _ = file.write_all(line.as_bytes());
        }
    }
}
