//! `cargo xtask a2a-kit DIRECTORY`: the public conformance kit of A2A asks an agent of the built gateway.
//!
//! The kit is in no package registry, so somebody has to bring it: a checkout of its branch for 1.0.

use std::fs;
use std::path::{Path, PathBuf};

use crate::a2a_gateway::{Gateway, Play, provide};
use crate::failure::Failure;
use crate::tool::{self, Tool};
use crate::workspace;

/// Which kit.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// A checkout of the kit (`a2a-tck`, branch `1.0-dev`).
    #[arg(value_name = "DIRECTORY")]
    kit: PathBuf,
    /// Handed to pytest, e.g. `-k CORE-SEND`.
    #[arg(last = true)]
    pytest: Vec<String>,
}

/// Fails if one of the kit's tests does.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let kit = fs::canonicalize(&options.kit).map_err(Failure::file("find", &options.kit))?;
    let description = kit.join("pyproject.toml");
    let wanted = fs::read_to_string(&description).map_err(Failure::file("read", &description))?;
    let selvedge = tool::build_executable(&["--package", "selvedge-cli"], "selvedge")?;
    let built = selvedge.parent().unwrap_or(Path::new("."));
    let python = provide(&built.join("a2a-kit"), &wanted, &[&kit.display().to_string()])?;
    let ours = workspace::root().join("xtask/a2a-sdk/kit");
    let agent = ours.join("agent.toml");
    let config = fs::read_to_string(&agent).map_err(Failure::file("read", &agent))?;
    let scenario = ours.join("scenario.toml");
    let gateway = Gateway::start(&selvedge, &Play { config: &config, scenario: &scenario, token: None })?;
    let environment = [
        ("PYTHONPATH".to_owned(), ours.into_os_string()),
        ("PYTHONDONTWRITEBYTECODE".to_owned(), "1".into()),
    ];
    let words = ["-m", "pytest", "tests/compatibility", "-p", "ids_as_words", "-p", "no:cacheprovider", "-q"];
    let pytest = Tool::new(python).directory(&kit).envs(&environment).args(words);
    let pytest = pytest.args(["--sut-host", &gateway.url, "--transport", "jsonrpc,http_json"]);
    pytest.args(&options.pytest).run()
}
