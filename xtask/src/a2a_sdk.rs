//! `cargo xtask a2a-sdk`: the official Python SDK of A2A as a client of the built gateway.

use std::fs;
use std::path::Path;

use crate::a2a_gateway::{Gateway, Play, provide};
use crate::failure::Failure;
use crate::tool::{self, Tool};
use crate::workspace;

const TOKEN: &str = "the-token-of-the-client";
const CONFIG: &str =
    "keep_warm = false\n[agents.helper]\nname = \"Helper\"\napproval_policy = \"on-request\"\n";

/// Asks a gateway on the stand-in everything that a caller asks, by both bindings.
pub(crate) fn run() -> Result<(), Failure> {
    let selvedge = tool::build_executable(&["--package", "selvedge-cli"], "selvedge")?;
    let pinned = workspace::root().join("xtask/a2a-sdk/requirements.txt");
    let wanted = fs::read_to_string(&pinned).map_err(Failure::file("read", &pinned))?;
    let built = selvedge.parent().unwrap_or(Path::new("."));
    let python = provide(&built.join("a2a-sdk"), &wanted, &["--requirement", &pinned.display().to_string()])?;
    let scenario = workspace::root().join("scenarios/judge.toml");
    let gateway =
        Gateway::start(&selvedge, &Play { config: CONFIG, scenario: &scenario, token: Some(TOKEN) })?;
    let environment = [
        ("SELVEDGE_URL".to_owned(), gateway.url.clone().into()),
        ("SELVEDGE_TOKEN".to_owned(), TOKEN.into()),
        ("PYTHONDONTWRITEBYTECODE".to_owned(), "1".into()),
    ];
    Tool::new(python).envs(&environment).args([workspace::root().join("xtask/a2a-sdk/client.py")]).run()
}
