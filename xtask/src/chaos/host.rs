//! The host process: the runtime behind NDJSON. It can be killed and started again.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::SyncSender;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::world::World;

/// A running host.
#[derive(Debug)]
pub(super) struct Host {
    child: Child,
    stdin: Option<ChildStdin>,
}

/// A line of a host.
#[derive(Debug)]
pub(super) struct Heard {
    /// Which host said it: the how manieth.
    pub(super) generation: u64,
    pub(super) said: Said,
}

#[derive(Debug)]
pub(super) enum Said {
    /// An event, to one of the readers that were opened.
    Event { reader: u64, event: String },
    /// The answer to a command.
    Reply { id: u64, outcome: Result<String, String> },
    /// Something else; it should not be.
    Nonsense(String),
    /// Its stdout has ended.
    End,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    event: Option<&'a RawValue>,
    reader: Option<u64>,
    id: Option<u64>,
    #[serde(borrow)]
    ok: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

impl Said {
    fn read(line: &str) -> Self {
        let nonsense = || Self::Nonsense(line.to_owned());
        let Ok(read) = serde_json::from_str::<Line<'_>>(line) else { return nonsense() };
        let text = |raw: &RawValue| raw.get().to_owned();
        match read {
            Line { event: Some(event), reader: Some(reader), .. } => {
                Self::Event { reader, event: text(event) }
            }
            Line { id: Some(id), ok: Some(ok), .. } => Self::Reply { id, outcome: Ok(text(ok)) },
            Line { id: Some(id), error: Some(error), .. } => Self::Reply { id, outcome: Err(text(error)) },
            _ => nonsense(),
        }
    }
}

impl Host {
    /// Starts a host on the world's data; what it says goes to `sender`.
    #[expect(clippy::disallowed_methods, reason = "the driver owns it, kills it and reaps it")]
    pub(super) fn start(world: &World, generation: u64, sender: SyncSender<Heard>) -> io::Result<Self> {
        let log = OpenOptions::new().create(true).append(true).open(world.host_log())?;
        let (name, value) = world.mark();
        let mut child = Command::new(&world.programs.host)
            .arg(world.host_config())
            .env(name, value)
            // Nothing may reach the home of whoever runs this, nor a login shell read what it does there.
            .env("CODEX_HOME", world.home(0))
            .env("HOME", world.home(0))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take();
        if let Some(stdout) = stdout {
            // The thread ends with the pipe, and says so; nobody has to wait for it.
            std::thread::spawn(move || read(stdout, generation, &sender));
        }
        Ok(Self { child, stdin })
    }

    /// Says one line. A host that is gone hears nothing; its end is told by its stdout.
    pub(super) fn say(&mut self, line: &Value) {
        if let Some(stdin) = &mut self.stdin {
            let _gone = writeln!(stdin, "{line}");
        }
    }

    /// Kills it with SIGKILL. What it said before is still heard, up to its end.
    pub(super) fn kill(&mut self) -> io::Result<()> {
        self.child.kill()
    }

    /// Closes its stdin, which asks it to end.
    pub(super) fn hang_up(&mut self) {
        drop(self.stdin.take());
    }

    /// How it ended. To be called when its end was heard.
    pub(super) fn reap(mut self) -> io::Result<ExitStatus> {
        self.child.wait()
    }
}

/// Passes on every line, with who said it. When the driver has gone, there is nobody to pass it to.
fn read(stdout: ChildStdout, generation: u64, sender: &SyncSender<Heard>) {
    for line in BufReader::with_capacity(256 * 1024, stdout).lines() {
        let Ok(line) = line else { break };
        if sender.send(Heard { generation, said: Said::read(&line) }).is_err() {
            return;
        }
    }
    let _gone = sender.send(Heard { generation, said: Said::End });
}
