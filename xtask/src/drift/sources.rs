//! The source files of the program: what is looked through for names of the wire.

use std::fs;
use std::path::{Path, PathBuf};

use super::words::{Language, Words};
use crate::failure::Failure;
use crate::workspace;

/// One file's words.
#[derive(Debug)]
pub(super) struct Source {
    /// Below the root of the tree.
    pub(super) path: String,
    pub(super) words: Words,
    pub(super) language: Language,
    /// Whether it works with the generated types, so that a name in it may be one of theirs.
    pub(super) knows_types: bool,
}

impl Source {
    /// A file that was read.
    pub(super) fn new(path: impl Into<String>, text: &str) -> Self {
        let path = path.into();
        let language = if path.ends_with(".rs") { Language::Rust } else { Language::TypeScript };
        let words = Words::of(text, language);
        let doors = ["selvedge_protocol", "protocol", "see", "say", "calls", "asks"];
        let opens = doors.iter().any(|door| words.names.contains(*door));
        Self { knows_types: language == Language::Rust && opens, words, path, language }
    }

    /// Whether it has a name that the generated code puts into one of these modules or enums.
    pub(super) fn has_path(&self, doors: &[&str], name: &str) -> bool {
        let has = |door: &str, name: &str| self.words.paths.contains(&format!("{door}::{name}"));
        // Of a list of names only its beginning is known: then the bare name has to do.
        let listed = |door: &str| has(door, "{") || has(door, "*");
        doors.iter().any(|door| has(door, name) || (listed(door) && self.words.names.contains(name)))
    }

    /// Whether it may read a field of this name: it asks something for it, or it is read by serde.
    pub(super) fn reads(&self, wire: &str, name: &str) -> bool {
        let words = &self.words;
        let declared = || words.names.contains("Deserialize") && words.names.contains(name);
        let in_rust = || self.language == Language::Rust && (words.asked.contains(name) || declared());
        words.texts.contains(wire) || in_rust()
    }

    /// Whether it may say a field of this name.
    pub(super) fn says(&self, wire: &str, name: &str) -> bool {
        self.words.texts.contains(wire)
            || (self.language == Language::Rust && self.words.names.contains(name))
    }
}

/// The crates but `protocol` (the types themselves) and `rehearsal` (it plays Codex), and the page.
pub(super) fn of_the_program() -> Result<Vec<Source>, Failure> {
    let root = workspace::root();
    let mut folders = vec![root.join("ui/src")];
    let crates = root.join("crates");
    for entry in fs::read_dir(&crates).map_err(Failure::file("read", &crates))?.flatten() {
        if !["protocol", "rehearsal"].iter().any(|left_out| entry.file_name() == *left_out) {
            folders.push(entry.path().join("src"));
        }
    }
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && !is_test(&path) {
                folders.push(path);
            } else if is_source(&path) && !is_test(&path) {
                let text = fs::read_to_string(&path).map_err(Failure::file("read", &path))?;
                found.push(Source::new(below(&root, &path), &text));
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

fn below(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn is_source(path: &Path) -> bool {
    let generated = path.ends_with(PathBuf::from("api/schema.ts"));
    !generated && ["rs", "ts", "tsx"].iter().any(|one| path.extension().is_some_and(|it| it == *one))
}

/// `tests.rs`, `docs_tests.rs`, `tests/`, `rows.test.ts`, `testing.ts`.
fn is_test(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    stem == "tests" || stem == "testing" || stem.ends_with("_tests") || name.contains(".test.")
}
