//! Changes, made together or not at all.
//!
//! First everything that can fail for a reason: new contents are written beside their places, old files get a second name. Then the files change places, each in one step. If one of those steps
//! fails after all, the others are taken back by the second names. Only what was put there by this commit is ever taken away.

use std::ffi::{OsStr, OsString};

use uuid::Uuid;

use super::beneath::Beneath;
use super::error::FileError;
use super::inside::Inside;
use super::overlay::{Change, Seen};
use super::step::Step;

/// A commit on its way. Dropped, it takes away what it put beside the files, and unless it is done, what it put in their places.
#[derive(Default)]
struct Commit {
    steps: Vec<Step>,
    /// How many of them are made.
    made: usize,
    /// Directories that were made for them.
    directories: Vec<(Beneath, OsString)>,
    done: bool,
}

pub(super) fn commit(root: &Beneath, changes: Vec<(Inside, Change, Option<Seen>)>) -> Result<(), FileError> {
    let mut commit = Commit::default();
    let id = Uuid::now_v7().simple().to_string();
    for (number, (path, change, seen)) in changes.into_iter().enumerate() {
        let Some((_, name)) = path.split() else { continue };
        let step = Step::new(commit.parent(root, &path, &change)?, name, &path);
        // It is the commit's before it puts anything aside, so that all of that is taken away.
        let step = commit.steps.push_mut(step);
        step.prepare(&change, seen, |what| format!(".selvedge-{id}-{number}.{what}"))?;
    }
    while let Some(step) = commit.steps.get(commit.made) {
        step.make()?;
        commit.made += 1;
    }
    commit.done = true;
    Ok(())
}

impl Commit {
    /// The directory that a file lies in, made if it is to be written.
    fn parent(&mut self, root: &Beneath, path: &Inside, change: &Change) -> Result<Beneath, FileError> {
        let parts = path.split().map_or(&[][..], |(parent, _)| parent);
        let directories = &mut self.directories;
        let parent = match change {
            Change::Written(_) => root.make(parts, |parent, name: &OsStr| {
                directories.push((parent, name.to_owned()));
            }),
            Change::Removed => root.walk(parts),
        };
        parent.map_err(|obstacle| FileError::at(path, "written", obstacle))
    }
}

impl Drop for Commit {
    fn drop(&mut self) {
        let undone = if self.done { 0 } else { self.made };
        for step in self.steps.iter().take(undone).rev() {
            if let Err(obstacle) = step.undo() {
                tracing::error!(path = %step.path, ?obstacle, "a change that was not to be could not be undone");
            }
        }
        for step in &self.steps {
            if let Err(obstacle) = step.tidy() {
                tracing::warn!(path = %step.path, ?obstacle, "what was put beside a file stays");
            }
        }
        if !self.done {
            // One that somebody else has put something into meanwhile stays.
            self.directories.iter().rev().for_each(|(parent, name)| {
                let _not_empty = parent.remove_empty(name);
            });
        }
    }
}
