//! What lies in a directory, where git does not say it.

use std::{
    collections::{BTreeSet, VecDeque},
    fs,
    path::Path,
};

/// More is not looked at: a home directory has no end.
const MOST: usize = 20_000;

/// The files under a directory, the nearest first; links are not followed.
pub(super) fn walk(root: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut waiting = VecDeque::from([String::new()]);
    let mut looked_at = 0;
    while let Some(directory) = waiting.pop_front() {
        // One that may not be read has nothing to offer.
        let Ok(entries) = fs::read_dir(root.join(&directory)) else { continue };
        for entry in entries.flatten() {
            looked_at += 1;
            if looked_at > MOST {
                return files;
            }
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = format!("{directory}{name}");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && name != ".git" => waiting.push_back(path + "/"),
                Ok(kind) if !kind.is_dir() => files.push(path),
                _ => {}
            }
        }
    }
    files
}

/// Files, and the directories that they lie in; those end with `/`.
pub(super) fn with_directories(files: Vec<String>) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for file in files {
        let ends = file.match_indices('/').map(|(at, _)| at + 1);
        for directory in ends.map(|end| &file[..end]) {
            if !all.contains(directory) {
                all.insert(directory.to_owned());
            }
        }
        all.insert(file);
    }
    all
}
