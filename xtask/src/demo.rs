//! `cargo xtask demo`: a conversation to look at, with the stand-in for Codex or with the real one.

use std::path::Path;

use crate::failure::Failure;
use crate::setup;
use crate::tool::{self, Tool};

/// What is asked; the demonstration's scenario answers it.
const PROMPT: &str = "Give me the tour, please.";

/// What to show.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Options {
    /// With the real Codex, installed if need be, and a scripted model instead of the stand-in for Codex.
    #[arg(long)]
    real: bool,
    /// Answer every question with yes instead of asking.
    #[arg(long)]
    yes: bool,
}

/// Plays the demonstration in a directory of its own, which is removed afterwards.
pub(crate) fn run(options: Options) -> Result<(), Failure> {
    let tour = tool::build_executable(&["--package", "selvedge-client", "--example", "tour"], "tour")?;
    let directory =
        tempfile::tempdir().map_err(|error| Failure::new(format!("no temporary directory: {error}")))?;
    let mut playing = Tool::new(tour).directory(directory.path()).interactive();
    if options.yes {
        playing = playing.args(["--yes"]);
    }
    playing = playing.args([PROMPT]);
    if options.real {
        let setup = setup::provide();
        setup::report_missing(&setup.missing)?;
        let codex = setup.codex().ok_or_else(|| Failure::new("no Codex was installed".to_owned()))?;
        return playing.args(["--codex".as_ref(), codex]).run();
    }
    let selvedge = tool::build_executable(&["--package", "selvedge-cli"], "selvedge")?;
    println!("   This is the stand-in for Codex. `cargo xtask demo --real` plays the same on the real one.");
    playing.args([Path::new("--"), &selvedge]).args(["rehearse", "app-server"]).run()
}
