//! The text files of the tree that people write.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Not written by hand, or recorded from the real Codex.
const NOT_OURS: [&str; 7] =
    [".git", "target", "node_modules", "generated", "snapshots", "transcripts", "dist"];

/// One text file.
pub(crate) struct File {
    /// Relative to the root of the tree.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl File {
    pub(crate) fn is(&self, extension: &str) -> bool {
        self.path.extension().is_some_and(|found| found == extension)
    }

    /// A `Cargo.toml` that is not the workspace's own.
    pub(crate) fn is_manifest_of_a_crate(&self) -> bool {
        self.path.ends_with("Cargo.toml") && self.text.contains("[package]")
    }
}

impl fmt::Debug for File {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.path.display())
    }
}

/// Every text file but lock files, generated files, snapshots and recordings.
pub(crate) fn text_files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(1).unwrap_or(Path::new("."));
    let mut found = Vec::new();
    let mut waiting = vec![root.to_path_buf()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_not_ours(&path) => waiting.push(path),
                Ok(kind) if kind.is_file() && !is_lock(&path) => found.extend(read(root, &path)),
                _ => {}
            }
        }
    }
    assert!(found.len() > 20, "the tree was not found at {}", root.display());
    found
}

fn read(root: &Path, path: &Path) -> Option<File> {
    // What is not UTF-8 is a picture or a program, and says nothing about hosts.
    let text = fs::read_to_string(path).ok()?;
    Some(File { path: path.strip_prefix(root).unwrap_or(path).to_path_buf(), text })
}

fn is_not_ours(directory: &Path) -> bool {
    directory.file_name().is_some_and(|name| NOT_OURS.iter().any(|other| name == *other))
}

fn is_lock(file: &Path) -> bool {
    file.ends_with("Cargo.lock") || file.ends_with("package-lock.json")
}
