//! `cargo xtask demo`: something to look at, with the stand-in for Codex or with the real one.

mod gateway;

use std::path::Path;

use crate::failure::Failure;
use crate::setup;
use crate::tool::{self, Tool};

/// What is asked; the demonstration's scenario answers it.
const PROMPT: &str = "Give me the tour, please.";

/// What to show.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Options {
    /// A conversation on the terminal instead of the gateway.
    #[arg(long)]
    tour: bool,
    /// That conversation with the real Codex, installed if need be, and a scripted model.
    #[arg(long)]
    real: bool,
    /// That conversation without questions: every one is answered with yes, and it ends by itself.
    #[arg(long)]
    yes: bool,
}

/// Starts the gateway on the stand-in; or plays a conversation, to its end.
pub(crate) fn run(options: Options) -> Result<(), Failure> {
    if options.tour || options.real || options.yes { tour(options) } else { gateway::run() }
}

/// Plays the conversation in a directory of its own, which is removed afterwards.
fn tour(options: Options) -> Result<(), Failure> {
    let tour = tool::build_executable(&["--package", "selvedge-client", "--example", "tour"], "tour")?;
    let directory =
        tempfile::tempdir().map_err(|error| Failure::new(format!("no temporary directory: {error}")))?;
    let mut playing = Tool::new(tour).directory(directory.path()).interactive();
    if options.yes {
        playing = playing.args(["--yes"]);
    }
    playing = playing.args([PROMPT]);
    if options.real {
        let codex = setup::codex()?;
        return playing.args([Path::new("--codex"), &codex]).run();
    }
    let selvedge = tool::build_executable(&["--package", "selvedge-cli"], "selvedge")?;
    println!("   This is the stand-in for Codex. `cargo xtask demo --real` plays the same on the real one.");
    playing.args([Path::new("--"), &selvedge]).args(["rehearse", "app-server"]).run()
}
