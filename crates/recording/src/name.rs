//! What a recording is called: when it began, whose it is, and which part.

use std::{fmt, path::Path, str::FromStr};

use uuid::Uuid;

const ENDING: &str = ".jsonl.zst";

/// The name of a file of ours. In their order, the oldest comes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    began: String,
    process: Uuid,
    part: u32,
}

impl Name {
    /// The first part of a conversation. To the millisecond: a process that outlives a program is recorded by the next one
    /// within the same second.
    #[must_use]
    pub fn new(began: jiff::Timestamp, process: Uuid) -> Self {
        let began = began.strftime("%Y%m%dT%H%M%S%3fZ").to_string();
        Self { began, process, part: 1 }
    }

    /// The name of a file, if it is one of ours.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        path.file_name()?.to_str()?.parse().ok()
    }

    /// Which part it is, from 1.
    #[must_use]
    pub fn part(&self) -> u32 {
        self.part
    }

    /// The part after this one.
    #[must_use]
    pub fn next(&self) -> Self {
        Self { part: self.part.saturating_add(1), ..self.clone() }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.began, self.process)?;
        if self.part > 1 {
            write!(f, ".{}", self.part)?;
        }
        f.write_str(ENDING)
    }
}

/// It is no name of ours.
#[derive(Debug)]
pub struct NotOurs;

impl FromStr for Name {
    type Err = NotOurs;

    fn from_str(text: &str) -> Result<Self, NotOurs> {
        let stem = text.strip_suffix(ENDING).ok_or(NotOurs)?;
        let (stem, part) = match stem.split_once('.') {
            Some((stem, part)) => (stem, part.parse().map_err(|_| NotOurs)?),
            None => (stem, 1),
        };
        let (began, process) = stem.split_once('-').ok_or(NotOurs)?;
        let name = Self { began: began.to_owned(), process: process.parse().map_err(|_| NotOurs)?, part };
        // What is not written as we write it was written by somebody else.
        if name.to_string() == text { Ok(name) } else { Err(NotOurs) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written_and_stand_in_the_order_of_time() {
        let began: jiff::Timestamp = "2026-11-16T06:57:18Z".parse().unwrap();
        let first = Name::new(began, Uuid::nil());
        assert_eq!(first.to_string(), "20261116T065718000Z-00000000-0000-0000-0000-000000000000.jsonl.zst");
        let second = first.next();
        assert_eq!(
            second.to_string(),
            "20261116T065718000Z-00000000-0000-0000-0000-000000000000.2.jsonl.zst"
        );
        for name in [&first, &second] {
            assert_eq!(&name.to_string().parse::<Name>().unwrap(), name);
        }
        assert!(first < second);
        assert!(second < Name::new("2026-11-16T06:57:18.001Z".parse().unwrap(), Uuid::nil()));
        for other in ["simple.jsonl", "notes-2.jsonl.zst", "a.b-c.jsonl.zst", "x.jsonl.zst"] {
            assert!(other.parse::<Name>().is_err(), "{other}");
        }
    }
}
