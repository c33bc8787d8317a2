//! `cargo xtask install`: puts `selvedge` on the PATH.

use std::path::{Path, PathBuf, absolute};
use std::{env, fs};

use crate::failure::Failure;
use crate::tool::{Tool, on_path};
use crate::ui;

/// Where to.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    /// The directory with `bin` in it [default: cargo's own].
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Without the page; it alone needs Node.js.
    #[arg(long)]
    without_page: bool,
}

/// Builds it as it is shipped, and says if the shell will not find it.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if !options.without_page {
        let way_out =
            "the page needs Node.js 20.19 or newer with npm on PATH; `--without-page` leaves it out";
        ui::provide().map_err(|failure| failure.hint(way_out))?;
    }
    let mut cargo = Tool::cargo().args(["install", "--locked", "--profile", "dist", "--path", "crates/cli"]);
    // cargo runs in the root of the tree; whoever types a path means it from where they are.
    let root = options.root.as_deref().map(absolute).transpose();
    let root =
        root.map_err(|error| Failure::new(format!("the directory {:?} cannot be: {error}", options.root)))?;
    if let Some(root) = &root {
        cargo = cargo.args([Path::new("--root"), root]);
    }
    cargo.hint("it needs Rust 1.95, a C compiler for SQLite, and the right to write there").run()?;
    let installed = root.or_else(of_cargo).map(|root| root.join("bin/selvedge"));
    println!("   {}", outcome(installed.and_then(real).as_deref(), on_path("selvedge").as_deref()));
    Ok(())
}

/// Where cargo installs, unless its configuration says otherwise.
fn of_cargo() -> Option<PathBuf> {
    let given = env::var_os("CARGO_INSTALL_ROOT").or_else(|| env::var_os("CARGO_HOME"));
    given.map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")))
}

fn real(file: PathBuf) -> Option<PathBuf> {
    fs::canonicalize(file).ok()
}

/// What the shell will do now, and what to do about it.
fn outcome(installed: Option<&Path>, found: Option<&Path>) -> String {
    let Some(found) = found else {
        return "`selvedge` is not on the PATH yet: add the directory that cargo names above".to_owned();
    };
    match installed {
        Some(installed) if real(found.to_owned()).as_deref() != Some(installed) => format!(
            "`selvedge` starts {}, not {}: put its directory first on the PATH",
            found.display(),
            installed.display()
        ),
        _ => format!("`selvedge` starts {}", found.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_one_that_is_found_first_is_not_taken_for_the_new_one() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let [new, old] = [&here, &there].map(|directory| {
            let file = directory.path().join("selvedge");
            fs::write(&file, "").unwrap();
            real(file).unwrap()
        });
        let said = outcome(Some(&new), Some(&old));
        assert!(said.contains(&format!("starts {}, not {}", old.display(), new.display())), "{said}");
        assert_eq!(outcome(Some(&new), Some(&new)), format!("`selvedge` starts {}", new.display()));
        assert!(outcome(Some(&new), None).contains("not on the PATH"));
    }
}
