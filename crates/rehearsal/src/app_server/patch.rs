//! Codex's patch format: read, planned against the files as they are, and made. Only inside one directory.

mod diff;
mod read;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
};

use serde_json::{Value, json};

use diff::unified;
use read::{Hunk, Part};

/// Why a patch does not fit.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadPatch {
    #[error("the patch is not understood at: {0}")]
    Unreadable(String),
    #[error("{} is outside the thread's directory", .0.display())]
    Outside(PathBuf),
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}: the lines to replace are not there", .0.display())]
    NotFound(PathBuf),
}

/// One file's change, planned and not yet made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    path: PathBuf,
    moved_to: Option<PathBuf>,
    before: Option<String>,
    after: Option<String>,
}

/// Plans a patch against the files under `root`.
pub(super) fn plan(patch: &str, root: &Path) -> Result<Vec<Change>, BadPatch> {
    let parts = read::parts(patch).map_err(BadPatch::Unreadable)?;
    parts.into_iter().map(|part| plan_part(part, root)).collect()
}

fn plan_part(part: Part, root: &Path) -> Result<Change, BadPatch> {
    match part {
        Part::Add { path, text } => {
            let path = inside(root, &path)?;
            let before = fs::read_to_string(&path).ok();
            Ok(Change { path, moved_to: None, before, after: Some(text) })
        }
        Part::Delete { path } => {
            let path = inside(root, &path)?;
            let before = Some(read_file(&path)?);
            Ok(Change { path, moved_to: None, before, after: None })
        }
        Part::Update { path, move_to, hunks } => {
            let path = inside(root, &path)?;
            let moved_to = move_to.map(|to| inside(root, &to)).transpose()?;
            let before = read_file(&path)?;
            let after = replaced(&before, &hunks).ok_or_else(|| BadPatch::NotFound(path.clone()))?;
            Ok(Change { path, moved_to, before: Some(before), after: Some(after) })
        }
    }
}

/// The path in the root; `..` and links cannot lead out of it.
fn inside(root: &Path, path: &str) -> Result<PathBuf, BadPatch> {
    let outside = || BadPatch::Outside(PathBuf::from(path));
    let relative = Path::new(path).strip_prefix(root).unwrap_or(Path::new(path));
    if relative.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(outside());
    }
    let whole = root.join(relative);
    let existing = whole.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(root);
    match (existing.canonicalize(), root.canonicalize()) {
        (Ok(existing), Ok(root)) if existing.starts_with(&root) => Ok(whole),
        _ => Err(outside()),
    }
}

fn read_file(path: &Path) -> Result<String, BadPatch> {
    fs::read_to_string(path).map_err(|error| BadPatch::File { path: path.to_owned(), error })
}

/// The text with each hunk's old lines replaced, in order; `None` if one is not found.
fn replaced(before: &str, hunks: &[Hunk]) -> Option<String> {
    let lines: Vec<&str> = before.lines().collect();
    let mut after = Vec::new();
    let mut from = 0;
    for hunk in hunks {
        let at = find(&lines, from, hunk)?;
        after.extend(lines[from..at].iter().map(|line| (*line).to_owned()));
        after.extend(hunk.new.iter().cloned());
        from = at + hunk.old.len();
    }
    after.extend(lines[from..].iter().map(|line| (*line).to_owned()));
    Some(after.iter().map(|line| format!("{line}\n")).collect())
}

/// Where a hunk's old lines stand: after its heading, if it has one. A hunk without old lines is an addition at the end.
fn find(lines: &[&str], from: usize, hunk: &Hunk) -> Option<usize> {
    let start = match &hunk.heading {
        Some(heading) => from + lines[from..].iter().position(|line| line.trim() == heading.trim())? + 1,
        None => from,
    };
    if hunk.old.is_empty() {
        return Some(if hunk.heading.is_some() { start } else { lines.len() });
    }
    (start..=lines.len().checked_sub(hunk.old.len())?)
        .find(|at| lines[*at..*at + hunk.old.len()] == hunk.old[..])
}

impl Change {
    /// By which an acceptance for the session is remembered.
    pub(super) fn key(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// As a fileChange item shows it: the text of an added or deleted file, the difference of a changed one.
    pub(super) fn value(&self) -> Value {
        let (kind, diff) = match (&self.before, &self.after) {
            (_, None) => (json!({ "type": "delete" }), self.before.clone().unwrap_or_default()),
            (None, Some(after)) => (json!({ "type": "add" }), after.clone()),
            (Some(before), Some(after)) => {
                (json!({ "type": "update", "move_path": self.moved_to }), unified(before, after))
            }
        };
        json!({ "path": self.path, "kind": kind, "diff": diff })
    }

    /// Makes it.
    pub(super) fn make(&self) -> io::Result<()> {
        let target = self.moved_to.as_ref().unwrap_or(&self.path);
        if let Some(after) = &self.after {
            target.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(target, after)?;
        }
        if self.after.is_none() || self.moved_to.is_some() {
            fs::remove_file(&self.path)?;
        }
        Ok(())
    }
}

/// All changes of a turn as one diff.
#[derive(Debug)]
pub(super) struct TurnDiff {
    root: PathBuf,
    before: BTreeMap<PathBuf, Option<String>>,
}

impl TurnDiff {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root, before: BTreeMap::new() }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Remembers how a file was before the turn touched it.
    pub(super) fn remember(&mut self, change: &Change) {
        self.before.entry(change.path.clone()).or_insert_with(|| change.before.clone());
        if let Some(to) = &change.moved_to {
            self.before.entry(to.clone()).or_insert(None);
        }
    }

    /// The diff, in git's words but without its hashes; `None` when nothing changed.
    pub(super) fn text(&self) -> Option<String> {
        let files = self.before.iter().map(|(path, before)| {
            let after = fs::read_to_string(path).ok();
            let name = path.strip_prefix(&self.root).unwrap_or(path).display().to_string();
            diff::of_file(&name, before.as_deref(), after.as_deref())
        });
        let text: String = files.collect();
        (!text.is_empty()).then_some(text)
    }
}

#[cfg(test)]
mod tests;
