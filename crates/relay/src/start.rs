//! Starts a daemon, and waits until it is ready or says why not.

use std::{
    ffi::OsString,
    io::{self, Read},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::{Error, Place, daemon::arguments, place};

/// How long a daemon may take until it is ready, as in caic.
const READY: Duration = Duration::from_secs(30);
pub(crate) const READY_WORD: &str = "ready\n";

/// What to hold, and where.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The program that is the daemon when it is started with `relay daemon …`, see [`crate::daemon::run`].
    pub program: PathBuf,
    /// Where the relay's files lie.
    pub place: Place,
    /// How.
    pub options: Options,
    /// The child: a program and its arguments.
    pub command: Vec<OsString>,
    /// Added to the environment of the daemon and its child, or with `None` removed from it.
    pub environment: Vec<(OsString, Option<OsString>)>,
    /// Added to the environment of the child only, by which it and what it starts are told from the daemon. Everybody on
    /// the machine can read it in the daemon's arguments.
    pub signs: Vec<(OsString, OsString)>,
}

/// How the child is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Where the child runs.
    pub directory: PathBuf,
    /// Whether what clients send is in the log too.
    pub log_stdin: bool,
    /// Whether changes in git are counted, and put into the log.
    pub diff_stat: bool,
    /// Whether a client that has everything hears whole lines before they are in the log. It is sooner told, by what a write to
    /// a file takes; and a relay that is killed in between leaves a log that ends before what was told. For clients that keep
    /// what they hear, and never go on with the log of another relay.
    pub ahead: bool,
    /// After so long without a client the child's stdin is closed; never, if `None`.
    pub idle: Option<Duration>,
}

/// Starts the daemon. It lives on when its starter ends.
pub fn start(mut launch: Launch) -> Result<(), Error> {
    if launch.command.is_empty() {
        return Err(Error::input(
            "no command after '--'",
            "name a program, for example: -- codex app-server",
        ));
    }
    launch.options.directory = place::existing(&launch.options.directory)?;
    #[expect(clippy::disallowed_methods, reason = "the daemon owns itself; a thread below awaits it")]
    let mut command = Command::new(&launch.program);
    command
        .args(arguments::written(&launch))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    for (name, value) in &launch.environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let mut daemon = command.spawn().map_err(|error| {
        let what = format!("{} could not be started: {error}", launch.program.display());
        Error::failed(what, "look whether the program is still there, and at the system's limits")
    })?;
    let said = daemon.stdout.take().map(|said| hear(said, Instant::now() + READY)).unwrap_or_default();
    await_in_background(daemon);
    match said.as_str() {
        READY_WORD => Ok(()),
        other => Err(Error::read(other).unwrap_or_else(|| {
            let hint = format!("look at {}", launch.place.diary().display());
            Error::failed("the relay did not become ready", hint)
        })),
    }
}

/// Reads until the daemon closes the pipe, or until it is too late.
fn hear(mut from: ChildStdout, until: Instant) -> String {
    let mut heard = Vec::new();
    let mut piece = [0; 1024];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let Ok(left) = Timespec::try_from(left) else { break };
        match poll(&mut [PollFd::new(&from, PollFlags::IN)], Some(&left)) {
            Ok(1..) => {}
            Err(rustix::io::Errno::INTR) => continue,
            _ => break,
        }
        match from.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => break,
            Ok(length) => heard.extend_from_slice(piece.get(..length).unwrap_or_default()),
        }
    }
    String::from_utf8_lossy(&heard).into_owned()
}

/// A process that nobody awaits stays in the list of processes for as long as its parent lives.
fn await_in_background(mut daemon: Child) {
    let awaiting = thread::Builder::new().name("relay daemon".into()).spawn(move || daemon.wait());
    // Without a thread it is reaped when this process ends.
    drop(awaiting);
}
