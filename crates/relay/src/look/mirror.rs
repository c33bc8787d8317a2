//! A mirror of a repository: its objects, refs and index, below a configuration of our own.
//!
//! It has to lie where no agent writes, and not among temporary files, where Codex's sandbox lets them: a file that is put into
//! it could name a program.

use std::{
    collections::HashMap,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    sync::{LazyLock, Mutex, PoisonError},
};

use super::{
    Hashes, Operator, Repository, announced, asking, guarded,
    place::{Place, directory, link, write},
    settings::{self, Settings},
};

/// `HEAD` is a line.
const LONGEST_HEAD: u64 = 4 << 10;
/// More is no configuration and no list of what to ignore.
const LONGEST_TEXT: u64 = 1 << 20;
/// An index of several million files.
const LONGEST_INDEX: u64 = 1 << 30;
/// Parts that an index is split into.
const MOST_PARTS: usize = 16;
/// Configurations that are remembered by what stands in them.
const REMEMBERED: usize = 64;
const LONGEST_REMEMBERED: usize = 64 << 10;

static KNOWN: LazyLock<Mutex<HashMap<Vec<u8>, Settings>>> = LazyLock::new(Mutex::default);

/// A mirror without its configuration: what the repository's says has to be asked first.
#[derive(Debug)]
pub struct Draft {
    place: Place,
    repository: Repository,
    config: Vec<u8>,
}

/// What git is shown. It goes when it is dropped.
#[derive(Debug)]
pub struct Mirror {
    place: Place,
    repository: Repository,
    hashes: Hashes,
    has_reftable: bool,
}

impl Draft {
    /// Begins one in a directory of looks, which is made if it is not there.
    pub fn begin(looks: &Path, repository: Repository) -> io::Result<Self> {
        let place = Place::new(looks)?;
        let config = guarded::bytes(&repository.common.join("config"), LONGEST_TEXT)?.unwrap_or_default();
        Ok(Self { place, repository, config })
    }

    /// What git has to be asked of the repository's configuration; nothing, if that is known. A copy is asked about, and none of
    /// what it includes.
    pub fn question(&self) -> io::Result<Option<Command>> {
        if self.config.is_empty() || known(&self.config).is_some() {
            return Ok(None);
        }
        write(&self.place.path().join("theirs"), &self.config)?;
        let mut git = asking::git(self.place.path());
        git.env("GIT_DIR", "/dev/null");
        git.args(["config", "--file", "theirs", "--no-includes", "-z", "--get-regexp", settings::WANTED]);
        Ok(Some(git))
    }

    /// The mirror, with what git answered: nothing, if it was not asked or has nothing of that.
    pub fn finish(self, said: &[u8], operator: &Operator) -> io::Result<Mirror> {
        let Self { place, repository, config } = self;
        let settings = known(&config).unwrap_or_else(|| {
            let read = Settings::read(said);
            remember(config, &read);
            read
        });
        let settings = settings.or(&operator.settings);
        let mut written = settings.written();
        if let Some(ignored) = operator.ignored.as_ref().and_then(|path| path.to_str()) {
            let _infallible = writeln!(written, "[core]\n\texcludesFile = {}", settings::quoted(ignored));
        }
        write(&place.path().join("config"), written.as_bytes())?;
        let (hashes, has_reftable) = (settings.hashes(), settings.has_reftable());
        let mirror = Mirror { place, repository, hashes, has_reftable };
        mirror.furnish()?;
        Ok(mirror)
    }
}

impl Mirror {
    /// What it is a mirror of.
    #[must_use]
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// How objects are named.
    #[must_use]
    pub fn hashes(&self) -> Hashes {
        self.hashes
    }

    /// Whether refs lie in tables, and not in files.
    #[must_use]
    pub fn has_reftable(&self) -> bool {
        self.has_reftable
    }

    /// Git on this mirror, in a directory of the repository's.
    #[must_use]
    pub fn git(&self, directory: &Path) -> Command {
        let mut git = asking::git(self.place.path());
        git.env("GIT_DIR", self.own()).env("GIT_OBJECT_DIRECTORY", self.repository.common.join("objects"));
        if let Some(top) = &self.repository.top {
            git.env("GIT_WORK_TREE", top).arg("-C").arg(directory);
        }
        git
    }

    /// What has to be run so that [new files](super::NEW_FILES) are known to the mirror's index; nothing, if there are none.
    pub fn announce(&self, new_files: &[u8]) -> io::Result<Option<Command>> {
        let Some(entries) = announced::entries(new_files, self.hashes) else { return Ok(None) };
        let list = self.place.path().join("new");
        write(&list, &entries)?;
        let mut git = self.git(self.place.path());
        git.args(["update-index", "-z", "--index-info"]).stdin(fs::File::open(list)?);
        Ok(Some(git))
    }

    /// Lets git see which worktrees there are.
    pub fn show_worktrees(&self) -> io::Result<()> {
        link(&self.repository.common.join("worktrees"), &self.place.path().join("worktrees"))
    }

    fn own(&self) -> PathBuf {
        if self.repository.is_linked() { self.place.path().join("own") } else { self.place.path().to_owned() }
    }

    fn furnish(&self) -> io::Result<()> {
        let Repository { own: theirs, common, .. } = &self.repository;
        let (place, own) = (self.place.path(), self.own());
        for part in ["refs", "packed-refs", "shallow", "reftable"] {
            link(&common.join(part), &place.join(part))?;
        }
        if let Some(ignored) =
            guarded::bytes(&common.join("info/exclude"), LONGEST_TEXT)?.filter(|it| says_something(it))
        {
            directory(&place.join("info"))?;
            write(&place.join("info/exclude"), &ignored)?;
        }
        guarded::copy(&common.join("HEAD"), &place.join("HEAD"), LONGEST_HEAD)?;
        if self.repository.is_linked() {
            directory(&own)?;
            write(&own.join("commondir"), b"..\n")?;
            guarded::copy(&theirs.join("HEAD"), &own.join("HEAD"), LONGEST_HEAD)?;
            link(&theirs.join("refs"), &own.join("refs"))?;
            link(&theirs.join("reftable"), &own.join("reftable"))?;
        }
        guarded::copy(&theirs.join("index"), &own.join("index"), LONGEST_INDEX)?;
        link_parts_of_index(theirs, &own)
    }
}

fn known(config: &[u8]) -> Option<Settings> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(config).cloned()
}

fn remember(config: Vec<u8>, settings: &Settings) {
    if config.len() > LONGEST_REMEMBERED {
        return;
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= REMEMBERED {
        known.clear();
    }
    known.insert(config, settings.clone());
}

/// A repository is made with a list of nothing but comments. To make a file takes longer than to look at one.
fn says_something(ignored: &[u8]) -> bool {
    ignored.split(|byte| *byte == b'\n').any(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"))
}

/// An index may stand on a part that changes rarely, which lies beside it.
fn link_parts_of_index(theirs: &Path, own: &Path) -> io::Result<()> {
    let parts = fs::read_dir(theirs)?.flatten().map(|found| found.file_name());
    let parts = parts.filter(|name| name.to_str().is_some_and(|name| name.starts_with("sharedindex.")));
    for part in parts.take(MOST_PARTS) {
        link(&theirs.join(&part), &own.join(&part))?;
    }
    Ok(())
}
