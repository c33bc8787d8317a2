//! What of a repository's configuration is taken: how its files are to be compared, how it is stored, and what its branches
//! follow. Nothing that git would run or open; what is not named here does not exist.

use std::{collections::BTreeMap, fmt::Write as _};

/// What is asked for, in git's regular expressions. What comes of it is looked at again.
pub(super) const WANTED: &str = r"^(core\.(filemode|ignorecase|symlinks|precomposeunicode|trustctime|autocrlf|eol|checkstat)|extensions\.(objectformat|refstorage)|branch\..*\.(remote|merge)|remote\..*\.fetch)$";
/// Settings that are yes or no.
const YES_OR_NO: [&str; 5] =
    ["core.filemode", "core.ignorecase", "core.symlinks", "core.precomposeunicode", "core.trustctime"];
/// Settings that are one of a few words.
const WORDS: [(&str, &[&str]); 5] = [
    ("core.autocrlf", &["true", "false", "input"]),
    ("core.eol", &["lf", "crlf", "native"]),
    ("core.checkstat", &["default", "minimal"]),
    ("extensions.objectformat", &["sha1", "sha256"]),
    ("extensions.refstorage", &["files", "reftable"]),
];
/// What stands in every mirror. The rest of it is closed by there being nothing to run.
const ALWAYS: &str = "[core]\n\tbare = false\n\tfsmonitor = false\n\thooksPath = /dev/null\n\tlogAllRefUpdates = false\n\
    [protocol]\n\tallow = never\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n";

/// What was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Settings {
    known: BTreeMap<&'static str, &'static str>,
    follows: Vec<Follows>,
}

/// What a branch follows, or where a remote's branches are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Follows {
    section: &'static str,
    name: String,
    variable: &'static str,
    value: String,
}

/// How a repository names its objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hashes {
    /// As nearly all do.
    Sha1,
    /// The longer ones.
    Sha256,
}

impl Hashes {
    /// The tree of a repository without a commit.
    #[must_use]
    pub const fn empty_tree(self) -> &'static str {
        match self {
            Self::Sha1 => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            Self::Sha256 => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
        }
    }

    /// A file with nothing in it.
    pub(super) const fn empty_file(self) -> &'static str {
        match self {
            Self::Sha1 => "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
            Self::Sha256 => "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
        }
    }
}

impl Settings {
    /// Reads what `git config -z --get-regexp` says; the last word on something counts.
    pub(super) fn read(said: &[u8]) -> Self {
        let mut read = Self::default();
        for entry in said.split(|byte| *byte == 0) {
            // What is not text is no setting that we know.
            let Ok(entry) = str::from_utf8(entry) else { continue };
            match entry.split_once('\n') {
                Some((name, value)) => read.take(name, value),
                None => read.take(entry, "true"),
            }
        }
        read
    }

    fn take(&mut self, name: &str, value: &str) {
        if let Some(name) = YES_OR_NO.iter().find(|known| **known == name) {
            self.known.extend(yes_or_no(value).map(|value| (*name, value)));
        } else if let Some((name, words)) = WORDS.iter().find(|(known, _)| *known == name) {
            let word = words.iter().find(|word| word.eq_ignore_ascii_case(value));
            self.known.extend(word.map(|word| (*name, *word)));
        } else {
            self.follows.extend(Follows::read(name, value));
        }
    }

    /// The same of the operator's own, where the repository says nothing. How a repository is stored is its own affair.
    pub(super) fn or(mut self, operators: &Self) -> Self {
        for (name, value) in operators.known.iter().filter(|(name, _)| name.starts_with("core.")) {
            self.known.entry(name).or_insert(value);
        }
        self
    }

    pub(super) fn hashes(&self) -> Hashes {
        match self.known.get("extensions.objectformat") {
            Some(&"sha256") => Hashes::Sha256,
            _ => Hashes::Sha1,
        }
    }

    /// Whether refs lie in tables, and not in files.
    pub(super) fn has_reftable(&self) -> bool {
        self.known.get("extensions.refstorage") == Some(&"reftable")
    }

