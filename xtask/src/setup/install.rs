//! Installs one package with npm, and makes sure that its program runs.

use std::fs;
use std::path::{Path, PathBuf};

use super::cache::{PINS, Slot};
use super::catalog::Package;
use super::unpinned;
use crate::failure::Failure;
use crate::npm;
use crate::tool::Tool;

/// A program that runs and has the right version.
#[derive(Debug)]
pub(super) struct Installed {
    pub(super) program: PathBuf,
    /// How it came to be there, for the one line that is printed.
    pub(super) note: &'static str,
}

/// A program the caller named; it is checked, not trusted.
pub(super) fn given(package: &Package, program: &Path) -> Result<Installed, Failure> {
    let fix = format!("correct or unset {}", package.variable());
    // Tests run in other directories than we do.
    let program = std::path::absolute(program).map_err(Failure::file("find", program))?;
    check_version(package, &program).map_err(|failure| failure.hint(fix))?;
    Ok(Installed { program, note: "is the one given" })
}

/// The program from the cache, installed first if it is not there or does not run.
pub(super) fn provide(package: &Package) -> Result<Installed, Failure> {
    let slot = Slot::take(package)?;
    if let Some(program) = slot.complete().and_then(|directory| running_program(package, directory).ok()) {
        return Ok(Installed { program, note: "is installed" });
    }
    let staging = slot.staging()?;
    if let Err(failure) = install_in(package, &staging) {
        // Half a gigabyte that is of no use. If it cannot be removed the next set-up tries again.
        let _ = fs::remove_dir_all(&staging);
        return Err(failure);
    }
    let program = running_program(package, slot.commit(&staging)?)?;
    Ok(Installed { program, note: "was installed" })
}

fn install_in(package: &Package, staging: &Path) -> Result<(), Failure> {
    eprintln!("   {}: installing with npm", package.title());
    let pins: &[&str] = if unpinned::is_pinned(package) { &PINS } else { &[] };
    if pins.is_empty() {
        unpinned::write_manifest(package, staging)?;
    }
    for pin in pins {
        let from = package.source().join(pin);
        fs::copy(&from, staging.join(pin)).map_err(Failure::file("copy", &from))?;
    }
    npm::install(staging)?;
    (package.unpack)(staging)?;
    for surplus in (package.surplus)(staging) {
        fs::remove_dir_all(&surplus).map_err(Failure::file("remove", &surplus))?;
    }
    running_program(package, staging).map(drop)
}

fn running_program(package: &Package, directory: &Path) -> Result<PathBuf, Failure> {
    let program = (package.candidates)(directory)
        .into_iter()
        .find(|candidate| candidate.is_file())
        .ok_or_else(|| Failure::new("npm installed it, but it has no program for this platform"))?;
    check_version(package, &program)?;
    Ok(program)
}

fn check_version(package: &Package, program: &Path) -> Result<(), Failure> {
    // Even `codex --version` writes to its home; a set-up leaves nothing in the person's own.
    let home = tempfile::tempdir().map_err(Failure::file("create a directory in", &std::env::temp_dir()))?;
    let variables = [("CODEX_HOME".to_owned(), home.path().as_os_str().to_owned())];
    let said = Tool::new(program).args(["--version"]).envs(&variables).output()?;
    let said = String::from_utf8_lossy(&said);
    if said.split_whitespace().any(|word| word == package.says) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} says it is `{}`",
        program.display(),
        said.lines().next().unwrap_or_default()
    )))
}
