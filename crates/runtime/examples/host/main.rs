//! A runtime behind NDJSON on stdin and stdout: what `cargo xtask chaos` kills and starts again. Not a product surface.
//!
//! `host CONFIG.json` opens a runtime. A command is `{id, op, …}`, its answer `{id, ok}` or `{id, error: {code, message}}`, in any
//! order. `{op: follow, session, after, reader}` opens a reader; its events come as `{reader, event}`. The end of stdin is
//! the end of the runtime. `{op: leave}` is the last command: app-servers behind relays (`relay: {program, idle_seconds}` in the
//! configuration) go on without us.

mod commands;
mod configuration;
mod readers;

use std::{error::Error, fs, sync::Arc};

use selvedge_runtime::Runtime;
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, BufWriter},
    sync::mpsc,
    task::JoinSet,
};

use commands::Command;
use readers::Readers;

/// Lines that may wait for stdout; then everybody who speaks waits, as behind any slow pipe.
const WAITING: usize = 256;

/// How the host goes.
enum Parting {
    /// With everything it started.
    ShutDown,
    /// Alone.
    Leave,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let config = std::env::args().nth(1).ok_or("which configuration? host CONFIG.json")?;
    let runtime = Runtime::open(configuration::read(&fs::read_to_string(config)?)?).await?;
    let (lines, waiting) = mpsc::channel(WAITING);
    let mut writing = JoinSet::new();
    writing.spawn(write(waiting));
    match serve(&runtime, lines).await? {
        Parting::ShutDown => runtime.shut_down().await,
        Parting::Leave => runtime.leave().await,
    }
    while writing.join_next().await.is_some() {}
    Ok(())
}

/// Takes commands to the end of stdin or the last one; each is done by itself, so that a slow one holds up nobody.
async fn serve(runtime: &Runtime, lines: mpsc::Sender<String>) -> Result<Parting, Box<dyn Error>> {
    let mut input = BufReader::new(tokio::io::stdin()).lines();
    let mut doing = JoinSet::new();
    let readers = Arc::new(Readers::new(lines.clone()));
    let mut parting = Parting::ShutDown;
    while let Some(line) = input.next_line().await? {
        while doing.try_join_next().is_some() {}
        let command: Value = serde_json::from_str(&line)?;
        if command["op"] == "leave" {
            parting = Parting::Leave;
            break;
        }
        let command = Command { runtime: runtime.clone(), readers: Arc::clone(&readers), said: command };
        doing.spawn(command.answer(lines.clone()));
    }
    doing.shutdown().await;
    readers.close();
    Ok(parting)
}

async fn write(mut lines: mpsc::Receiver<String>) {
    let mut output = BufWriter::new(tokio::io::stdout());
    while let Some(line) = lines.recv().await {
        let written = async {
            output.write_all(line.as_bytes()).await?;
            output.write_all(b"\n").await?;
            if lines.is_empty() { output.flush().await } else { Ok(()) }
        };
        if written.await.is_err() {
            // Nobody reads us any more; the end of stdin will come, too.
            return;
        }
    }
}
