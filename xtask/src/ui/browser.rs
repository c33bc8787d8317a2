//! The page in a browser, against the built program.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{folder, install};
use crate::failure::Failure;
use crate::npm;
use crate::tool::{self, Tool};

/// Names the browser, for whoever has it elsewhere.
const VARIABLE: &str = "SELVEDGE_CHROMIUM";
/// What it is called where packages install it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser on this machine. One that was named is not doubted: the tests then say what is wrong with it.
pub(crate) fn find() -> Option<PathBuf> {
    env::var_os(VARIABLE).map(PathBuf::from).or_else(|| NAMES.into_iter().find_map(tool::on_path))
}

/// Lets the browser visit it; the environment says where the programs are.
pub(crate) fn drive(browser: PathBuf, environment: &[(String, OsString)]) -> Result<(), Failure> {
    install()?;
    let browser = [(VARIABLE.to_owned(), browser.into_os_string())];
    npm::npm(&folder()).args(["run", "--silent", "e2e"]).envs(environment).envs(&browser).run()
}

/// What measures the page of a built program in the browser, and prints a report.
pub(crate) fn bench(browser: &Path, selvedge: &Path) -> Result<Tool, Failure> {
    install()?;
    let programs = [(VARIABLE, browser), ("SELVEDGE_BIN", selvedge)];
    let programs = programs.map(|(name, path)| (name.to_owned(), path.as_os_str().to_owned()));
    Ok(npm::npm(&folder()).args(["run", "--silent", "bench"]).envs(&programs))
}
