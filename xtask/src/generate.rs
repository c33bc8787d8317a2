//! `cargo xtask codegen`: makes the generated files of `protocol` from the installed Codex, or compares them.

use std::path::{Path, PathBuf};

use crate::codegen;
use crate::failure::Failure;
use crate::setup;

/// What to do with the generated files.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    /// Compare instead of writing; fail if they differ.
    #[arg(long)]
    check: bool,
    /// The native Codex to ask for its schema, instead of the pinned one.
    #[arg(long, value_name = "PATH")]
    codex: Option<PathBuf>,
}

/// The task: with the Codex that was named, or with the one the set-up installs.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if let Some(codex) = &options.codex {
        return generate(options.check, codex);
    }
    generate(options.check, &setup::codex()?)
}

/// Writes or compares the generated files.
pub(crate) fn generate(check: bool, codex: &Path) -> Result<(), Failure> {
    codegen::run(check, codex).map_err(Failure::new)
}