    /// As a file of git's.
    pub(super) fn written(&self) -> String {
        let mut file = ALWAYS.to_owned();
        let version = u8::from(self.known.keys().any(|name| name.starts_with("extensions.")));
        let _infallible = writeln!(file, "[core]\n\trepositoryformatversion = {version}");
        for (name, value) in &self.known {
            let (section, name) = name.split_once('.').unwrap_or_default();
            let _infallible = writeln!(file, "[{section}]\n\t{name} = {value}");
        }
        for Follows { section, name, variable, value } in &self.follows {
            let (name, value) = (quoted(name), quoted(value));
            let _infallible = writeln!(file, "[{section} {name}]\n\t{variable} = {value}");
        }
        file
    }
}

impl Follows {
    fn read(name: &str, value: &str) -> Option<Self> {
        let (section, rest) = name.split_once('.')?;
        let (name, variable) = rest.rsplit_once('.')?;
        let (section, variable) = match (section, variable) {
            ("branch", "remote") => ("branch", "remote"),
            ("branch", "merge") => ("branch", "merge"),
            ("remote", "fetch") => ("remote", "fetch"),
            _ => return None,
        };
        // Another line of a configuration file is another setting.
        if [name, value].iter().any(|text| text.is_empty() || text.chars().any(char::is_control)) {
            return None;
        }
        Some(Self { section, name: name.to_owned(), variable, value: value.to_owned() })
    }
}

fn yes_or_no(value: &str) -> Option<&'static str> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some("true"),
        "false" | "no" | "off" | "0" | "" => Some("false"),
        _ => None,
    }
}

/// As a quoted string of git's.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_how_files_are_compared_and_what_is_followed_is_taken() {
        let said = "core.filemode\0core.ignorecase\nYes\0core.autocrlf\ninput\0core.eol\nLF\0extensions.objectformat\nsha256\0\
            branch.a.b.merge\nrefs/heads/a.b\0branch.a.b.remote\norigin\0remote.origin.fetch\n+refs/*:refs/remotes/origin/*\0";
        let read = Settings::read(said.as_bytes());
        assert_eq!(read.hashes(), Hashes::Sha256);
        let written = read.written();
        for line in [
            "repositoryformatversion = 1",
            "filemode = true",
            "ignorecase = true",
            "autocrlf = input",
            "eol = lf",
            "[branch \"a.b\"]\n\tmerge = \"refs/heads/a.b\"",
            "[remote \"origin\"]\n\tfetch = \"+refs/*:refs/remotes/origin/*\"",
        ] {
            assert!(written.contains(line), "{line}: {written}");
        }
    }

    #[test]
    fn nothing_else_is_and_no_value_is_another_setting() {
        let said = "core.fsmonitor\n/evil\0filter.evil.clean\n/evil\0core.worktree\n/\0core.eol\n/evil\0core.filemode\n/evil\0\
            extensions.partialclone\norigin\0extensions.refstorage\nreftable:///evil\0remote.origin.url\n/evil\0remote.origin.vcs\nevil\0\
            branch.a.merge\nx\n[filter \"evil\"]\n\tclean = /evil\0branch.\u{7}.remote\n/evil\0remote..fetch\n/evil\0";
        assert_eq!(Settings::read(said.as_bytes()), Settings::default());
        let said = "branch.a\"]\\.remote\nb\"\\\0";
        let written = Settings::read(said.as_bytes()).written();
        assert!(written.ends_with("[branch \"a\\\"]\\\\\"]\n\tremote = \"b\\\"\\\\\"\n"), "{written}");
    }

    #[test]
    fn the_repository_is_heard_before_its_operator_and_alone_on_how_it_is_stored() {
        let operators =
            Settings::read(b"core.autocrlf\ninput\0core.eol\nlf\0extensions.objectformat\nsha256\0");
        let settings = Settings::read(b"core.eol\ncrlf\0").or(&operators);
        assert_eq!(settings, Settings::read(b"core.eol\ncrlf\0core.autocrlf\ninput\0"));
    }
}
