//! A stage for the real program: directories of its own, the stand-in, and a scenario.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "each test uses its part, and fails by panicking"
)]

pub mod gateway;
pub mod pty;
pub mod told;

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

const SCENARIO: &str = r#"
name = "for the command line"
[[rule]]
contains = "hello"
step = [{ do = [{ think = { text = "A greeting." } }, { say = { text = "Hello, you.", phase = "final_answer" } }, { usage = { input = 900, output = 40 } }] }]
[[rule]]
contains = "build"
step = [
  { do = [{ say = { text = "I'll build.", phase = "commentary" } }, { usage = { input = 100, output = 10 } }, { run = { command = "echo built; exit 3" } }] },
  { do = [{ usage = { input = 100, output = 10 } }, { patch = { patch = "*** Begin Patch\n*** Add File: notes.md\n+one\n+two\n*** End Patch\n" } }] },
  { do = [{ say = { text = "It **failed**.", phase = "final_answer" } }, { usage = { input = 100, output = 10 } }] },
]
[[rule]]
contains = "ask twice"
step = [
  { do = [{ run = { command = "echo asked > asked.txt", escalate = true, justification = "May I?" } }] },
  { do = [{ run = { command = "echo again > again.txt", escalate = true, justification = "And this?" } }] },
  { do = [{ say = { text = "Thank you.", phase = "final_answer" } }] },
]
[[rule]]
contains = "ask"
step = [
  { do = [{ run = { command = "echo asked > asked.txt", escalate = true, justification = "May I?" } }] },
  { do = [{ say = { text = "Thank you.", phase = "final_answer" } }] },
]
[[rule]]
contains = "write"
step = [
  { do = [{ patch = { patch = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\n" } }] },
  { do = [{ say = { text = "Written.", phase = "final_answer" } }] },
]
[[rule]]
contains = "shape"
step = [{ do = [{ answer = { json = { name = "selvedge", size = 3 } } }] }]
[[rule]]
contains = "hold"
step = [{ do = [{ run = { command = "echo held; exec sleep 1000" } }] }]
[[rule]]
contains = "tick"
step = [
  { do = [{ run = { command = "echo ran >> ran.txt; until test -e go.txt; do sleep 0.01; done; echo went", wait_ms = 60000 } }] },
  { do = [{ say = { text = "It has ticked." } }] },
]
[[rule]]
contains = "spend"
step = [{ do = [{ usage = { input = 90000, output = 10 } }, { run = { command = "true" } }] }, { do = [{ hang = {} }] }]
[[rule]]
contains = "hang"
step = [{ do = [{ hang = {} }] }]
[[rule]]
contains = "act and crash"
step = [{ do = [{ run = { command = "true" } }] }, { do = [{ crash = { code = 7, stderr = "last words" } }] }]
[[rule]]
regex = 'fail as (?P<how>server_error)'
step = [{ do = [{ fail = { as = "server_error", message = "it broke" } }] }]
[[rule]]
contains = "fail as unauthorized"
step = [{ do = [{ fail = { as = "unauthorized" } }] }]
[[rule]]
contains = "fail as usage_limit"
step = [{ do = [{ fail = { as = "usage_limit" } }] }]
"#;

pub struct Stage {
    folder: TempDir,
}

impl Stage {
    pub fn new() -> Self {
        let stage = Self { folder: tempfile::tempdir().unwrap() };
        for name in ["home", "work"] {
            fs::create_dir(stage.path(name)).unwrap();
        }
        fs::write(stage.path("scenario.toml"), SCENARIO).unwrap();
        stage
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// The program, told everything by its environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.command_of(Path::new(env!("CARGO_BIN_EXE_selvedge")), arguments)
    }

    /// The same by another file.
    #[expect(clippy::disallowed_methods, reason = "the test waits for it, or ends it")]
    pub fn command_of(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SELVEDGE_")) {
            command.env_remove(name);
        }
        command
            .args(arguments)
            .current_dir(self.path("work"))
            .env("SELVEDGE_CODEX", "rehearsal")
            .env("SELVEDGE_DATA_DIR", self.path("data"))
            .env("SELVEDGE_CODEX_HOME", self.path("home"))
            .env("SELVEDGE_SCENARIO", self.path("scenario.toml"))
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).output().unwrap())
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Ran::from(child.wait_with_output().unwrap())
    }

    /// The id of the only session.
    pub fn session(&self) -> String {
        let listed = self.run(&["sessions", "list", "--json"]);
        let lines: Vec<Value> = listed.lines();
        assert_eq!(lines.len(), 1, "{listed:?}");
        lines[0]["id"].as_str().unwrap().to_owned()
    }
}

/// How the program ended, and what it printed.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// stdout as one JSON a line.
    pub fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// A program that runs, its events read as they come.
pub struct Running {
    pub child: Child,
    lines: BufReader<std::process::ChildStdout>,
    /// Every event that was read.
    read: Vec<Value>,
}

impl Running {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines, read: Vec::new() }
    }

    /// Reads until an event is as wanted.
    pub fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        while let Some(event) = self.event() {
            if wanted(&event) {
                return event;
            }
        }
        panic!("the events have ended");
    }

    fn event(&mut self) -> Option<Value> {
        let mut line = String::new();
        (self.lines.read_line(&mut line).unwrap() > 0).then(|| {
            let event: Value = serde_json::from_str(&line).unwrap();
            self.read.push(event.clone());
            event
        })
    }

    /// Every event, from the first to the last; then the exit code, and what was said on stderr.
    pub fn all(mut self) -> (Vec<Value>, (Option<i32>, String)) {
        while self.event().is_some() {}
        (std::mem::take(&mut self.read), self.wait())
    }

    pub fn interrupt(&self) {
        interrupt(&self.child);
    }

    /// The exit code, and what was said on stderr. stdout is read to its end first.
    pub fn wait(mut self) -> (Option<i32>, String) {
        while self.lines.read_line(&mut String::new()).unwrap() > 0 {}
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}

/// What Ctrl-C sends.
pub fn interrupt(child: &Child) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).unwrap();
    kill_process(pid, Signal::INT).unwrap();
}

/// Reads stderr until this has been said.
pub fn until_said(child: &mut Child, wanted: &str) {
    let mut said = String::new();
    let mut errors = BufReader::new(child.stderr.as_mut().unwrap());
    while !said.contains(wanted) {
        assert!(errors.read_line(&mut said).unwrap() > 0, "{wanted:?} was not said: {said}");
    }
}
