//! A place for a relay, programs that attach to it, and bare clients.

use std::{
    env, fs,
    io::{self, Read, Write},
    os::unix::net::UnixStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process};
use tempfile::TempDir;

/// Longer than anything takes; a test that waits for so long has failed.
const LIMIT: Duration = Duration::from_secs(60);

/// Waits for a condition.
#[track_caller]
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < LIMIT, "waited in vain until {what}");
        thread::park_timeout(Duration::from_millis(2));
    }
}

/// Whether a process has ended. Where nobody reaps, a zombie stays.
pub(crate) fn gone(process: Pid) -> Option<()> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).unwrap_or_default();
    Some(()).filter(|()| test_kill_process(process).is_err() || stat.contains(") Z "))
}

/// The example that starts relays and attaches to them.
pub(crate) fn program() -> PathBuf {
    let test = env::current_exe().unwrap();
    test.parent().and_then(|deps| deps.parent()).unwrap().join("examples/held")
}

/// One relay's place; whatever runs there ends with it.
pub(crate) struct Stage {
    pub(crate) folder: TempDir,
    pub(crate) state: PathBuf,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        Self { folder, state }
    }

    /// A program with its files here, and pipes.
    #[expect(clippy::disallowed_methods, reason = "the test owns it, and ends it")]
    pub(crate) fn run(&self, words: &[&str]) -> Attached {
        let mut command = Command::new(program());
        command.args(words).env("CAIC_RELAY_DIR", &self.state).current_dir(&self.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Attached(command.spawn().expect("`cargo test` builds the example"))
    }

    /// Starts a child behind a relay, and attaches.
    pub(crate) fn serve(&self, options: &[&str], child: &[&str]) -> Attached {
        let mut words = vec!["serve-attach", "--dir", "."];
        words.extend(options);
        words.push("--");
        words.extend(child);
        self.run(&words)
    }

    /// Starts a child behind a relay, and leaves it alone.
    pub(crate) fn leave(&self, options: &[&str], child: &[&str]) {
        let (_, said) = self.serve(options, child).end();
        // It may have been quicker than we were.
        assert!(said.contains("Left") || said.contains("Ended"), "{said}");
    }

    /// A bare client.
    pub(crate) fn connect(&self, offset: u64) -> Peer {
        let mut peer = until("the relay listens", || self.knock());
        peer.say(format!("{{\"offset\": {offset}}}\n").as_bytes());
        peer
    }

    /// A connection that says nothing yet.
    pub(crate) fn knock(&self) -> Option<Peer> {
        let socket = UnixStream::connect(self.state.join("relay.sock")).ok()?;
        socket.set_read_timeout(Some(LIMIT)).unwrap();
        Some(Peer(socket))
    }

    pub(crate) fn file(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.state.join(name)).unwrap_or_default()).into_owned()
    }

    /// Waits until a file contains this.
    #[track_caller]
    pub(crate) fn await_in(&self, name: &str, text: &str) -> String {
        until(&format!("{name} contains {text:?}"), || Some(self.file(name)).filter(|all| all.contains(text)))
    }

    /// Waits for the child's end; how it ended.
    #[track_caller]
    pub(crate) fn ended(&self) -> String {
        until("the child has ended", || {
            Some(self.file("exit")).filter(|line| line.ends_with('\n') && !self.state.join("pid").exists())
        })
    }

    pub(crate) fn daemon(&self) -> Pid {
        self.number("pid", "").unwrap()
    }

    pub(crate) fn child(&self) -> Pid {
        self.number("relay.log", "subprocess started pid=").unwrap()
    }

    fn number(&self, file: &str, after: &str) -> Option<Pid> {
        let text = self.file(file);
        let digits: String = text.split_once(after)?.1.chars().take_while(char::is_ascii_digit).collect();
        Pid::from_raw(digits.parse().ok()?)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(daemon) = self.number("pid", "") {
            let _gone = kill_process(daemon, Signal::KILL);
            let child = self.number("relay.log", "subprocess started pid=");
            let _gone = child.map(|child| kill_process_group(child, Signal::KILL));
        }
    }
}

/// A process that is attached.
pub(crate) struct Attached(pub(crate) Child);

impl Attached {
    pub(crate) fn say(&mut self, words: &[u8]) {
        let stdin = self.0.stdin.as_mut().unwrap();
        stdin.write_all(words).unwrap();
        stdin.flush().unwrap();
    }

    /// Reads until this has come.
    #[track_caller]
    pub(crate) fn hear(&mut self, text: &str) -> String {
        hear(self.0.stdout.as_mut().unwrap(), text)
    }

    /// Ends its stdin, and waits: what it still said on stdout, and on stderr.
    pub(crate) fn end(mut self) -> (String, String) {
        drop(self.0.stdin.take());
        let ended = self.0.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (text(ended.stdout), text(ended.stderr))
    }

    /// Waits for its end, its stdin being open.
    pub(crate) fn outlast(mut self) -> (String, String) {
        let held = self.0.stdin.take();
        let ended = self.0.wait_with_output().unwrap();
        drop(held);
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (text(ended.stdout), text(ended.stderr))
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// A client that is a socket.
pub(crate) struct Peer(pub(crate) UnixStream);

impl Peer {
    pub(crate) fn say(&mut self, words: &[u8]) {
        self.0.write_all(words).unwrap();
    }

    #[track_caller]
    pub(crate) fn hear(&mut self, text: &str) -> String {
        hear(&mut self.0, text)
    }

    /// Everything until the relay closes.
    pub(crate) fn hear_all(&mut self) -> String {
        let mut bytes = Vec::new();
        self.0.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// A read with a limit of time may be interrupted, for example when the whole machine was.
#[track_caller]
pub(crate) fn read(from: &mut impl Read, chunk: &mut [u8]) -> usize {
    loop {
        match from.read(chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other.unwrap(),
        }
    }
}

#[track_caller]
fn hear(from: &mut impl Read, text: &str) -> String {
    let mut heard = Vec::new();
    let mut chunk = [0; 64 * 1024];
    while !String::from_utf8_lossy(&heard).contains(text) {
        let length = read(from, &mut chunk);
        assert_ne!(length, 0, "only {:?} came", String::from_utf8_lossy(&heard));
        heard.extend_from_slice(&chunk[..length]);
    }
    String::from_utf8_lossy(&heard).into_owned()
}
