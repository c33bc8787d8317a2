//! npm, which brings what is not written in Rust.

use std::path::Path;

use crate::failure::Failure;
use crate::tool::Tool;

/// What a person without a working npm does.
const NODE: &str = "it needs Node.js 20.19 or newer with npm on PATH and, to install, network";

/// npm in a directory with a `package.json`.
pub(crate) fn npm(directory: &Path) -> Tool {
    Tool::new(if cfg!(windows) { "npm.cmd" } else { "npm" }).directory(directory).hint(NODE)
}

/// Installs what the lock file there says. No package gets to run a script of its own: what we need are files.
pub(crate) fn install(directory: &Path) -> Result<(), Failure> {
    let quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
    npm(directory).args(["ci", "--ignore-scripts"]).args(quiet).run()
}
