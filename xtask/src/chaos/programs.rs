//! The programs of a run: the host, what plays Codex, and the scripted model.

use std::path::PathBuf;

use super::{Codex, Options};
use crate::failure::Failure;
use crate::tool;
use crate::{setup, workspace};

/// Where they are.
#[derive(Debug, Clone)]
pub(super) struct Programs {
    /// The example of the runtime that speaks NDJSON.
    pub(super) host: PathBuf,
    /// For the stand-in, the model and the proxy.
    pub(super) selvedge: PathBuf,
    /// The real Codex, if that is what is wanted.
    pub(super) codex: Option<PathBuf>,
    pub(super) scenario: PathBuf,
}

impl Programs {
    /// Builds or finds them.
    pub(super) fn build(options: &Options) -> Result<Self, Failure> {
        let everything = ["--workspace", "--all-targets"].as_slice();
        let alone = [
            ["--package", "selvedge-runtime", "--example", "host"].as_slice(),
            ["--package", "selvedge-cli"].as_slice(),
        ];
        let [host, selvedge] = if options.from_whole_build { [everything; 2] } else { alone };
        Ok(Self {
            host: tool::build_executable(host, "host")?,
            selvedge: tool::build_executable(selvedge, "selvedge")?,
            codex: match options.codex {
                Codex::Rehearsal => None,
                Codex::Real => Some(setup::codex()?),
            },
            scenario: workspace::root().join("scenarios/chaos.toml"),
        })
    }
}
