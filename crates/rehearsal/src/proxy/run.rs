//! Runs the program behind the proxy and ends as it ends.

use std::{
    ffi::OsString,
    fs::OpenOptions,
    io::{self, Write},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{ExitCode, ExitStatus, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, getpid, kill_process};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    process::{Child, Command},
    signal::unix::{self, SignalKind, signal},
    sync::mpsc,
    task::JoinSet,
    time::timeout,
};

use super::{
    dice::{Dice, mixed},
    frame::Names,
    future::Future,
    kind::{Direction, Whom},
    log::Log,
    pump::{Pump, Shared, Silence},
    spec::ProxyFaults,
};

/// How long the words of a dead child are waited for: something it left behind may hold its stdout open.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What a proxy is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// How it misbehaves.
    pub faults: ProxyFaults,
    /// The program behind it, and its arguments.
    pub command: Vec<OsString>,
    /// Where it also writes what it did.
    pub log: Option<PathBuf>,
}

/// Runs on stdin and stdout until the program ends; its exit code is ours, and so is the signal it died of.
pub fn run(options: Options) -> io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let ended = runtime.block_on(between(options));
    // A read of stdin cannot be called back; it must not hold up the end.
    runtime.shutdown_background();
    ended.map(end_like)
}

async fn between(mut options: Options) -> io::Result<ExitStatus> {
    if let Some(file) = &options.faults.starts {
        options.faults.seed = mixed(options.faults.seed ^ count_start(file)?);
    }
    let log = Log::open(options.log.as_deref())?;
    // Before there is a child, so that no signal finds us without an ear for it.
    let signals = Signals::listen()?;
    let mut child = spawn(&options.command)?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (kills, mut orders) = mpsc::channel(4);
    let future = options.faults.future.map(|percent| Future::new(options.faults.seed, percent, &log));
    let shared = Shared { names: Names::default(), silence: Silence::default(), kills, log, future };
    let pump = |direction| (direction, Dice::new(&options.faults, direction), shared.clone());
    let mut to = JoinSet::new();
    let mut from = JoinSet::new();
    if let (Some(stdin), Some(stdout)) = (stdin, stdout) {
        to.spawn(pumped(pump(Direction::ToCodex), tokio::io::stdin(), stdin));
        from.spawn(pumped(pump(Direction::FromCodex), stdout, tokio::io::stdout()));
    }
    let (status, killed) = until_ended(&mut child, signals, &mut orders).await?;
    // How a pump ended does not matter any more: what it could pass, it has passed.
    let _still_open = timeout(LAST_WORDS, from.join_next()).await;
    if killed || orders.try_recv().is_ok() {
        // Also if the child was quicker and had ended by itself: a run can be had again.
        end_by(Signal::KILL);
    }
    Ok(status)
}

async fn pumped(
    (direction, dice, shared): (Direction, Dice, Shared),
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    Pump { output, direction, dice, shared }.run(input).await
}

#[expect(clippy::disallowed_methods, reason = "the proxy is its owner, awaits it, and hands on its marker")]
fn spawn(command: &[OsString]) -> io::Result<Child> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no program to run behind the proxy"));
    };
    // In our process group: a kill of the group is a kill of both, as if there were one process.
    Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

/// The signals that are not our own business.
struct Signals {
    terminate: unix::Signal,
    /// These come from a terminal, to the whole group; the child decides what they mean.
    interrupt: unix::Signal,
    hang_up: unix::Signal,
}

impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }
}

/// Waits for the child, and says whether it was to be killed; meanwhile SIGTERM is for the child to heed.
async fn until_ended(
    child: &mut Child,
    mut signals: Signals,
    orders: &mut mpsc::Receiver<Whom>,
) -> io::Result<(ExitStatus, bool)> {
    let mut killed = false;
    loop {
        tokio::select! {
            status = child.wait() => return Ok((status?, killed)),
            _ = signals.terminate.recv() => pass_on(child, Signal::TERM),
            _ = signals.interrupt.recv() => {}
            _ = signals.hang_up.recv() => {}
            Some(whom) = orders.recv() => {
                killed = true;
                pass_on(child, Signal::KILL);
                if whom == Whom::Both {
                    end_by(Signal::KILL);
                }
            }
        }
    }
}

/// It can only fail because the child is gone, and then it is about to be reaped.
fn pass_on(child: &Child, signal: Signal) {
    if let Some(pid) = child.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
        let _gone = kill_process(pid, signal);
    }
}

/// Our own end by a signal. It returns only if the signal is one that we handle.
fn end_by(signal: Signal) {
    let _handled = kill_process(getpid(), signal);
}

fn end_like(status: ExitStatus) -> ExitCode {
    if let Some(signal) = status.signal().and_then(Signal::from_named_raw) {
        end_by(signal);
    }
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    ExitCode::from(u8::try_from(code & 0xff).unwrap_or(1))
}

/// How many times a proxy was started with this file: one byte each.
fn count_start(file: &Path) -> io::Result<u64> {
    let mut file = OpenOptions::new().create(true).append(true).open(file)?;
    file.write_all(b".")?;
    Ok(file.metadata()?.len())
}
