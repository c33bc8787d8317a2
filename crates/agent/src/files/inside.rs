//! Paths that stay inside.

use std::fmt;

use super::FileError;

/// A path relative to a directory, with `.` and `..` worked out, so that one file has one name. No link is ever followed, so they can be worked out without looking.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Inside(Vec<String>);

impl Inside {
    pub(super) fn read(path: &str) -> Result<Self, FileError> {
        let outside = || FileError::Outside { path: path.to_owned() };
        if path.starts_with('/') {
            return Err(outside());
        }
        let mut parts: Vec<String> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop().ok_or_else(outside)?),
                part => parts.push(part.to_owned()),
            }
        }
        Ok(Self(parts))
    }

    pub(super) fn parts(&self) -> &[String] {
        &self.0
    }

    /// The directory it lies in, and its name; nothing for the directory itself.
    pub(super) fn split(&self) -> Option<(&[String], &str)> {
        self.0.split_last().map(|(name, parent)| (parent, name.as_str()))
    }

    /// Whether one of them lies in the other.
    pub(super) fn crosses(&self, other: &Self) -> bool {
        self != other && (self.0.starts_with(&other.0) || other.0.starts_with(&self.0))
    }

    /// What it is called within a directory that it lies in: its next part, and whether that is all of it.
    pub(super) fn below(&self, directory: &Self) -> Option<(&str, bool)> {
        let inner = self.0.strip_prefix(directory.0.as_slice())?;
        inner.first().map(|name| (name.as_str(), inner.len() == 1))
    }
}

impl fmt::Display for Inside {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_inside_or_is_none() {
        let read = |path: &str| Inside::read(path).map(|it| it.to_string()).ok();
        for (path, expected) in
            [("a/b", "a/b"), ("./a//b/", "a/b"), ("a/../b", "b"), ("", ""), (".", ""), ("a/..", "")]
        {
            assert_eq!(read(path).as_deref(), Some(expected), "{path}");
        }
        for outside in ["/a", "..", "a/../..", "a/../../b", "/", "//a"] {
            assert_eq!(read(outside), None, "{outside}");
        }
    }

    #[test]
    fn what_lies_below_has_its_next_part() {
        let inside = |path: &str| Inside::read(path).unwrap();
        assert_eq!(inside("a/b/c").below(&inside("a")), Some(("b", false)));
        assert_eq!(inside("a/b").below(&inside("a")), Some(("b", true)));
        assert_eq!(inside("a").below(&inside("")), Some(("a", true)));
        assert_eq!(inside("ab/c").below(&inside("a")), None);
        assert_eq!(inside("a").below(&inside("a")), None);
    }
}
