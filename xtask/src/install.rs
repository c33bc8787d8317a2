//! `cargo xtask install`: puts `selvedge` on the PATH.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::tool::Tool;
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

/// Builds it with optimisations, and says if the shell will not find it.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if !options.without_page {
        let way_out =
            "the page needs Node.js 20.19 or newer with npm on PATH; `--without-page` leaves it out";
        ui::provide().map_err(|failure| failure.hint(way_out))?;
    }
    let mut cargo = Tool::cargo().args(["install", "--locked", "--path", "crates/cli"]);
    if let Some(root) = &options.root {
        cargo = cargo.args([Path::new("--root"), root]);
    }
    cargo.hint("it needs Rust 1.95 and a C compiler, for SQLite").run()?;
    match found() {
        Some(place) => println!("   {} is what `selvedge` starts", place.display()),
        None => println!("   `selvedge` is not on the PATH yet: add the directory that cargo names above"),
    }
    Ok(())
}

fn found() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|directory| directory.join("selvedge")).find(|file| file.is_file())
}
