//! The fuzzer in a Python environment of its own beside the build, in the pinned versions.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::tool::Tool;
use crate::workspace;

const PYTHON: &str =
    "it needs Python 3.10 or newer with venv (on Debian and Ubuntu: apt install python3-venv), and network";

/// Where `schemathesis` is, installed first if it is not there in these versions.
pub(super) fn provide(directory: &Path) -> Result<PathBuf, Failure> {
    let pinned = workspace::root().join("xtask/fuzz-api/requirements.txt");
    let wanted = fs::read_to_string(&pinned).map_err(Failure::file("read", &pinned))?;
    let (environment, stamp) = (directory.join("python"), directory.join("installed.txt"));
    let schemathesis = environment.join("bin/schemathesis");
    // Written last: an environment without it is none.
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) && schemathesis.is_file() {
        return Ok(schemathesis);
    }
    fs::create_dir_all(directory).map_err(Failure::file("make", directory))?;
    Tool::new("python3").args(["-m", "venv", "--clear"]).args([&environment]).hint(PYTHON).run()?;
    let quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    Tool::new(environment.join("bin/python")).args(quiet).args([&pinned]).hint(PYTHON).run()?;
    fs::write(&stamp, wanted).map_err(Failure::file("write", &stamp))?;
    Ok(schemathesis)
}
