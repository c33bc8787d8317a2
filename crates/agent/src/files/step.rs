//! One file of a commit: made ready, changed, and changed back if it comes to that.

use std::fs::File;
use std::io::{self, Write};

use rustix::fs::{FileType, Mode, Stat, fchmod, fstat};

use super::beneath::{Beneath, FileId, Obstacle, id};
use super::error::FileError;
use super::inside::Inside;
use super::overlay::{Change, Seen, Stamp};

/// For files that are new; the program's own mask is taken from it.
const NEW_FILE: u32 = 0o666;

/// One file of a commit.
pub(super) struct Step {
    parent: Beneath,
    name: String,
    pub(super) path: Inside,
    /// The name of its new contents, and what tells that they are ours; none, if it is to be removed.
    new: Option<(String, FileId)>,
    /// The second name of the old file; none, if there is no old one.
    old: Option<String>,
}

impl Step {
    pub(super) fn new(parent: Beneath, name: &str, path: &Inside) -> Self {
        Self { parent, name: name.to_owned(), path: path.clone(), new: None, old: None }
    }

    /// Does everything but the change itself. `aside` are names for what is put beside the file; [`tidy`](Self::tidy) takes it away, also if this fails.
    pub(super) fn prepare(
        &mut self,
        change: &Change,
        seen: Option<Seen>,
        aside: impl Fn(&str) -> String,
    ) -> Result<(), FileError> {
        let stat = self.look().map_err(|obstacle| self.refused(obstacle))?;
        if seen.is_some_and(|seen| seen != stat.as_ref().map(Stamp::of)) {
            return Err(FileError::Changed { path: self.path.to_string() });
        }
        match stat.map(|stat| FileType::from_raw_mode(stat.st_mode)) {
            None | Some(FileType::RegularFile) => {}
            Some(FileType::Symlink) => return Err(self.refused(Obstacle::Link)),
            Some(_) => return Err(self.refused(Obstacle::Kind("file"))),
        }
        if let Change::Written(bytes) = change {
            self.write(bytes, stat.as_ref(), aside("new")).map_err(|obstacle| self.refused(obstacle))?;
        }
        if stat.is_some() {
            let old = self.old.insert(aside("old")).clone();
            self.keep(&old).map_err(|obstacle| self.refused(obstacle))?;
        }
        Ok(())
    }

    /// Writes the new contents, with the rights of the old file.
    fn write(&mut self, bytes: &[u8], old: Option<&Stat>, aside: String) -> Result<(), Obstacle> {
        let mut file = self.parent.create(&aside, NEW_FILE)?;
        let ours = fstat(&file).map(|stat| id(&stat));
        // From here on it is known, and taken away if it comes to nothing.
        self.new = Some((aside, ours.unwrap_or_default()));
        file.write_all(bytes).map_err(Obstacle::Io)?;
        let Some(old) = old else { return Ok(()) };
        fchmod(&file, Mode::from_raw_mode(old.st_mode))?;
        make_later(&file, &Stamp::of(old))
    }

    /// Gives the old file a second name; where the file system has no such thing, a copy has to do.
    fn keep(&self, old: &str) -> Result<(), Obstacle> {
        match self.parent.link(&self.name, old) {
            Err(Obstacle::Io(_)) => self.copy(old),
            linked => linked,
        }
    }

    fn copy(&self, old: &str) -> Result<(), Obstacle> {
        let (mut file, stat) = self.parent.file(&self.name)?;
        let mut copy = self.parent.create(old, NEW_FILE)?;
        io::copy(&mut file, &mut copy).map_err(Obstacle::Io)?;
        Ok(fchmod(&copy, Mode::from_raw_mode(stat.st_mode))?)
    }

    /// The change itself.
    pub(super) fn make(&self) -> Result<(), FileError> {
        let made = match (&self.new, &self.old) {
            (Some((new, _)), _) => self.parent.rename(new, &self.name),
            (None, Some(_)) => self.parent.unlink(&self.name),
            // It is gone already.
            (None, None) => Ok(()),
        };
        made.map_err(|obstacle| self.refused(obstacle))
    }

    /// Takes the change back, unless somebody else has been here since: what they did is theirs.
    pub(super) fn undo(&self) -> Result<(), Obstacle> {
        let ours = self.new.as_ref().map(|(_, ours)| *ours);
        if self.look()?.as_ref().map(id) != ours {
            return Ok(());
        }
        match (&self.new, &self.old) {
            (_, Some(old)) => self.parent.rename(old, &self.name),
            (Some(_), None) => self.parent.unlink(&self.name),
            (None, None) => Ok(()),
        }
    }

    /// Takes away what was put beside the file, if it is still there.
    pub(super) fn tidy(&self) -> Result<(), Obstacle> {
        let aside = self.new.iter().map(|(new, _)| new).chain(&self.old);
        let tidied = aside.map(|name| match self.parent.unlink(name) {
            Err(Obstacle::Missing) => Ok(()),
            unlinked => unlinked,
        });
        // All of them, whatever becomes of one.
        tidied.fold(Ok(()), Result::and)
    }

    /// What is there now.
    fn look(&self) -> Result<Option<Stat>, Obstacle> {
        match self.parent.stat(&self.name) {
            Ok(stat) => Ok(Some(stat)),
            Err(Obstacle::Missing) => Ok(None),
            Err(obstacle) => Err(obstacle),
        }
    }

    fn refused(&self, obstacle: Obstacle) -> FileError {
        FileError::at(&self.path, "written", obstacle)
    }
}

/// Two versions of a file never look the same, however fast they follow each other: the clock of files is a slow one, and their numbers are used again.
fn make_later(file: &File, old: &Stamp) -> Result<(), Obstacle> {
    let new = Stamp::of(&fstat(file)?);
    if new.is_later_than(old) {
        return Ok(());
    }
    let time = old.modified() + std::time::Duration::from_nanos(1);
    file.set_modified(time).map_err(Obstacle::Io)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::time::{Duration, SystemTime};

    use super::*;

    fn step(home: &Path, name: &str) -> Step {
        Step::new(Beneath::open(home).unwrap(), name, &Inside::read(name).unwrap())
    }

    #[test]
    fn where_a_file_has_one_name_only_a_copy_is_kept() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("run.sh");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        let mut step = step(home.path(), "run.sh");
        step.copy("kept").unwrap();
        step.old = Some("kept".to_owned());
        step.write(b"new", None, "aside".to_owned()).unwrap();
        step.make().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        step.undo().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o750);
    }

    #[test]
    fn what_somebody_else_put_there_since_is_not_undone() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("new");
        let mut step = step(home.path(), "new");
        step.write(b"ours", None, "aside".to_owned()).unwrap();
        step.make().unwrap();
        fs::write(home.path().join("other"), "theirs").unwrap();
        fs::rename(home.path().join("other"), &path).unwrap();
        step.undo().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
    }

    #[test]
    fn a_new_version_is_later_than_the_old_one() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("file");
        fs::write(&path, "old").unwrap();
        let ahead = SystemTime::now() + Duration::from_secs(3600);
        fs::File::options().write(true).open(&path).unwrap().set_modified(ahead).unwrap();
        let mut step = step(home.path(), "file");
        let change = Change::Written(b"new".as_slice().into());
        step.prepare(&change, None, |what| format!("aside.{what}")).unwrap();
        step.make().unwrap();
        step.tidy().unwrap();
        assert!(path.metadata().unwrap().modified().unwrap() > ahead);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }
}
