//! Running it: over any two streams, or over stdin and stdout as a process.

use std::{
    ffi::OsString,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, Mutex, Weak},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader},
    net::unix::pipe,
    signal::unix::{SignalKind, signal},
    task::JoinSet,
};

use super::{
    dispatch,
    faults::Faults,
    outbox::{self, Outbox, Writer, Written},
    server::{Parts, Server},
    store::Store,
    wire,
};
use crate::scenario::Scenario;

/// What a simulated app-server is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// What it plays.
    pub scenario: Scenario,
    /// How it misbehaves.
    pub faults: Faults,
    /// `CODEX_HOME`: threads are kept under `rehearsal/threads` in it. Without it they live as long as the process.
    pub home: Option<PathBuf>,
    /// Set for the commands it runs, or with `None` removed; else they have its own environment.
    pub env: Vec<(OsString, Option<OsString>)>,
}

/// How a conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The client closed its end.
    Eof,
    /// The client no longer reads.
    ReaderGone,
    /// SIGTERM.
    Terminated,
    /// A fault ended it, with this exit code, and without cleaning up.
    Crashed(i32),
}

/// Serves one conversation until it ends.
pub async fn serve<R, W>(options: Options, input: R, output: W) -> io::Result<End>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    serve_until(options, input, output, std::future::pending()).await
}

async fn serve_until<R, W>(
    options: Options,
    input: R,
    output: W,
    stop: impl Future<Output = ()>,
) -> io::Result<End>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (outbox, queue) = outbox::open();
    let mut writing = JoinSet::new();
    writing.spawn(Writer::new(output, &options.faults).run(queue));
    let tasks = Arc::new(Mutex::new(JoinSet::new()));
    let server = Arc::new(server(options, outbox, Arc::downgrade(&tasks))?);
    let mut leash = Leash(Some(Arc::clone(&server)));
    let end = tokio::select! {
        end = converse(&server, input) => end?,
        written = writing.join_next() => ended_by_writer(written.and_then(Result::ok)),
        () = stop => End::Terminated,
    };
    // Before the commands die: no turn is to see that and to go on.
    drop(tasks);
    if matches!(end, End::Crashed(_)) {
        leash.0 = None;
    }
    drop(leash);
    // What was said before the end is still written; with the last sender gone, the writer is done.
    drop(server);
    if end == End::Eof {
        while writing.join_next().await.is_some() {}
    }
    Ok(end)
}

/// Commands end with the conversation, also if whoever serves it is dropped; only a crash leaves them behind.
struct Leash(Option<Arc<Server>>);

impl Drop for Leash {
    fn drop(&mut self) {
        if let Some(server) = &self.0 {
            server.kill_commands();
        }
    }
}

fn server(options: Options, outbox: Outbox, tasks: Weak<Mutex<JoinSet<()>>>) -> io::Result<Server> {
    let store = Store::open(options.home.as_deref())?;
    let codex_home = options.home.unwrap_or_else(|| std::env::temp_dir().join("selvedge-rehearsal"));
    let codex_home = codex_home.to_string_lossy().into_owned();
    Ok(Server::new(Parts {
        outbox,
        scenario: options.scenario,
        faults: options.faults,
        store,
        codex_home,
        env: options.env,
        tasks,
    }))
}

fn ended_by_writer(written: Option<Written>) -> End {
    match written {
        Some(Written::Crashed(code)) => End::Crashed(code),
        _ => End::ReaderGone,
    }
}

/// Reads lines to the end of the input.
async fn converse(server: &Arc<Server>, input: impl AsyncRead + Unpin) -> io::Result<End> {
    let mut dispatcher = dispatch::Dispatcher::new(Arc::clone(server));
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).await? > 0 {
        dispatcher.take(wire::read(&line)).await;
        line.clear();
    }
    if server.faults.ignore_eof {
        std::future::pending::<()>().await;
    }
    Ok(End::Eof)
}

/// Runs it on stdin and stdout, to the exit code of the process.
pub fn run(options: Options) -> ExitCode {
    if let Some(bytes) = options.faults.stderr_flood {
        flood_stderr(bytes);
    }
    // One thread does all of it: with more, each line that is written wakes another one, and whoever reads it waits for that.
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error),
    };
    let end = runtime.block_on(until_terminated(options));
    // A read of stdin cannot be called back; it must not hold up the end.
    runtime.shutdown_background();
    match end {
        Ok(End::Crashed(code)) => ExitCode::from(u8::try_from(code & 0xff).unwrap_or(1)),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

async fn until_terminated(options: Options) -> io::Result<End> {
    let mut terminate = signal(SignalKind::terminate())?;
    let ignored = options.faults.ignore_sigterm;
    let terminated = async move {
        terminate.recv().await;
        if ignored {
            std::future::pending::<()>().await;
        }
    };
    let stdin = tokio::io::stdin();
    match own_pipe() {
        Some(pipe) => Box::pin(serve_until(options, stdin, pipe, terminated)).await,
        None => Box::pin(serve_until(options, stdin, tokio::io::stdout(), terminated)).await,
    }
}

/// Stdout opened once more, if it is a pipe: tokio's own stdout copies everything and changes threads for each write,
/// which a flood cannot afford. Opened anew, because a pipe that does not block must not be shared with stderr.
fn own_pipe() -> Option<pipe::Sender> {
    pipe::OpenOptions::new().open_sender("/proc/self/fd/1").ok()
}

fn failed(error: &io::Error) -> ExitCode {
    eprintln!("rehearsal: {error}");
    ExitCode::FAILURE
}

/// A client that does not drain stderr hangs here, before a word is said on stdout.
fn flood_stderr(bytes: u64) {
    let mut stderr = io::stderr().lock();
    let line = format!("{}\n", "x".repeat(79));
    for _ in 0..bytes.div_ceil(80) {
        if stderr.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}
