//! `selvedge rehearse app-server` as a process: how it ends, what outlives it, what it refuses.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const SCENARIO: &str = r#"
[[rule]]
contains = "hello"
step = [{ do = [{ say = { text = "Hello" } }] }]
[[rule]]
contains = "hold"
step = [{ do = [{ run = { command = "exec 3>held; echo $$ >&3; sleep 1000" } }] }]
[[rule]]
contains = "hang"
step = [{ do = [{ hang = {} }] }]
[[rule]]
contains = "crash"
step = [{ do = [{ crash = { code = 7, stderr = "last words" } }] }]
"#;

struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    next_id: u64,
}

impl Process {
    #[expect(clippy::disallowed_methods, reason = "the test waits for it, or ends it")]
    fn start(home: &Path, faults: &str) -> Self {
        std::fs::write(home.join("scenario.toml"), SCENARIO).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_selvedge"))
            .args(["rehearse", "app-server", "--scenario", "scenario.toml", "--faults", faults])
            .current_dir(home)
            .env("CODEX_HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { stdin: child.stdin.take(), child, stdout, next_id: 1 }
    }

    fn initialized(home: &Path, faults: &str) -> Self {
        let mut process = Self::start(home, faults);
        process.call("initialize", &json!({ "clientInfo": { "name": "test", "version": "1" } }));
        process
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let line = json!({ "id": id, "method": method, "params": params });
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
        id
    }

    fn call(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        self.find(|message| message["id"] == id && message.get("method").is_none())["result"].clone()
    }

    fn find(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut line = String::new();
        while self.stdout.read_line(&mut line).unwrap() > 0 {
            let message: Value = serde_json::from_str(&line).unwrap();
            if wanted(&message) {
                return message;
            }
            line.clear();
        }
        panic!("the stream has ended");
    }

    fn thread(&mut self) -> Value {
        self.call("thread/start", &json!({ "approvalPolicy": "never" }))["thread"]["id"].clone()
    }

    fn turn(&mut self, thread: &Value, words: &str) {
        let input = json!([{ "type": "text", "text": words }]);
        self.call("turn/start", &json!({ "threadId": thread, "input": input }));
    }

    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).unwrap();
        kill_process(pid, signal).unwrap();
    }

    fn hang_up(&mut self) {
        self.stdin = None;
    }

    /// The exit code, or none after a signal.
    fn wait(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

/// A pipe that the scenario's command holds open as long as it lives, and the command's pid from it.
struct Held(BufReader<std::fs::File>);

impl Held {
    fn new(home: &Path) -> Self {
        let path = home.join("held");
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        // Opened for both, so that opening does not wait for the command.
        let flags = std::fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
        Self(BufReader::new(flags))
    }

    fn pid(&mut self) -> Pid {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line.trim().parse().ok().and_then(Pid::from_raw).unwrap()
    }

    /// Waits until nobody but us holds the pipe: then the command and its children are dead.
    fn wait_for_death(self, home: &Path) {
        let mut other_end = std::fs::File::open(home.join("held")).unwrap();
        drop(self);
        assert_eq!(other_end.read(&mut [0; 1]).unwrap(), 0);
    }
}

#[test]
fn the_end_of_input_is_a_good_end() {
    let home = tempfile::tempdir().unwrap();
    let mut process = Process::initialized(home.path(), "");
    let thread = process.thread();
    process.turn(&thread, "hang");
    process.hang_up();
    assert_eq!(process.wait(), Some(0));
}

#[test]
fn commands_end_with_the_end_of_input_and_with_sigterm() {
    for by_signal in [false, true] {
        let home = tempfile::tempdir().unwrap();
        let mut held = Held::new(home.path());
        let mut process = Process::initialized(home.path(), "");
        let thread = process.thread();
        process.turn(&thread, "hold");
        held.pid();
        if by_signal {
            process.signal(Signal::TERM);
        } else {
            process.hang_up();
        }
        assert_eq!(process.wait(), Some(0));
        held.wait_for_death(home.path());
    }
}

#[test]
fn a_killed_server_leaves_its_commands_and_a_thread_that_can_be_resumed() {
    let home = tempfile::tempdir().unwrap();
    let mut held = Held::new(home.path());
    let mut process = Process::initialized(home.path(), "");
    let thread = process.thread();
    process.turn(&thread, "hello");
    process.find(|message| message["method"] == "turn/completed");
    process.turn(&thread, "hold");
    let command = held.pid();
    process.signal(Signal::KILL);
    assert_eq!(process.wait(), None);
    rustix::process::test_kill_process(command).unwrap();
    rustix::process::kill_process_group(command, Signal::KILL).unwrap();

    let mut next = Process::initialized(home.path(), "");
    let resumed = next.call("thread/resume", &json!({ "threadId": thread }));
    let turns = resumed["thread"]["turns"].as_array().unwrap();
    assert_eq!(turns.iter().map(|turn| &turn["status"]).collect::<Vec<_>>(), ["completed", "interrupted"]);
    assert_eq!(turns[1]["items"].as_array().unwrap().len(), 1);
    let kept = std::fs::read_to_string(resumed["thread"]["path"].as_str().unwrap()).unwrap();
    assert!(kept.contains(r#""type":"response_item""#), "the call is in the file, though no item is");
    next.hang_up();
    assert_eq!(next.wait(), Some(0));
}

#[test]
fn what_should_not_end_it_does_not() {
    let home = tempfile::tempdir().unwrap();
    let mut process = Process::initialized(home.path(), "ignore-eof,ignore-sigterm");
    process.signal(Signal::TERM);
    process.call("thread/list", &json!({}));
    process.hang_up();
    process.signal(Signal::TERM);
    assert!(process.child.try_wait().unwrap().is_none());
    process.signal(Signal::KILL);
    assert_eq!(process.wait(), None);
}

#[test]
fn a_crash_has_its_code_and_its_last_words() {
    let home = tempfile::tempdir().unwrap();
    let mut process = Process::initialized(home.path(), "");
    let thread = process.thread();
    process.turn(&thread, "crash");
    let mut words = String::new();
    process.child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert!(words.contains("last words"), "{words}");
    assert_eq!(process.wait(), Some(7));
}

#[test]
fn stderr_must_be_drained_first() {
    let home = tempfile::tempdir().unwrap();
    let mut process = Process::start(home.path(), "stderr-flood=300000");
    let id = process.send("initialize", &json!({ "clientInfo": { "name": "test", "version": "1" } }));
    let mut stderr = BufReader::new(process.child.stderr.take().unwrap());
    let mut flood = vec![0; 300_000];
    stderr.read_exact(&mut flood).unwrap();
    process.find(|message| message["id"] == id);
    process.hang_up();
    assert_eq!(process.wait(), Some(0));
}

#[test]
fn an_unknown_fault_is_refused_by_name() {
    let home = tempfile::tempdir().unwrap();
    let mut process = Process::start(home.path(), "explode");
    let mut words = String::new();
    process.child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert!(words.contains("unknown fault `explode`") && words.contains("crash-after=N"), "{words}");
    assert_eq!(process.wait(), Some(2));
}
