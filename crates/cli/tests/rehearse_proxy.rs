//! `selvedge rehearse proxy` as a process: what passes through it, what does not, and how it ends.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};

struct Proxy {
    child: Child,
    stdout: BufReader<std::process::ChildStdout>,
}

impl Proxy {
    fn start(faults: &str, command: &[&str]) -> Self {
        Self::start_in(Path::new("."), faults, command)
    }

    #[expect(clippy::disallowed_methods, reason = "the test waits for it, or ends it")]
    fn start_in(directory: &Path, faults: &str, command: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_selvedge"))
            .args(["rehearse", "proxy", "--faults", faults, "--"])
            .args(command)
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdout }
    }

    /// A proxy that may have ended takes nothing more; that is what some tests are about.
    fn say(&mut self, text: &str) {
        let _ended = self.child.stdin.as_mut().unwrap().write_all(text.as_bytes());
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line
    }

    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Everything it still says after the end of its input, and how it ended.
    fn finish(mut self) -> (Vec<u8>, ExitStatus) {
        drop(self.child.stdin.take());
        let mut rest = Vec::new();
        self.stdout.read_to_end(&mut rest).unwrap();
        (rest, self.child.wait().unwrap())
    }
}

fn numbered(count: usize) -> String {
    (1..=count).map(|n| format!("{{\"method\":\"m/{n}\"}}\n")).collect()
}

/// What comes back through `cat`.
fn echoed(faults: &str, said: &str) -> (String, ExitStatus) {
    let mut proxy = Proxy::start(faults, &["cat"]);
    proxy.say(said);
    let (heard, status) = proxy.finish();
    (String::from_utf8_lossy(&heard).into_owned(), status)
}

#[test]
fn without_faults_it_cannot_be_noticed() {
    let said = format!("{}half a line", numbered(500));
    let (heard, status) = echoed("seed=3", &said);
    assert_eq!((heard, status.code()), (said, Some(0)));
    assert_eq!(Proxy::start("", &["sh", "-c", "exit 7"]).finish().1.code(), Some(7));
}

#[test]
fn a_seed_gives_the_same_run_again() {
    let faults = "drop=20%,duplicate=10%,corrupt=5%";
    let run = |seed: u32| echoed(&format!("seed={seed},{faults}"), &numbered(300)).0;
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn each_start_counts_if_it_is_to() {
    let home = tempfile::tempdir().unwrap();
    let faults = format!("seed=1,drop=50%,starts={}", home.path().join("starts").display());
    let run = || echoed(&faults, &numbered(100)).0;
    assert_ne!(run(), run());
}

#[test]
fn each_fault_does_what_its_name_says() {
    let said = numbered(3);
    for (faults, wanted) in [
        ("drop=#2", "{\"method\":\"m/1\"}\n{\"method\":\"m/3\"}\n"),
        ("drop@m/3=#1", "{\"method\":\"m/1\"}\n{\"method\":\"m/2\"}\n"),
        (
            "duplicate=#3",
            "{\"method\":\"m/1\"}\n{\"method\":\"m/2\"}\n{\"method\":\"m/3\"}\n{\"method\":\"m/3\"}\n",
        ),
        ("cut=#2", "{\"method\":\"m/1\"}\n{\"method{\"method\":\"m/3\"}\n"),
        ("to.cut=#1", "{\"method{\"method\":\"m/2\"}\n{\"method\":\"m/3\"}\n"),
        ("delay=#2:1,stall=#3:1", said.as_str()),
    ] {
        assert_eq!(echoed(faults, &said).0, wanted, "{faults}");
    }
    assert_eq!(echoed("garbage=#1", &said).0.lines().count(), 4);
}

#[test]
fn a_killed_child_is_how_the_proxy_ends_too() {
    for faults in ["kill-child=#2:half", "kill=#2:half"] {
        let (heard, status) = echoed(faults, &numbered(3));
        assert_eq!(heard, "{\"method\":\"m/1\"}\n{\"method", "{faults}");
        assert_eq!(status.signal(), Some(9), "{faults}");
    }
}

#[test]
fn sigterm_is_for_the_child_to_heed() {
    let script = "trap 'echo heard; kill $!; exit 3' TERM; sleep 1000 >/dev/null & echo ready; wait";
    let mut proxy = Proxy::start("", &["sh", "-c", script]);
    assert_eq!(proxy.hear(), "ready\n");
    proxy.signal(Signal::TERM);
    assert_eq!(proxy.hear(), "heard\n");
    assert_eq!(proxy.finish().1.code(), Some(3));
}

#[test]
fn a_killed_proxy_takes_the_leash_with_it() {
    let home = tempfile::tempdir().unwrap();
    let script = "echo ready; cat >/dev/null; echo ended >ended; exec 4>done";
    let done = home.path().join("done");
    rustix::fs::mknodat(rustix::fs::CWD, &done, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let mut proxy = Proxy::start_in(home.path(), "", &["sh", "-c", script]);
    assert_eq!(proxy.hear(), "ready\n");
    proxy.signal(Signal::KILL);
    assert_eq!(proxy.child.wait().unwrap().signal(), Some(9));
    // Opening waits for the child to open the other end, which it does after the end of its input.
    std::fs::File::open(&done).unwrap();
    assert_eq!(std::fs::read_to_string(home.path().join("ended")).unwrap(), "ended\n");
}

#[test]
fn a_real_conversation_is_cut_where_it_was_asked_to_be() {
    let home = tempfile::tempdir().unwrap();
    let selvedge = env!("CARGO_BIN_EXE_selvedge");
    let command = [selvedge, "rehearse", "app-server"];
    let mut proxy = Proxy::start_in(home.path(), "kill-child@answer:initialize=#1", &command);
    proxy.say("{\"id\":1,\"method\":\"initialize\",\"params\":{\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n");
    let mut heard = Vec::new();
    proxy.stdout.read_to_end(&mut heard).unwrap();
    assert!(!String::from_utf8_lossy(&heard).contains("\"id\":1"), "{}", String::from_utf8_lossy(&heard));
    let mut words = String::new();
    proxy.child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert!(words.contains("answer:initialize: Kill(Child)"), "{words}");
    assert_eq!(proxy.finish().1.signal(), Some(9));
}

#[test]
fn what_cannot_be_done_is_refused_by_name() {
    for (faults, command, wanted) in [
        ("explode=1%", "cat", "unknown fault `explode=1%`"),
        ("", "/nowhere/codex", "/nowhere/codex cannot run behind the proxy"),
    ] {
        let mut proxy = Proxy::start(faults, &[command]);
        let mut words = String::new();
        proxy.child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        assert!(words.contains(wanted), "{words}");
        assert_eq!(proxy.finish().1.code(), Some(2));
    }
}
