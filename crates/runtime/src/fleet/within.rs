//! A stand-in that speaks within this program: a task takes the place of a process, and nothing has to be installed.

use std::{ffi::OsString, fmt, io, path::PathBuf, pin::Pin, sync::Arc, time::Duration};

use selvedge_client::{Client, End, Inbox, Launch, connect_to, process::MARKER};
use tokio::{
    io::DuplexStream,
    task::{AbortHandle, JoinHandle},
};

/// What may wait between the two, as in a pipe.
const PIPE: usize = 64 * 1024;

type Serve =
    dyn Fn(Stage, DuplexStream) -> Pin<Box<dyn Future<Output = io::Result<()>> + Send>> + Send + Sync;

/// A stand-in that speaks within this program. It serves each conversation to its end.
///
/// For [`Rehearsal::within`](crate::Rehearsal::within): like every stand-in it is asked for by name only.
#[derive(Clone)]
pub struct Within {
    serve: Arc<Serve>,
}

/// What a process would have been started with.
pub struct Stage {
    /// Where it keeps its files, if anywhere.
    pub codex_home: Option<PathBuf>,
    /// Set for the commands that it runs, or with `None` removed. Values may be secrets.
    pub env: Vec<(OsString, Option<OsString>)>,
}

impl Within {
    /// A stand-in from an async function, which is called for each app-server that is needed. What it is given is both
    /// stdin and stdout; it has ended when its future has.
    pub fn new<F>(serve: impl Fn(Stage, DuplexStream) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = io::Result<()>> + Send + 'static,
    {
        Self { serve: Arc::new(move |stage, stream| Box::pin(serve(stage, stream))) }
    }

    /// Begins a conversation.
    pub(super) fn begin(&self, launch: Launch) -> (Client, Inbox, Held) {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let codex_home = home(&launch);
        // As of any app-server: what it starts is known by whose it is, and ended if we are killed.
        let mut env = launch.environment;
        env.push((MARKER.into(), Some(launch.marker.to_string().into())));
        let stage = Stage { codex_home, env };
        #[expect(clippy::disallowed_methods, reason = "whoever awaits the conversation's end awaits it")]
        let task = tokio::spawn((self.serve)(stage, theirs));
        let held = Held { task: task.abort_handle() };
        let (input, output) = tokio::io::split(ours);
        let look = async move |closed_by| End::new(closed_by, None, &last_words(task).await);
        let (client, inbox) = connect_to(input, output, &launch.options, look);
        (client, inbox, held)
    }
}

/// Only clones are equal: what a function does cannot be compared.
impl PartialEq for Within {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.serve, &other.serve)
    }
}

impl fmt::Debug for Within {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Within")
    }
}

fn home(launch: &Launch) -> Option<PathBuf> {
    let (_, value) = launch.environment.iter().rfind(|(name, _)| name == "CODEX_HOME")?;
    value.clone().map(PathBuf::from)
}

/// What a process would have written to stderr.
async fn last_words(task: JoinHandle<io::Result<()>>) -> String {
    match task.await {
        Ok(Ok(())) => String::new(),
        Ok(Err(error)) => error.to_string(),
        Err(ended) if ended.is_panic() => "the stand-in panicked".to_owned(),
        Err(_killed) => "the stand-in was stopped".to_owned(),
    }
}

/// A stand-in that speaks. It ends with this.
#[derive(Debug)]
pub(super) struct Held {
    task: AbortHandle,
}

impl Held {
    /// Says no more to it, and waits so long for its end.
    pub(super) async fn shut_down(&self, client: &Client, patience: Duration) {
        client.close();
        if tokio::time::timeout(patience, client.ended()).await.is_err() {
            self.kill(client).await;
        }
    }

    /// Ends it where it is.
    pub(super) async fn kill(&self, client: &Client) -> Arc<End> {
        self.task.abort();
        client.ended().await
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.task.abort();
    }
}
