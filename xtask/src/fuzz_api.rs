//! `cargo xtask fuzz-api`: the gateway asked by a fuzzer that has read its description.

mod environment;
mod gateway;

use std::ffi::OsString;
use std::path::Path;

use crate::failure::Failure;
use crate::tool::{self, Tool};
use crate::workspace;
use gateway::Gateway;

/// How much is asked.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Options {
    /// The same seed asks the same.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Cases for each operation and kind of case.
    #[arg(long, value_name = "N", default_value_t = 50)]
    max_examples: u32,
    /// Go on with new cases for so long.
    #[arg(long, value_name = "M")]
    minutes: Option<u32>,
}

/// Asks a gateway on the stand-in, in a temporary directory, and fails with what it did wrong.
pub(crate) fn run(options: Options) -> Result<(), Failure> {
    let selvedge = tool::build_executable(&["--package", "selvedge-cli"], "selvedge")?;
    let built = selvedge.parent().unwrap_or(Path::new("."));
    let schemathesis = environment::provide(&built.join("fuzz-api"))?;
    let directory =
        tempfile::tempdir().map_err(|error| Failure::new(format!("no temporary directory: {error}")))?;
    let gateway = Gateway::start(&selvedge, directory.path())?;
    let asked = fuzzer(&schemathesis, &gateway, options).directory(directory.path()).run();
    let ended = gateway.end();
    let Options { seed, max_examples, .. } = options;
    let again = format!("to repeat it: cargo xtask fuzz-api --seed {seed} --max-examples {max_examples}");
    asked.map_err(|failure| failure.hint(again.clone()))?;
    ended.map_err(|failure| failure.hint(again))
}

fn fuzzer(schemathesis: &Path, gateway: &Gateway, options: Options) -> Tool {
    let files = workspace::root().join("xtask/fuzz-api");
    let environment = [
        ("SCHEMATHESIS_HOOKS".to_owned(), OsString::from("hooks")),
        ("PYTHONPATH".to_owned(), files.clone().into()),
        ("PYTHONDONTWRITEBYTECODE".to_owned(), "1".into()),
        ("SELVEDGE_FUZZ_ROOT".to_owned(), gateway.root().into()),
        // No proxy of this machine has a part in it.
        ("NO_PROXY".to_owned(), "*".into()),
    ];
    let mut tool = Tool::new(schemathesis)
        .envs(&environment)
        .args([Path::new("--config-file"), &files.join("schemathesis.toml")])
        .args(["run".to_owned(), format!("{}/openapi.json", gateway.url())])
        .args(["--header".to_owned(), format!("Authorization: Bearer {}", gateway::TOKEN)])
        .args(["--seed".to_owned(), options.seed.to_string()])
        .args(["--max-examples".to_owned(), options.max_examples.to_string()]);
    if let Some(minutes) = options.minutes {
        tool = tool.args(["--max-time".to_owned(), (u64::from(minutes) * 60).to_string()]);
    }
    tool
}
