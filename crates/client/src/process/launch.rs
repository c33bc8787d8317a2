//! Starts an app-server and the conversation with it.

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::Stdio,
};

use tokio::process::{Child, Command};
use uuid::Uuid;

use super::{
    Ladder, MARKER, Process,
    locate::{LocateError, find_codex},
    owner,
};
use crate::{
    client::Client,
    connection::{self, Options},
    error::Hint,
    inbox::Inbox,
};

/// A bigger pipe means fewer wake-ups in a flood; Linux allows it to anyone up to this size.
#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 1024 * 1024;

/// What to start, and how.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The native binary.
    pub program: PathBuf,
    /// Its arguments; `app-server` unless changed.
    pub arguments: Vec<OsString>,
    /// Where it runs; our own working directory, unless given.
    pub directory: Option<PathBuf>,
    /// Added to our environment, or with `None` removed from it.
    pub environment: Vec<(OsString, Option<OsString>)>,
    /// By what it and everything it starts is found again.
    pub marker: Uuid,
    /// How it is ended.
    pub ladder: Ladder,
    /// How the conversation is held.
    pub options: Options,
}

impl Launch {
    /// Codex from its path, its npm launcher, or, with `None`, the PATH.
    pub fn find(codex: Option<&Path>) -> Result<Self, LocateError> {
        Ok(Self::program(find_codex(codex)?))
    }

    /// Any program that speaks as `codex app-server` does.
    #[must_use]
    pub fn program(program: PathBuf) -> Self {
        Self {
            program,
            arguments: vec!["app-server".into()],
            directory: None,
            environment: Vec::new(),
            marker: Uuid::now_v7(),
            ladder: Ladder::default(),
            options: Options::default(),
        }
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), Some(value.into())));
        self
    }

    /// Sets where Codex keeps its configuration, login and threads.
    #[must_use]
    pub fn codex_home(self, home: impl Into<OsString>) -> Self {
        self.env("CODEX_HOME", home)
    }

    /// Overrides one key of Codex's configuration (`-c key=value`).
    #[must_use]
    pub fn config(mut self, key_value: impl Into<OsString>) -> Self {
        self.arguments.extend(["-c".into(), key_value.into()]);
        self
    }

    /// Runs it in this directory.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Holds the conversation like this.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    fn command(&self) -> Command {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the right door: the child gets an owner and a marker"
        )]
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: Ctrl-C at a terminal is for us to handle, not for Codex to die of.
        command.process_group(0);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.env(MARKER, self.marker.to_string());
        command
    }
}

/// Why an app-server could not be started.
#[derive(Debug, thiserror::Error)]
#[error("{} could not be started{}: {error}", .program.display(), in_directory(.directory.as_deref()))]
pub struct LaunchError {
    /// What was to be started.
    pub program: PathBuf,
    /// Where.
    pub directory: Option<PathBuf>,
    /// Why not.
    pub error: io::Error,
}

fn in_directory(directory: Option<&Path>) -> String {
    directory.map(|directory| format!(" in {}", directory.display())).unwrap_or_default()
}

impl Hint for LaunchError {
    fn hint(&self) -> Option<String> {
        if let Some(directory) = self.directory.as_ref().filter(|directory| !directory.is_dir()) {
            return Some(format!("{} is not a directory: create it, or choose another", directory.display()));
        }
        Some(match self.error.kind() {
            io::ErrorKind::NotFound => {
                "install Codex with `npm install -g @openai/codex`, or name it with --codex PATH".into()
            }
            io::ErrorKind::PermissionDenied => {
                format!("make it executable: chmod +x {}", self.program.display())
            }
            _ => format!("try it by hand: {} --version", self.program.display()),
        })
    }
}

/// A running app-server and the conversation with it.
#[derive(Debug)]
pub struct AppServer {
    /// Asks and answers.
    pub client: Client,
    /// What Codex says.
    pub inbox: Inbox,
    /// Ends it, and knows how it ended.
    pub process: Process,
}

impl AppServer {
    /// Starts it. Dropping the client closes its stdin, and with that it ends; its owner awaits it either way.
    pub fn spawn(launch: Launch) -> Result<Self, LaunchError> {
        let failed = |error| LaunchError {
            program: launch.program.clone(),
            directory: launch.directory.clone(),
            error,
        };
        let mut child = launch.command().spawn().map_err(failed)?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed(io::Error::other("its pipes are missing")));
        };
        #[cfg(target_os = "linux")]
        {
            // Where the limit is lower, the default size works too.
            let _smaller = rustix::pipe::fcntl_setpipe_size(&stdout, PIPE_BYTES);
        }
        let (client, inbox, streams) = connection::start(stdout, stdin, &launch.options);
        let owned = owner::Owned { child, streams, marker: launch.marker, ladder: launch.ladder };
        let process = owner::own(owned, stderr, &client);
        Ok(Self { client, inbox, process })
    }
}

/// The process id, while it has not been reaped.
pub(super) fn pid(child: &Child) -> Option<rustix::process::Pid> {
    child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed()))
}
