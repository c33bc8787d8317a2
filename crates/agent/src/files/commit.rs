//! Changes, made together or not at all.
//!
//! First everything that can fail for a reason: new contents are written beside their places, old files get a second name. Then the files change places, each in one step. If one of those steps
//! fails after all, the others are taken back by the second names. Only what was put there by this commit is ever taken away.

use std::ffi::{OsStr, OsString};
use std::io::Write;

use rustix::fs::{FileType, Mode, fchmod};
use uuid::Uuid;

use super::beneath::{Beneath, Obstacle};
use super::error::FileError;
use super::inside::Inside;
use super::overlay::{Change, Seen, Stamp};

/// For files that are new; the program's own mask is taken from it.
const NEW_FILE: u32 = 0o666;

/// One file, ready to be changed.
struct Step {
    parent: Beneath,
    path: Inside,
    name: String,
    /// The name of its new contents, and what tells that they are ours; none, if it is to be removed.
    new: Option<(String, Stamp)>,
    /// The second name of the old file; none, if there is no old one.
    old: Option<String>,
}

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
        let aside = |what: &str| format!(".selvedge-{id}-{number}.{what}");
        let Some((_, name)) = path.split() else { continue };
        let step = Step {
            parent: commit.parent(root, &path, &change)?,
            name: name.to_owned(),
            path,
            new: None,
            old: None,
        };
        commit.steps.push(step);
        let Some(step) = commit.steps.last_mut() else { continue };
        step.prepare(&change, seen, aside)?;
    }
    while let Some(step) = commit.steps.get(commit.made) {
        step.make()?;
        commit.made += 1;
    }
    commit.done = true;
    Ok(())
}

impl Commit {
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

impl Step {
    /// Does everything but the change itself.
    fn prepare(
        &mut self,
        change: &Change,
        seen: Option<Seen>,
        aside: impl Fn(&str) -> String,
    ) -> Result<(), FileError> {
        let stat = match self.parent.stat(&self.name) {
            Ok(stat) => Some(stat),
            Err(Obstacle::Missing) => None,
            Err(obstacle) => return Err(self.refused(obstacle)),
        };
        if seen.is_some_and(|seen| seen != stat.as_ref().map(Stamp::of)) {
            return Err(FileError::Changed { path: self.path.to_string() });
        }
        match stat.map(|stat| FileType::from_raw_mode(stat.st_mode)) {
            None | Some(FileType::RegularFile) => {}
            Some(FileType::Symlink) => return Err(self.refused(Obstacle::Link)),
            Some(_) => return Err(self.refused(Obstacle::Kind("file"))),
        }
        if let Change::Written(bytes) = change {
            let mode = stat.map(|stat| Mode::from_raw_mode(stat.st_mode) & Mode::from_raw_mode(0o7777));
            self.write(bytes, mode, aside("new"))?;
        }
        if stat.is_some() {
            let old = aside("old");
            self.parent.link(&self.name, &old).map_err(|obstacle| self.refused(obstacle))?;
            self.old = Some(old);
        }
        Ok(())
    }

    /// Writes the new contents, with the rights of the old file.
    fn write(&mut self, bytes: &[u8], mode: Option<Mode>, aside: String) -> Result<(), FileError> {
        let mut file = self.parent.create(&aside, NEW_FILE).map_err(|obstacle| self.refused(obstacle))?;
        let stat = rustix::fs::fstat(&file).map_err(|error| self.refused(error.into()));
        let new = stat.map(|stat| Stamp::of(&stat));
        // From here on it is known, and taken away if it comes to nothing.
        let written = new.and_then(|stamp| {
            self.new = Some((aside, stamp));
            file.write_all(bytes).map_err(|cause| self.refused(Obstacle::Io(cause)))
        });
        written?;
        match mode.map(|mode| fchmod(&file, mode)) {
            Some(Err(error)) => Err(self.refused(error.into())),
            _ => Ok(()),
        }
    }

    /// The change itself.
    fn make(&self) -> Result<(), FileError> {
        let made = match &self.new {
            Some((new, _)) => self.parent.rename(new, &self.name),
            None => self.parent.unlink(&self.name),
        };
        made.map_err(|obstacle| self.refused(obstacle))
    }

    /// Takes the change back.
    fn undo(&self) -> Result<(), Obstacle> {
        let found = match self.parent.stat(&self.name) {
            Ok(stat) => Some(Stamp::of(&stat)),
            Err(Obstacle::Missing) => None,
            Err(obstacle) => return Err(obstacle),
        };
        let is_ours = match (&self.new, found) {
            (Some((_, ours)), Some(found)) => ours.is_same_file(&found),
            (new, found) => new.is_none() && found.is_none(),
        };
        match &self.old {
            // Somebody else has been here since: what they did is theirs.
            _ if !is_ours => Ok(()),
            Some(old) => self.parent.rename(old, &self.name),
            None => self.parent.unlink(&self.name),
        }
    }

    fn refused(&self, obstacle: Obstacle) -> FileError {
        FileError::at(&self.path, "written", obstacle)
    }
}

impl Drop for Commit {
    fn drop(&mut self) {
        if !self.done {
            for step in self.steps.iter().take(self.made).rev() {
                if let Err(obstacle) = step.undo() {
                    tracing::error!(path = %step.path, ?obstacle, "a change that was not to be could not be undone");
                }
            }
        }
        for step in &self.steps {
            for aside in step.new.iter().map(|(new, _)| new).chain(&step.old) {
                match step.parent.unlink(aside) {
                    Ok(()) | Err(Obstacle::Missing) => {}
                    Err(obstacle) => {
                        tracing::warn!(path = %step.path, ?obstacle, "a file that was put aside stays");
                    }
                }
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
