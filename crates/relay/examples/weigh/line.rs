//! The way to a child and back: a pair of pipes, or a relay's socket.

use std::{
    env,
    error::Error,
    fs,
    io::{self, Read, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use selvedge_relay::{Launch, Options, Place, start, stop};
use tempfile::TempDir;

/// An open way. Its child ends with it.
pub(crate) enum Line {
    Bare(Child),
    Relay { socket: UnixStream, place: Place, _folder: TempDir },
}

impl Line {
    /// Starts ourselves as `what`, behind the daemon that this program is.
    pub(crate) fn open(daemon: Option<&Path>, what: &str, count: usize) -> Result<Self, Box<dyn Error>> {
        let own = env::current_exe()?;
        let words = [what.to_owned(), count.to_string()];
        let Some(program) = daemon else {
            #[expect(clippy::disallowed_methods, reason = "ended when the line is dropped")]
            let mut command = Command::new(own);
            let child = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
            return Ok(Self::Bare(child));
        };
        let folder = tempfile::tempdir()?;
        let place = Place::at(&folder.path().join("state"))?;
        let options = Options {
            directory: folder.path().into(),
            log_stdin: false,
            diff_stat: false,
            ahead: true,
            idle: None,
        };
        let command = [own.into()].into_iter().chain(words.map(Into::into)).collect();
        let (program, environment) = (program.into(), Vec::new());
        start(Launch { program, place: place.clone(), options, command, environment, signs: Vec::new() })?;
        let mut socket = UnixStream::connect(place.directory().join("relay.sock"))?;
        socket.write_all(b"{\"offset\": 0}\n")?;
        Ok(Self::Relay { socket, place, _folder: folder })
    }

    pub(crate) fn sender(&mut self) -> io::Result<&mut dyn Write> {
        match self {
            Self::Bare(child) => child.stdin.as_mut().map(|stdin| stdin as &mut dyn Write).ok_or_else(gone),
            Self::Relay { socket, .. } => Ok(socket),
        }
    }

    pub(crate) fn receiver(&self) -> io::Result<Box<dyn Read>> {
        match self {
            Self::Bare(child) => {
                let stdout = child.stdout.as_ref().ok_or_else(gone)?;
                Ok(Box::new(fs::File::from(std::os::fd::AsFd::as_fd(stdout).try_clone_to_owned()?)))
            }
            Self::Relay { socket, .. } => Ok(Box::new(socket.try_clone()?)),
        }
    }

    /// Where the relay keeps what the child says.
    pub(crate) fn log(&self) -> PathBuf {
        match self {
            Self::Bare(_) => PathBuf::new(),
            Self::Relay { place, .. } => place.log(),
        }
    }

    /// A figure of the daemon's memory, in KiB.
    pub(crate) fn memory(&self, figure: &str) -> Option<f64> {
        let Self::Relay { place, .. } = self else { return None };
        let read = |name| fs::read_to_string(format!("/proc/{}/{name}", place.process()?)).ok();
        let figures = format!("{}{}", read("status")?, read("smaps_rollup")?);
        let line = figures.lines().find_map(|line| line.strip_prefix(figure))?;
        line.split_whitespace().next()?.parse().ok()
    }
}

fn gone() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}

impl Drop for Line {
    fn drop(&mut self) {
        // What has ended already needs no end.
        match self {
            Self::Bare(child) => {
                drop(child.stdin.take());
                let _ended = child.kill().and_then(|()| child.wait());
            }
            Self::Relay { place, .. } => drop(stop(place)),
        }
    }
}
