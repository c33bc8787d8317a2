//! `relay.log`: what the relay did, and what the child said on stderr, for whoever looks for a reason.

use std::{
    fmt::{self, Display},
    fs::File,
    io::{self, Write},
};

use jiff::Timestamp;

use crate::place::{Place, STDERR_MARK};

/// Enough for a person; a child that talks on stderr for weeks shall not fill the disk.
const LIMIT: u64 = 8 * 1024 * 1024;
/// A line of stderr that is longer is cut into several.
const LONGEST: usize = 8 * 1024;

/// The file, and half a line of stderr.
#[derive(Debug)]
pub(super) struct Diary {
    file: File,
    written: u64,
    half: Vec<u8>,
}

impl Diary {
    /// Begins it anew.
    pub(super) fn begin(place: &Place) -> io::Result<Self> {
        let file = Place::private().append(true).open(place.diary())?;
        file.set_len(0)?;
        Ok(Self { file, written: 0, half: Vec::new() })
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn info(&mut self, what: impl Display) {
        self.note("INFO", &what);
    }

    pub(super) fn warning(&mut self, what: impl Display) {
        self.note("WARNING", &what);
    }

    /// What the child said on stderr, each line by itself.
    pub(super) fn stderr(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.half.extend_from_slice(piece);
            if self.half.ends_with(b"\n") || self.half.len() >= LONGEST {
                self.stderr_line();
            }
        }
    }

    /// The child's stderr has ended, perhaps in the middle of a line.
    pub(super) fn stderr_ended(&mut self) {
        self.stderr_line();
    }

    fn stderr_line(&mut self) {
        let line = std::mem::take(&mut self.half);
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if !line.is_empty() {
            self.write(format_args!("{STDERR_MARK}{line}"));
        }
    }

    fn note(&mut self, level: &str, what: &dyn Display) {
        self.write(format_args!("{level} {what}"));
    }

    fn write(&mut self, what: fmt::Arguments<'_>) {
        let line = format!("{} {what}\n", Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S"));
        if self.written > LIMIT && self.file.set_len(0).is_ok() {
            self.written = 0;
        }
        self.written += line.len() as u64;
        // A full disk: the relay's work is more important than its diary.
        let _full = self.file.write_all(line.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::{Diary, LIMIT};
    use crate::Place;

    fn lines(folder: &Path) -> Vec<String> {
        let text = fs::read_to_string(folder.join("relay.log")).unwrap();
        text.lines().map(|line| line.split_at("2026-11-16T04:30:00".len()).1.to_owned()).collect()
    }

    #[test]
    fn each_line_of_stderr_is_one_of_the_diary() {
        let folder = tempfile::tempdir().unwrap();
        let mut diary = Diary::begin(&Place::at(folder.path()).unwrap()).unwrap();
        diary.info("begun");
        diary.stderr(b"one\ntw");
        diary.stderr(b"o\n\n\xffthree");
        diary.stderr_ended();
        let expected =
            [" INFO begun", " INFO bridge: one", " INFO bridge: two", " INFO bridge: \u{fffd}three"];
        assert_eq!(lines(folder.path()), expected);
    }

    #[test]
    fn it_does_not_fill_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let mut diary = Diary::begin(&Place::at(folder.path()).unwrap()).unwrap();
        let long = vec![b'x'; 1024 * 1024];
        for _ in 0..20 {
            diary.stderr(&long);
        }
        diary.warning("still here");
        assert!(fs::metadata(folder.path().join("relay.log")).unwrap().len() < LIMIT + 2 * 1024 * 1024);
        assert_eq!(lines(folder.path()).last().unwrap(), " WARNING still here");
    }
}
