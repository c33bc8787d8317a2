//! `cargo xtask ui`: makes the page of what stands in `ui/`; the next build of the program carries it.

mod browser;
mod current;
mod weight;

use std::fs;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::{npm, workspace};

pub(crate) use browser::{bench, drive, find as find_browser};

/// In `node_modules`, a copy of the lock file that was installed: written last, so half an install has none.
const INSTALLED: &str = "node_modules/.selvedge-installed.json";

/// The task: the types from the description of the API, then the page.
pub(crate) fn run() -> Result<(), Failure> {
    install()?;
    script("types", &[])?;
    build()
}

/// The page, made only if what it is made of has changed since the last time.
pub(crate) fn provide() -> Result<(), Failure> {
    if current::is_current(&folder()) {
        return Ok(());
    }
    install()?;
    build()
}

/// Everything about the page that needs no browser. Its types are compared, not written.
pub(crate) fn test() -> Result<(), Failure> {
    install()?;
    script("types", &["--check"])
        .map_err(|failure| failure.hint("`cargo xtask ui` makes them again from docs/openapi.json"))?;
    script("test", &[])?;
    build()
}

fn build() -> Result<(), Failure> {
    script("build", &[])?;
    weight::check(&folder().join("dist"))
}

/// What the lock file says, unless it is there already.
fn install() -> Result<(), Failure> {
    let (lock, installed) = (folder().join("package-lock.json"), folder().join(INSTALLED));
    let wanted = fs::read(&lock).map_err(Failure::file("read", &lock))?;
    if fs::read(&installed).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    npm::install(&folder())?;
    fs::write(&installed, wanted).map_err(Failure::file("write", &installed))
}

/// A script of `ui/package.json`.
fn script(name: &str, arguments: &[&str]) -> Result<(), Failure> {
    npm::npm(&folder()).args(["run", "--silent", name, "--"]).args(arguments).run()
}

fn folder() -> PathBuf {
    workspace::root().join("ui")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn lock() -> String {
        fs::read_to_string(folder().join("package-lock.json")).unwrap()
    }

    #[test]
    fn the_lock_file_names_no_host() {
        // Without a `resolved` address npm asks whatever registry it is configured for.
        assert!(!lock().contains("\"resolved\""));
    }

    /// `npm ci` refuses a lock file that lacks the binaries of another platform than the one it was made on.
    #[test]
    fn the_lock_file_is_for_every_platform() {
        let lock: serde_json::Value = serde_json::from_str(&lock()).unwrap();
        let packages = lock["packages"].as_object().unwrap();
        let names: BTreeSet<_> =
            packages.keys().filter_map(|path| path.rsplit("node_modules/").next()).collect();
        let wanted = packages.values().filter_map(|package| package["optionalDependencies"].as_object());
        let wanted: BTreeSet<_> = wanted.flat_map(|some| some.keys()).map(String::as_str).collect();
        assert!(wanted.len() > 10, "they were found: {wanted:?}");
        let missing: Vec<_> = wanted.difference(&names).collect();
        assert!(missing.is_empty(), "choose versions that are there for all platforms: {missing:?}");
    }
}
