//! A gateway on the stand-in with one agent, for others' programs to talk to, and the Python that runs those.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::failure::Failure;
use crate::tool::Tool;

pub(crate) const PYTHON: &str =
    "it needs Python 3.11 or newer with venv (on Debian and Ubuntu: apt install python3-venv), and network";

/// What the agent is, and what the stand-in plays.
pub(crate) struct Play<'a> {
    /// The text of `selvedge.toml`.
    pub(crate) config: &'a str,
    pub(crate) scenario: &'a Path,
    /// The token callers send; none is needed without one.
    pub(crate) token: Option<&'a str>,
}

/// A running gateway. Dropped, it is killed, and its directory goes.
pub(crate) struct Gateway {
    child: Child,
    pub(crate) url: String,
    _directory: TempDir,
}

impl Gateway {
    #[expect(clippy::disallowed_methods, reason = "it is this task's own, and is ended with it")]
    pub(crate) fn start(selvedge: &Path, play: &Play<'_>) -> Result<Self, Failure> {
        let directory =
            tempfile::tempdir().map_err(|error| Failure::new(format!("no temporary directory: {error}")))?;
        let (data, work) = (directory.path().join("data"), directory.path().join("work"));
        for made in [&data, &work] {
            fs::create_dir(made).map_err(Failure::file("make", made))?;
        }
        // What an agent may give away.
        for (file, text) in [(data.join("selvedge.toml"), play.config), (work.join("output.txt"), "output\n")]
        {
            fs::write(&file, text).map_err(Failure::file("write", &file))?;
        }
        let mut command = Command::new(selvedge);
        command.args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--no-relay",
            "--codex",
            "rehearsal",
            "--scenario",
        ]);
        command.arg(play.scenario).arg("--data-dir").arg(&data).arg("--cwd").arg(&work);
        match play.token {
            Some(token) => command.env("SELVEDGE_TOKEN", token),
            None => command.arg("--no-auth"),
        };
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure::new(format!("the gateway did not start: {error}")))?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            // What it says later is said to nobody: it says nothing more there.
            let _heard = BufReader::new(stdout).read_line(&mut line);
        }
        let url = line.strip_prefix("listening on ").and_then(|said| said.split(' ').next());
        let url =
            url.map(str::to_owned).ok_or_else(|| Failure::new("the gateway did not say where it is"))?;
        Ok(Self { child, url, _directory: directory })
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _killed = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Python with what was asked for, installed first if it is not there in these versions. `wanted` names the versions.
pub(crate) fn provide(directory: &Path, wanted: &str, install: &[&str]) -> Result<PathBuf, Failure> {
    let (environment, stamp) = (directory.join("python"), directory.join("installed.txt"));
    let python = environment.join("bin/python");
    // Written last: an environment without it is none.
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) && python.is_file() {
        return Ok(python);
    }
    fs::create_dir_all(directory).map_err(Failure::file("make", directory))?;
    Tool::new("python3").args(["-m", "venv", "--clear"]).args([&environment]).hint(PYTHON).run()?;
    let quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    Tool::new(&python).args(quiet).args(install).hint(PYTHON).run()?;
    fs::write(&stamp, wanted).map_err(Failure::file("write", &stamp))?;
    Ok(python)
}
