//! npm, which brings what is not written in Rust.

use std::path::Path;

use crate::failure::Failure;
use crate::tool::Tool;
use crate::workspace;

/// What a person without a working npm does.
const NODE: &str = "it needs Node.js 20.19 or newer with npm on PATH and, to install, network";

/// Nothing but errors.
const QUIET: [&str; 4] = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];

/// npm in a directory with a `package.json`.
pub(crate) fn npm(directory: &Path) -> Tool {
    Tool::new(if cfg!(windows) { "npm.cmd" } else { "npm" }).directory(directory).hint(NODE)
}

/// Installs what the lock file there says, or `package.json` where there is none. No package gets to run a script of its
/// own: what we need are files.
pub(crate) fn install(directory: &Path) -> Result<(), Failure> {
    let is_locked = directory.join("package-lock.json").is_file();
    let install: &[&str] = if is_locked { &["ci"] } else { &["install", "--no-package-lock"] };
    npm(directory).args(install).args(["--ignore-scripts"]).args(QUIET).on_stderr().run()
}

/// The newest published version of a package.
pub(crate) fn newest(package: &str) -> Result<String, Failure> {
    let said = npm(&workspace::root()).args(["view", package, "version"]).args(QUIET).output()?;
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    if said.is_empty() { Err(Failure::new(format!("npm knows no version of {package}"))) } else { Ok(said) }
}
