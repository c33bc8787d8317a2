//! The child: started, awaited, and ended if somebody wants that.

use std::{
    io::{self, ErrorKind, Write},
    os::unix::{net::UnixStream, process::CommandExt},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::Instant,
};

use rustix::{
    io::ioctl_fionbio,
    process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid},
};

use super::{
    arguments::Task,
    times::{AFTER_EOF, AFTER_TERM},
};
use crate::{Ended, Error};

/// A bigger pipe means fewer wake-ups in a flood; Linux allows it to anyone up to this size.
#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 1024 * 1024;

/// The child and what it says.
#[derive(Debug)]
pub(super) struct Held {
    child: Child,
    pub(super) pid: Pid,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
    pub(super) started: Instant,
    pub(super) ended: Option<(Ended, Instant)>,
    ladder: Option<Rung>,
}

/// How far down the ladder, and when it goes on.
#[derive(Debug, Clone, Copy)]
enum Rung {
    Eof(Instant),
    Term(Instant),
    Kill,
}

/// Starts it. `wake` gets a byte when it has ended.
pub(super) fn spawn(task: &Task, wake: UnixStream) -> Result<(Held, ChildStdin), Error> {
    let (program, arguments) = task.command.split_first().ok_or_else(|| {
        Error::input("no command after '--'", "name a program, for example: -- codex app-server")
    })?;
    #[expect(clippy::disallowed_methods, reason = "this is the child's owner")]
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&task.options.directory).process_group(0);
    command.envs(task.signs.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let refused = |error: io::Error| {
        let what = format!("{} could not be started: {error}", program.to_string_lossy());
        Error::input(what, hint(error.kind()))
    };
    let mut child = command.spawn().map_err(refused)?;
    let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let ((Some(stdin), Some(stdout), Some(stderr)), Some(pid)) = (streams, pid) else {
        return Err(refused(io::Error::other("its pipes are missing")));
    };
    let prepared = prepare(&stdin, &stdout, &stderr).and_then(|()| watch(pid, wake));
    prepared.map_err(refused)?;
    let held = Held {
        child,
        pid,
        stdout: Some(stdout),
        stderr: Some(stderr),
        started: Instant::now(),
        ended: None,
        ladder: None,
    };
    Ok((held, stdin))
}

fn hint(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotFound => {
            "name a program that is on the PATH, or its path; codex: npm install -g @openai/codex"
        }
        ErrorKind::PermissionDenied => "make it executable, or name another program",
        _ => "try it by hand",
    }
}

fn prepare(stdin: &ChildStdin, stdout: &ChildStdout, stderr: &ChildStderr) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        // Where the limit is lower, the default size works too.
        let _smaller = rustix::pipe::fcntl_setpipe_size(stdout, PIPE_BYTES);
    }
    ioctl_fionbio(stdin, true)?;
    ioctl_fionbio(stdout, true)?;
    ioctl_fionbio(stderr, true)?;
    Ok(())
}

/// Waits beside the loop. It does not reap: as long as the loop has not, the process id is the child's.
fn watch(pid: Pid, mut wake: UnixStream) -> io::Result<()> {
    let waiting = move || {
        let ended = || waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        while matches!(ended(), Err(rustix::io::Errno::INTR)) {}
        // The loop is gone only when the whole daemon is.
        let _gone = wake.write_all(&[1]);
    };
    thread::Builder::new().name("child".into()).stack_size(64 * 1024).spawn(waiting).map(drop)
}

impl Held {
    /// Looks whether it has ended.
    pub(super) fn look(&mut self, now: Instant) {
        if self.ended.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            self.ended = Some((status.into(), now));
        }
    }

    /// Its stdin has been closed, and it is to end.
    pub(super) fn descend(&mut self, now: Instant) {
        self.ladder = Some(self.ladder.unwrap_or(Rung::Eof(now + AFTER_EOF)));
    }

    /// To the foot of the ladder. Only a child that has not been reaped is signalled.
    pub(super) fn kill(&mut self) {
        if self.ended.is_none() {
            self.ladder = Some(Rung::Kill);
            // As in `push`.
            let _gone = kill_process_group(self.pid, Signal::KILL);
        }
    }

    /// When the next rung comes.
    pub(super) fn due(&self) -> Option<Instant> {
        match self.ladder.filter(|_| self.ended.is_none())? {
            Rung::Eof(due) | Rung::Term(due) => Some(due),
            Rung::Kill => None,
        }
    }

    /// The next rung; says which. Only a child that has not been reaped is signalled.
    pub(super) fn push(&mut self, now: Instant) -> Option<&'static str> {
        // It can only fail because the child is gone, and then it is about to be reaped.
        let (next, said, _gone) = match self.ladder? {
            Rung::Eof(_) => (Rung::Term(now + AFTER_TERM), "SIGTERM", kill_process(self.pid, Signal::TERM)),
            Rung::Term(_) => (Rung::Kill, "SIGKILL", kill_process_group(self.pid, Signal::KILL)),
            Rung::Kill => return None,
        };
        self.ladder = Some(next);
        Some(said)
    }
}
