//! `cargo xtask setup`: what the tests need and cargo does not bring, installed once into a cache outside the tree.

mod cache;
mod catalog;
mod chromium;
mod codex;
mod install;
mod typescript;
mod unpinned;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::ui;
use catalog::{PACKAGES, Package};
use install::Installed;

pub(crate) use chromium::CHROMIUM;

/// What is there after a set-up, and what is not.
#[derive(Debug, Default)]
pub(crate) struct Setup {
    /// Variables by which tests find the programs.
    pub(crate) environment: Vec<(String, OsString)>,
    /// What could not be installed.
    pub(crate) missing: Vec<Missing>,
}

/// Something the tests need that could not be installed.
#[derive(Debug)]
pub(crate) struct Missing {
    pub(crate) package: &'static Package,
    why: Failure,
}

impl Setup {
    /// The native Codex whose schema the generated files are made from: the first row's.
    pub(crate) fn codex(&self) -> Option<&Path> {
        self.program(PACKAGES.first()?)
    }

    /// The browser, if the machine has none and it was installed.
    pub(crate) fn browser(&self) -> Option<&Path> {
        self.program(&CHROMIUM)
    }

    fn program(&self, package: &Package) -> Option<&Path> {
        let variable = package.variable();
        self.environment.iter().find(|(name, _)| *name == variable).map(|(_, path)| Path::new(path))
    }
}

/// Installs what is not there yet, with one line for each package.
pub(crate) fn provide() -> Setup {
    provide_all(PACKAGES.iter().chain(chromium::wanted()))
}

/// The versions of Codex that are judged, oldest first.
pub(crate) fn codex_versions() -> impl Iterator<Item = &'static str> {
    PACKAGES.iter().rev().filter(|package| package.name == "codex").map(|package| package.version)
}

/// These versions of Codex, installed if need be. One that is not pinned has to be named by its variable.
pub(crate) fn codexes(versions: &[String]) -> Result<Setup, Failure> {
    let pinned = |version: &String| codex_versions().any(|known| known == version);
    for version in versions.iter().filter(|version| !pinned(version)) {
        let variable = catalog::variable("codex", version);
        if std::env::var_os(&variable).is_none() {
            return Err(Failure::new(format!("Codex {version} is not among those that are installed here"))
                .hint(format!("name one you have: {variable}=/path/to/codex")));
        }
    }
    let wanted =
        |package: &&Package| package.name == "codex" && versions.iter().any(|one| one == package.version);
    let setup = provide_all(PACKAGES.iter().filter(wanted));
    report_missing(&setup.missing)?;
    Ok(setup)
}

/// A browser: the machine's own, or else the one that is installed for it.
pub(crate) fn browser() -> Option<PathBuf> {
    ui::find_browser().or_else(|| provide_all(chromium::wanted()).browser().map(PathBuf::from))
}

/// The native Codex, installed if need be: whoever needs nothing else is not stopped by anything else.
pub(crate) fn codex() -> Result<PathBuf, Failure> {
    let setup = provide_all(PACKAGES.first());
    report_missing(&setup.missing)?;
    setup.codex().map(PathBuf::from).ok_or_else(|| Failure::new("no Codex was installed"))
}

/// The version whose schema the generated files are made from: the first row's.
pub(crate) fn version_of_types() -> &'static str {
    PACKAGES.first().map_or("", |package| package.version)
}

/// The native Codex of any published version, installed if need be: as it is pinned, or as npm brings it.
pub(crate) fn codex_of(version: &str) -> Result<PathBuf, Failure> {
    Ok(package_program(&unpinned::codex(version)?)?.program)
}

/// The variable by which tests find the Codex of a version.
pub(crate) fn variable_of_codex(version: &str) -> Result<String, Failure> {
    unpinned::codex(version).map(|package| package.variable())
}

fn provide_all(packages: impl IntoIterator<Item = &'static Package>) -> Setup {
    let mut setup = Setup::default();
    for package in packages {
        match package_program(package) {
            Ok(Installed { program, note }) => {
                println!("   {} {note}: {}", package.title(), program.display());
                setup.environment.push((package.variable(), program.into()));
            }
            Err(why) => setup.missing.push(Missing { package, why }),
        }
    }
    setup
}

/// The set-up as a task of its own.
pub(crate) fn run() -> Result<(), Failure> {
    let setup = provide();
    report_missing(&setup.missing)
}

/// Fails with the list of what is missing, if anything is.
pub(crate) fn report_missing(missing: &[Missing]) -> Result<(), Failure> {
    if missing.is_empty() {
        return Ok(());
    }
    let list: Vec<String> = missing.iter().map(Missing::to_string).collect();
    Err(Failure::new(format!("could not be installed:\n{}", list.join("\n"))))
}

/// A program named by the caller comes first: a machine without network can still test.
fn package_program(package: &Package) -> Result<Installed, Failure> {
    match std::env::var_os(package.variable()) {
        Some(program) => install::given(package, program.as_ref()),
        None => install::provide(package),
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (title, variable) = (self.package.title(), self.package.variable());
        writeln!(out, "- {title}: {}", self.why)?;
        write!(out, "  or name one you have: {variable}=/path/to/{} cargo xtask test", self.package.name)
    }
}
