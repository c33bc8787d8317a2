//! Where a relay's files lie, and what they say of it.

mod holes;
mod names;

use std::{
    env, fs,
    fs::{DirBuilder, OpenOptions},
    io::{self, Read, Write},
    os::unix::{
        fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt},
        net::UnixStream,
    },
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{Ended, Error};

/// What stands before a line of the child's stderr in the diary, as in caic's.
pub(crate) const STDERR_MARK: &str = "INFO bridge: ";
/// How long an answer may take; a relay does nothing that takes long.
const ANSWER: Duration = Duration::from_secs(10);

/// A relay's own directory: `output.jsonl`, `relay.sock`, `pid`, `exit`, `relay.log`, `lock`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    directory: PathBuf,
}

/// What the files of a place say of its relay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It answers.
    Running,
    /// Its child has ended, and so.
    Ended(Ended),
    /// It was there, and is gone without a word: how its child ended is not known.
    Killed,
    /// There was none.
    Nothing,
}

impl Place {
    /// In this directory.
    pub fn at(directory: &Path) -> Result<Self, Error> {
        let absolute = std::path::absolute(directory).map_err(|error| {
            Error::input(
                format!("{} is no place for a relay: {error}", directory.display()),
                "name a directory with --state",
            )
        })?;
        Ok(Self { directory: absolute })
    }

    /// In the private directory that a child's working directory names.
    pub fn of(working: &Path) -> Result<Self, Error> {
        let working = existing(working)?;
        let variable = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let states = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")));
        let states = states.ok_or_else(|| {
            Error::input("there is no home directory to keep the relay's files in", "name one with --state")
        })?;
        Self::at(&states.join("selvedge/relay").join(names::of(&working)))
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Everything the child said.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.directory.join("output.jsonl")
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.directory.join("relay.sock")
    }

    pub(crate) fn pid(&self) -> PathBuf {
        self.directory.join("pid")
    }

    pub(crate) fn exit(&self) -> PathBuf {
        self.directory.join("exit")
    }

    pub(crate) fn diary(&self) -> PathBuf {
        self.directory.join("relay.log")
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.directory.join("lock")
    }

    /// Makes it, for its user alone.
    pub(crate) fn prepare(&self) -> Result<(), Error> {
        let refused = |error: io::Error| {
            let what = format!("{} cannot hold the relay's files: {error}", self.directory.display());
            Error::input(what, "name another directory with --state")
        };
        DirBuilder::new().recursive(true).mode(0o700).create(&self.directory).map_err(refused)?;
        let there = fs::symlink_metadata(&self.directory).map_err(refused)?;
        if !there.is_dir() || there.uid() != rustix::process::geteuid().as_raw() {
            let what = format!("{} is not a directory of yours", self.directory.display());
            return Err(Error::input(what, "name another one with --state"));
        }
        fs::set_permissions(&self.directory, fs::Permissions::from_mode(0o700)).map_err(refused)
    }

    /// A file in it that only its user may read.
    pub(crate) fn private() -> OpenOptions {
        let mut options = OpenOptions::new();
        options.create(true).mode(0o600);
        options
    }

    /// Goes to the relay, if it is there, as its client: the log from this byte on, then what comes.
    pub fn attach(&self, offset: u64) -> io::Result<UnixStream> {
        let mut relay = self.connect()?;
        relay.write_all(format!("{{\"offset\": {offset}}}\n").as_bytes())?;
        Ok(relay)
    }

    /// Gives the disk back what the log holds before this byte. Offsets stay what they are; what is gone reads as zeros.
    ///
    /// Where the file system cannot do that, nothing happens.
    pub fn forget_before(&self, offset: u64) -> io::Result<()> {
        let log = OpenOptions::new().write(true).open(self.log())?;
        holes::punch(&log, offset)
    }

    /// The end of what the child wrote to stderr, at most so many bytes of the diary.
    #[must_use]
    pub fn stderr_tail(&self, most: usize) -> String {
        let diary = fs::read(self.diary()).unwrap_or_default();
        let end = diary.get(diary.len().saturating_sub(most)..).unwrap_or_default();
        let said = String::from_utf8_lossy(end);
        let lines = said.lines().filter_map(|line| line.split_once(STDERR_MARK).map(|(_, said)| said));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Goes to the relay, if it is there.
    pub(crate) fn connect(&self) -> io::Result<UnixStream> {
        names::connect(&self.directory, &self.socket())
    }

    /// What the relay says of itself: a line of JSON, and nothing if it is about to end.
    ///
    /// Only an answer is a sign of life: the socket of a process that is being killed can still be connected to.
    pub fn status(&self) -> io::Result<String> {
        let mut relay = self.connect()?;
        relay.set_read_timeout(Some(ANSWER))?;
        relay.write_all(b"{\"status\": true}\n")?;
        let mut status = String::new();
        relay.read_to_string(&mut status)?;
        Ok(status)
    }

    /// Whether there is a relay, and it lives.
    pub(crate) fn answers(&self) -> bool {
        self.status().is_ok_and(|status| status.ends_with('\n'))
    }

    /// What its files say, and it itself.
    #[must_use]
    pub fn standing(&self) -> Standing {
        if self.answers() {
            return Standing::Running;
        }
        let ended = fs::read_to_string(self.exit()).ok().and_then(|line| Ended::read(&line));
        match ended {
            Some(ended) => Standing::Ended(ended),
            None if self.pid().exists() || self.has_said_something() => Standing::Killed,
            None => Standing::Nothing,
        }
    }

    fn has_said_something(&self) -> bool {
        self.said() > 0
    }

    /// How much its log holds, what was forgotten of it included.
    #[must_use]
    pub fn said(&self) -> u64 {
        fs::metadata(self.log()).map_or(0, |log| log.len())
    }

    /// The daemon's process id, as its file has it.
    #[must_use]
    pub fn process(&self) -> Option<i32> {
        fs::read_to_string(self.pid()).ok()?.trim().parse().ok()
    }
}

/// A directory that exists, by its real path.
pub(crate) fn existing(directory: &Path) -> Result<PathBuf, Error> {
    let refused = |why: &dyn std::fmt::Display| {
        Error::input(
            format!("{} is no directory to work in: {why}", directory.display()),
            "name an existing one with --dir",
        )
    };
    let real = directory.canonicalize().map_err(|error| refused(&error))?;
    if real.is_dir() { Ok(real) } else { Err(refused(&"it is a file")) }
}
