//! Changes, made together or not at all.
//!
//! First everything that can fail for a reason: new contents are written beside their places, old files get a second name. Then the files change places, each in one step. If one of those steps
//! fails after all, the others are taken back by the second names. Only what was put there by this commit is ever taken away.

use std::ffi::{OsStr, OsString};

use uuid::Uuid;

use super::beneath::{Beneath, Obstacle};
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
        let Some(parent) = commit.parent(root, &path, &change)? else { continue };
        let step = Step::new(parent, name, &path);
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
    /// The directory that a file lies in, made if it is to be written; none, if it is to be removed and its directory is gone already.
    fn parent(
        &mut self,
        root: &Beneath,
        path: &Inside,
        change: &Change,
    ) -> Result<Option<Beneath>, FileError> {
        let parts = path.split().map_or(&[][..], |(parent, _)| parent);
        let directories = &mut self.directories;
        let parent = match change {
            Change::Written(_) => root.make(parts, |parent, name: &OsStr| {
                directories.push((parent, name.to_owned()));
            }),
            Change::Removed => match root.walk(parts) {
                Err(Obstacle::Missing) => return Ok(None),
                parent => parent,
            },
        };
        parent.map(Some).map_err(|obstacle| FileError::at(path, "written", obstacle))
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_was_done_before_a_step_that_fails_is_undone() {
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name);
        for name in ["a", "b"] {
            fs::write(path(name), "old").unwrap();
        }
        let write =
            |path: &str| (Inside::read(path).unwrap(), Change::Written(b"new".as_slice().into()), None);
        // The last but one is a file where the last one needs a directory, which is seen only when it takes its place.
        let changes = vec![
            write("a"),
            (Inside::read("b").unwrap(), Change::Removed, None),
            write("c/d"),
            write("e"),
            write("e/f"),
        ];
        assert!(commit(&Beneath::open(home.path()).unwrap(), changes).is_err());
        let names = Beneath::open(home.path()).unwrap().names().unwrap();
        assert_eq!(names, ["a", "b"], "and nothing is left aside");
        assert_eq!(
            (fs::read(path("a")).unwrap(), fs::read(path("b")).unwrap()),
            (b"old".to_vec(), b"old".to_vec())
        );
    }
}
