//! A gateway on the stand-in that can reach nothing but a temporary directory.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::failure::Failure;
use crate::tool::{Tool, on_path};
use crate::workspace;

/// Who has it may do everything.
pub(super) const TOKEN: &str = "the-token-of-the-fuzzer";

/// Small numbers, so that a run also meets what comes after them.
const CONFIGURATION: &str = "keep_warm = false\nidle_seconds = 5\n";

/// A running gateway. Dropped, it is killed.
pub(super) struct Gateway {
    child: Child,
    /// Held, so that what it says has somewhere to go.
    stdout: BufReader<ChildStdout>,
    url: String,
    directory: PathBuf,
}

impl Gateway {
    /// Starts one, and waits until it listens.
    pub(super) fn start(selvedge: &Path, directory: &Path) -> Result<Self, Failure> {
        for name in ["data", "home", "bin"] {
            let made = directory.join(name);
            fs::create_dir(&made).map_err(Failure::file("make", &made))?;
        }
        let configuration = directory.join("data/selvedge.toml");
        fs::write(&configuration, CONFIGURATION).map_err(Failure::file("write", &configuration))?;
        link_git(&directory.join("bin"))?;
        make_repository(&directory.join("root"))?;
        let mut child = spawn(selvedge, directory)?;
        let stdout = child.stdout.take().ok_or_else(|| Failure::new("the gateway has no stdout"))?;
        let mut gateway = Self {
            child,
            stdout: BufReader::new(stdout),
            url: String::new(),
            directory: directory.to_path_buf(),
        };
        gateway.url = gateway.address()?;
        Ok(gateway)
    }

    /// Where it listens, in the words of `selvedge serve`.
    fn address(&mut self) -> Result<String, Failure> {
        for line in (&mut self.stdout).lines() {
            let line = line.map_err(|error| Failure::new(format!("the gateway cannot be heard: {error}")))?;
            if let Some(said) = line.strip_prefix("listening on ") {
                return Ok(said.split(' ').next().unwrap_or_default().to_owned());
            }
        }
        Err(Failure::new(format!("the gateway did not start: {}", self.log())))
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Where its sessions may work.
    pub(super) fn root(&self) -> PathBuf {
        self.directory.join("root")
    }

    fn log(&self) -> String {
        fs::read_to_string(self.directory.join("gateway.log")).unwrap_or_default()
    }

    /// Asks it to end, waits, and says what went wrong inside it.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        if let Ok(Some(status)) = self.child.try_wait() {
            return Err(Failure::new(format!("the gateway has died ({status}): {}", self.log())));
        }
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        // One that is gone hears nothing, and has been reaped below.
        let _gone = pid.map(|pid| kill_process(pid, Signal::TERM));
        let status = self.child.wait().map_err(|error| Failure::new(format!("no end was heard: {error}")))?;
        let log = self.log();
        let panicked: Vec<&str> = log.lines().filter(|line| line.contains("panicked at")).collect();
        if !status.success() || !panicked.is_empty() {
            return Err(Failure::new(format!("the gateway ended with {status}\n{}", panicked.join("\n"))));
        }
        Ok(())
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // After `end` it is gone already, and there is nobody to tell.
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "its `Gateway` owns it, ends it and reaps it")]
fn spawn(selvedge: &Path, directory: &Path) -> Result<Child, Failure> {
    let log = directory.join("gateway.log");
    let log = File::create(&log).map_err(Failure::file("create", &log))?;
    let scenario = workspace::root().join("xtask/fuzz-api/scenario.toml");
    Command::new(selvedge)
        .args(["serve", "--codex", "rehearsal", "--listen", "127.0.0.1:0", "--drain", "1"])
        .args([Path::new("--scenario"), &scenario, Path::new("--allow-root"), &directory.join("root")])
        .args([Path::new("--data-dir"), &directory.join("data"), Path::new("--codex-home")])
        .arg(directory.join("home"))
        .env("SELVEDGE_TOKEN", TOKEN)
        // A session may ask for the real Codex: there must be none to be found, nor anybody's home.
        .env("PATH", directory.join("bin"))
        .env("HOME", directory.join("home"))
        .env_remove("SELVEDGE_CODEX")
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .map_err(|error| Failure::new(format!("the gateway could not be started: {error}")))
}

/// The one program that the gateway starts by its name.
fn link_git(bin: &Path) -> Result<(), Failure> {
    let git = on_path("git").ok_or_else(|| Failure::new("`git` was not found").hint("install git"))?;
    symlink(&git, bin.join("git")).map_err(Failure::file("link", &git))
}

/// With one commit, so that there is something to make a worktree of.
fn make_repository(root: &Path) -> Result<(), Failure> {
    fs::create_dir(root).map_err(Failure::file("make", root))?;
    let git = |words: &[&str]| Tool::new("git").directory(root).args(words).output().map(drop);
    git(&["init", "--quiet"])?;
    let somebody =
        ["-c", "user.name=Selvedge", "-c", "user.email=selvedge@localhost", "-c", "commit.gpgsign=false"];
    git(&[&somebody[..], &["commit", "--quiet", "--allow-empty", "--message", "begin"]].concat())
}
