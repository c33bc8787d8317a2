//! What a worktree consists of on the disk: its directory, and the repository's entry for it, each naming the other.

use std::{
    fs,
    io::{self, ErrorKind},
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use selvedge_relay::look::Repository;

/// What git writes where refs lie in tables, so that an older one notices.
const NO_HEADS: &str = "this repository uses the reftable format\n";
const NO_HEAD: &str = "ref: refs/heads/.invalid\n";

/// A worktree that is to be.
pub(super) struct Wanted {
    pub(super) place: PathBuf,
    pub(super) branch: String,
    pub(super) has_reftable: bool,
}

/// One that is there.
pub(super) struct Linked {
    place: PathBuf,
    entry: PathBuf,
    branch: String,
}

impl Wanted {
    /// Makes both ends. What is there already is left as it is, and nothing of a failed attempt stays.
    pub(super) fn link(self, common: &Path) -> io::Result<Linked> {
        let Some(name) = self.place.file_name() else { return Err(ErrorKind::InvalidInput.into()) };
        let entries = entries_of(common)?;
        let entry = entries.join(name);
        fs::create_dir(&entry)?;
        let linked = Linked { place: self.place.clone(), entry, branch: self.branch.clone() };
        let made = self.make(&linked.entry);
        if made.is_err() {
            let _as_good_as_it_gets = fs::remove_dir_all(&linked.entry);
        }
        made.map(|()| linked)
    }

    fn make(&self, entry: &Path) -> io::Result<()> {
        let own = self.place.join(".git");
        // This first: an entry that names no directory is swept up by git.
        fs::write(entry.join("gitdir"), line(b"", &own))?;
        fs::write(entry.join("commondir"), "../..\n")?;
        if self.has_reftable {
            fs::write(entry.join("HEAD"), NO_HEAD)?;
            fs::create_dir(entry.join("reftable"))?;
            fs::create_dir(entry.join("refs"))?;
            fs::write(entry.join("refs/heads"), NO_HEADS)?;
        } else {
            fs::write(entry.join("HEAD"), format!("ref: {}\n", self.branch))?;
        }
        if let Some(worktrees) = self.place.parent() {
            fs::create_dir_all(worktrees)?;
        }
        fs::create_dir(&self.place)?;
        let said = fs::write(&own, line(b"gitdir: ", entry));
        if said.is_err() {
            let _as_good_as_it_gets = fs::remove_dir_all(&self.place);
        }
        said
    }
}

impl Linked {
    /// The one at a place. An agent can write what a worktree says of its repository, so that has to name it too, under the
    /// name that Selvedge gave both.
    pub(super) fn of(place: &Path, around: Option<Repository>) -> io::Result<Option<Self>> {
        let Some(repository) = around.filter(Repository::is_linked) else { return Ok(None) };
        let (place, entry) = (place.canonicalize()?, repository.own);
        let named = entry.file_name() == place.file_name()
            && entry.parent() == Some(&repository.common.join("worktrees"));
        let told = fs::read(entry.join("gitdir"))?;
        let own = repository.top.as_ref() == Some(&place);
        let ours = named && own && told.trim_ascii_end() == place.join(".git").as_os_str().as_bytes();
        Ok(ours.then(|| Self { place, entry, branch: String::new() }))
    }

    pub(super) fn branch(&self) -> &str {
        &self.branch
    }

    pub(super) fn index(&self) -> PathBuf {
        self.entry.join("index")
    }

    pub(super) fn is_locked(&self) -> bool {
        self.entry.join("locked").exists()
    }

    /// Removes both ends, and follows no link.
    pub(super) fn remove(self) -> io::Result<()> {
        fs::remove_dir_all(&self.place)?;
        fs::remove_dir_all(&self.entry)?;
        // It stays while there are others.
        let _others = self.entry.parent().map(fs::remove_dir);
        Ok(())
    }
}

/// Where a repository lists its worktrees. A link there would have us write somewhere else.
fn entries_of(common: &Path) -> io::Result<PathBuf> {
    let entries = common.join("worktrees");
    match fs::create_dir(&entries) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        made => made?,
    }
    if entries.symlink_metadata()?.is_dir() {
        return Ok(entries);
    }
    Err(io::Error::other(format!("{} is no directory", entries.display())))
}

fn line(begin: &[u8], path: &Path) -> Vec<u8> {
    [begin, path.as_os_str().as_bytes(), b"\n"].concat()
}
