//! What is measured: a gateway in release on a directory of its own with the simulated app-server behind it, or the bare server.

use std::{
    env, fs,
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::{Failure, Load};

const TOKEN: &str = "a token of thirty-two characters";
/// What lies here never reaches a disk.
const MEMORY: &str = "/dev/shm";
/// In what `/proc` counts the time of a process.
const TICKS_A_SECOND: f64 = 100.0;

/// What a session does when it is told to, by the first word of a message.
#[derive(Debug, Clone)]
pub(crate) struct Play {
    /// The message; its numbers are for the bare server.
    pub(crate) message: String,
    /// What the simulated app-server plays then.
    action: String,
}

impl Play {
    /// Deltas that say when they were written, one in so many milliseconds.
    pub(crate) fn pace(deltas: usize, every_ms: usize) -> Self {
        let action =
            format!("{{ flood = {{ deltas = {deltas}, line_bytes = 250, every_ms = {every_ms} }} }}");
        Self { message: format!("pace {deltas} {every_ms}"), action }
    }

    /// Numbered deltas, as fast as they are taken.
    pub(crate) fn flood(deltas: usize) -> Self {
        let action = format!("{{ flood = {{ deltas = {deltas}, line_bytes = 250 }} }}");
        Self { message: format!("flood {deltas} 0"), action }
    }

    /// Some words, and then silence in the middle of a turn.
    pub(crate) fn stay() -> Self {
        let Self { action, .. } = Self::pace(4, 1);
        Self { message: "stay".to_owned(), action: format!("{action}, {{ hang = {{}} }}") }
    }

    fn word(&self) -> &str {
        self.message.split(' ').next().unwrap_or_default()
    }
}

/// Where it is, and how to come in.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) address: SocketAddr,
    /// Lines that every request has.
    pub(crate) headers: String,
}

/// What is measured. It ends with this, and its directory goes.
pub(crate) struct Server {
    pub(crate) place: Place,
    child: Child,
    directory: TempDir,
}

impl Server {
    /// Starts it, and waits until it says where it is.
    pub(crate) fn start(load: &Load, plays: &[&Play]) -> Result<Self, Failure> {
        Self::start_with(load, plays, "")
    }

    /// The same, with more lines in its configuration.
    pub(crate) fn start_with(load: &Load, plays: &[&Play], lines: &str) -> Result<Self, Failure> {
        let directory = if load.in_memory { tempfile::tempdir_in(MEMORY) } else { tempfile::tempdir() }?;
        let mut command = match &load.selvedge {
            Some(selvedge) => gateway(selvedge, directory.path(), plays, lines)?,
            None => {
                let mut command = program(&env::current_exe()?);
                command.arg("serve-bare");
                command
            }
        };
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.as_mut() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let address = line.split("http://").nth(1).and_then(|rest| rest.split_whitespace().next());
        let address: SocketAddr = address.ok_or("the server did not start")?.parse()?;
        let headers = format!("host: {address}\r\nauthorization: Bearer {TOKEN}\r\n");
        Ok(Self { place: Place { address, headers }, child, directory })
    }

    /// Where sessions work.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// What it has had of the processors so far, its children aside.
    pub(crate) fn cpu_seconds(&self) -> f64 {
        let stat = self.read("stat");
        // The name in parentheses may hold anything; after it come the state and numbers.
        let numbers = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
        let ticks: f64 = numbers.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
        ticks / TICKS_A_SECOND
    }

    /// Its resident memory: with the pages of its program, which its app-servers use too.
    pub(crate) fn resident_kib(&self) -> f64 {
        line_of(&self.read("status"), "VmRSS:")
    }

    /// The most that was ever resident.
    pub(crate) fn peak_kib(&self) -> f64 {
        line_of(&self.read("status"), "VmHWM:")
    }

    /// Its share of the memory it uses.
    pub(crate) fn share_kib(&self) -> f64 {
        line_of(&self.read("smaps_rollup"), "Pss:")
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        // One that has ended already is as gone as we want it.
        let _told = pid.map(|pid| kill_process(pid, Signal::TERM));
        let _ended = self.child.wait();
    }
}

fn gateway(selvedge: &Path, directory: &Path, plays: &[&Play], lines: &str) -> Result<Command, Failure> {
    let mut scenario = "name = \"crowd\"\n\
        [[rule]]\ncontains = \"hello\"\nstep = [{ do = [{ say = { text = \"hello\" } }] }]\n"
        .to_owned();
    for play in plays {
        let (word, action) = (play.word(), &play.action);
        scenario.push_str(&format!("[[rule]]\ncontains = \"{word}\"\nstep = [{{ do = [{action}] }}]\n"));
    }
    let (scenario_file, config_file) = (directory.join("scenario.toml"), directory.join("selvedge.toml"));
    fs::write(&scenario_file, scenario)?;
    fs::write(
        &config_file,
        format!(
            "keep_warm = false\nidle_seconds = 3600\n{lines}\n[serve]\nmax_connections = 20000\ndrain = 0\n"
        ),
    )?;
    fs::create_dir_all(directory.join("home"))?;
    let mut command = program(selvedge);
    command.args(["serve", "--listen", "127.0.0.1:0", "--codex", "rehearsal"]);
    for (flag, path) in [
        ("--config", config_file),
        ("--scenario", scenario_file),
        ("--data-dir", directory.join("data")),
        ("--codex-home", directory.join("home")),
    ] {
        command.arg(flag).arg(path);
    }
    command.env("SELVEDGE_TOKEN", TOKEN).stderr(fs::File::create(directory.join("log"))?);
    Ok(command)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the server that is measured; its owner ends it and waits for it"
)]
fn program(path: &Path) -> Command {
    Command::new(path)
}

fn line_of(text: &str, name: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or(f64::NAN)
}
