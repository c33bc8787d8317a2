//! Commands really run, through the shell, in the thread's directory, each in a process group of its own.
//!
//! There is no sandbox here: a scenario is as dangerous as the file it was read from. As in Codex, an interrupt does not
//! end a command: it becomes a background terminal until it ends, is cleaned, or the server ends.

use std::{
    ffi::OsString,
    process::{ExitStatus, Stdio},
    sync::Arc,
    time::Instant,
};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::{Child, Command},
    sync::oneshot,
};

use super::{
    items::Item,
    messages::Place,
    server::{Custody, Server},
    thread::Thread,
};

const SHELL: &str = "/bin/sh";

/// A command that outlived its turn.
#[derive(Debug, Clone)]
pub(super) struct Terminal {
    pub(super) item: String,
    pub(super) process_id: String,
    pub(super) command: String,
    pub(super) cwd: String,
    pub(super) group: Pid,
}

impl Terminal {
    pub(super) fn value(&self) -> Value {
        json!({
            "itemId": self.item, "processId": self.process_id, "command": self.command, "cwd": self.cwd,
            "osPid": null, "cpuPercent": null, "rssKb": null,
        })
    }

    /// Ends it; its job sees that and says so.
    pub(super) fn kill(&self) {
        let _ = kill_process_group(self.group, Signal::KILL);
    }
}

/// The command line as an item shows it: what really runs.
pub(super) fn shown(command: &str) -> String {
    format!("{SHELL} -c '{}'", command.replace('\'', r"'\''"))
}

/// The words a person could allow for good, as Codex proposes them.
pub(super) fn proposed_amendment(command: &str) -> Vec<String> {
    if command.contains(|c: char| "|&;<>()$`\\\"'*?[#~=%{}\n".contains(c)) {
        return vec![SHELL.to_owned(), "-c".to_owned(), command.to_owned()];
    }
    command.split_whitespace().map(str::to_owned).collect()
}

/// What a command needs to run and to be told about.
pub(super) struct Job {
    pub(super) server: Arc<Server>,
    pub(super) thread: Arc<Thread>,
    pub(super) turn: String,
    pub(super) item: Item,
    pub(super) command: String,
    pub(super) cwd: String,
}

/// A command that runs.
pub(super) struct Started {
    pub(super) terminal: Terminal,
    /// Its ended item; if nobody takes it, the job tells the client itself.
    pub(super) ended: oneshot::Receiver<Value>,
}

impl Job {
    /// Starts the command; a failed start is the item's end.
    pub(super) fn start(mut self) -> Result<(Item, Started), Item> {
        let custody = match self.server.start_command(|| spawn(&self.command, &self.cwd, &self.server.env)) {
            Ok(custody) => custody,
            Err(error) => return Err(failed_to_start(self.item, &error.to_string())),
        };
        let Custody { child, group, number } = custody;
        let process_id = number.to_string();
        self.item.set("processId", json!(process_id));
        self.item.set("source", json!("unifiedExecStartup"));
        let item = self.item.clone();
        let (command, cwd) = (self.command.clone(), self.cwd.clone());
        let terminal = Terminal { item: item.id().to_owned(), process_id, command, cwd, group };
        let (sender, ended) = oneshot::channel();
        let server = Arc::clone(&self.server);
        server.spawn(self.run(child, group, sender));
        Ok((item, Started { terminal, ended }))
    }

    async fn run(mut self, mut child: Child, group: Pid, ended: oneshot::Sender<Value>) {
        let started = Instant::now();
        let output = self.follow(&mut child).await;
        let status = child.wait().await;
        self.server.remove_command(group);
        let code = status.ok().and_then(|status: ExitStatus| status.code()).unwrap_or(-1);
        self.item.set("status", json!(if code == 0 { "completed" } else { "failed" }));
        self.item.set("exitCode", json!(code));
        self.item.set("aggregatedOutput", if output.is_empty() { Value::Null } else { json!(output) });
        self.item.set("durationMs", json!(u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)));
        if let Err(item) = ended.send(self.item.clone().completed()) {
            self.tell_itself(&item).await;
        }
    }

    /// Passes on what the command writes, until both its outputs are closed.
    async fn follow(&self, child: &mut Child) -> String {
        let (mut stdout, mut stderr) = (child.stdout.take(), child.stderr.take());
        let mut output = String::new();
        while stdout.is_some() || stderr.is_some() {
            let chunk = tokio::select! {
                chunk = chunk_of(&mut stdout), if stdout.is_some() => chunk,
                chunk = chunk_of(&mut stderr), if stderr.is_some() => chunk,
            };
            if !chunk.is_empty() {
                let notice = self.place().output_delta(self.item.id(), &chunk);
                self.server.tell_of(&self.thread, &notice).await;
                output.push_str(&chunk);
            }
        }
        output
    }

    /// The turn is over, so the item's end comes late.
    async fn tell_itself(&self, item: &Value) {
        self.thread.state().terminals.retain(|terminal| terminal.item != self.item.id());
        self.server.tell_of(&self.thread, &self.place().item_completed(item)).await;
    }

    fn place(&self) -> Place<'_> {
        Place { thread: self.thread.id(), turn: &self.turn }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the server owns it: it is counted, awaited, and killed with its group"
)]
fn spawn(command: &str, cwd: &str, env: &[(OsString, Option<OsString>)]) -> std::io::Result<Child> {
    let mut shell = Command::new(SHELL);
    for (name, value) in env {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
        .args(["-c", command])
        .current_dir(cwd)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
}

fn failed_to_start(mut item: Item, why: &str) -> Item {
    item.set("status", json!("failed"));
    item.set("exitCode", json!(-1));
    item.set("aggregatedOutput", json!(why));
    item.set("durationMs", json!(0));
    item
}

/// Some output; the stream is put away when it ends.
async fn chunk_of(stream: &mut Option<impl AsyncRead + Unpin>) -> String {
    let mut buffer = vec![0; 8192];
    let Some(open) = stream else { return String::new() };
    match open.read(&mut buffer).await {
        Ok(read) if read > 0 => String::from_utf8_lossy(&buffer[..read]).into_owned(),
        _ => {
            *stream = None;
            String::new()
        }
    }
}
