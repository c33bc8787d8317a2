//! `cargo xtask a2a-sdk`: the official Python SDK of A2A as a client of the built gateway.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::failure::Failure;
use crate::tool::{self, Tool};
use crate::workspace;

const PYTHON: &str =
    "it needs Python 3.10 or newer with venv (on Debian and Ubuntu: apt install python3-venv), and network";
const TOKEN: &str = "the-token-of-the-client";

/// Asks a gateway on the stand-in everything that a caller asks, by both bindings.
pub(crate) fn run() -> Result<(), Failure> {
    let selvedge = tool::build_executable(&["--package", "selvedge-cli"], "selvedge")?;
    let built = selvedge.parent().unwrap_or(Path::new("."));
    let python = provide(&built.join("a2a-sdk"))?;
    let directory =
        tempfile::tempdir().map_err(|error| Failure::new(format!("no temporary directory: {error}")))?;
    let gateway = Gateway::start(&selvedge, directory.path())?;
    let environment = [
        ("SELVEDGE_URL".to_owned(), gateway.url.clone().into()),
        ("SELVEDGE_TOKEN".to_owned(), TOKEN.into()),
        ("PYTHONDONTWRITEBYTECODE".to_owned(), "1".into()),
    ];
    Tool::new(python).envs(&environment).args([workspace::root().join("xtask/a2a-sdk/client.py")]).run()
}

/// Python with the SDK, installed first if it is not there in these versions.
fn provide(directory: &Path) -> Result<PathBuf, Failure> {
    let pinned = workspace::root().join("xtask/a2a-sdk/requirements.txt");
    let wanted = fs::read_to_string(&pinned).map_err(Failure::file("read", &pinned))?;
    let (environment, stamp) = (directory.join("python"), directory.join("installed.txt"));
    let python = environment.join("bin/python");
    // Written last: an environment without it is none.
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) && python.is_file() {
        return Ok(python);
    }
    fs::create_dir_all(directory).map_err(Failure::file("make", directory))?;
    Tool::new("python3").args(["-m", "venv", "--clear"]).args([&environment]).hint(PYTHON).run()?;
    let quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    Tool::new(&python).args(quiet).args([&pinned]).hint(PYTHON).run()?;
    fs::write(&stamp, wanted).map_err(Failure::file("write", &stamp))?;
    Ok(python)
}

/// A running gateway. Dropped, it is killed.
struct Gateway {
    child: Child,
    url: String,
}

impl Gateway {
    #[expect(clippy::disallowed_methods, reason = "it is this task's own, and is ended with it")]
    fn start(selvedge: &Path, directory: &Path) -> Result<Self, Failure> {
        let (data, work) = (directory.join("data"), directory.join("work"));
        for made in [&data, &work] {
            fs::create_dir(made).map_err(Failure::file("make", made))?;
        }
        let agent = format!(
            "keep_warm = false\n[agents.helper]\nname = \"Helper\"\ncwd = {work:?}\napproval_policy = \"on-request\"\n"
        );
        let file = data.join("selvedge.toml");
        fs::write(&file, agent).map_err(Failure::file("write", &file))?;
        let mut child = Command::new(selvedge)
            .args(["serve", "--listen", "127.0.0.1:0", "--no-relay", "--codex", "rehearsal", "--scenario"])
            .arg(workspace::root().join("scenarios/judge.toml"))
            .arg("--data-dir")
            .arg(&data)
            .env("SELVEDGE_TOKEN", TOKEN)
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
        Ok(Self { child, url })
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _killed = self.child.kill();
        let _reaped = self.child.wait();
    }
}
