//! The gateway on the stand-in, ready to be looked at.

use std::fs;
use std::path::Path;

use crate::failure::Failure;
use crate::tool::{self, Tool};
use crate::ui;

/// Builds it and serves until Ctrl-C. What it keeps lies beside the build, so the next start goes on with it.
pub(super) fn run() -> Result<(), Failure> {
    if let Err(failure) = ui::provide() {
        // What it is without its page can still be looked at.
        eprintln!("\n   the gateway starts without its page: {failure}\n");
    }
    let selvedge = tool::build_executable(&["--package", "selvedge-cli"], "selvedge")?;
    let built = selvedge.parent().unwrap_or(Path::new("."));
    let (data, work, home) = (built.join("demo/data"), built.join("demo/work"), built.join("demo/home"));
    for directory in [&data, &work, &home] {
        fs::create_dir_all(directory).map_err(Failure::file("make", directory))?;
    }
    explain(&selvedge, &data);
    Tool::new(&selvedge)
        .directory(&work)
        .args(["serve", "--codex", "rehearsal", "--listen", "127.0.0.1:0", "--drain", "2"])
        .args([Path::new("--data-dir"), &data, Path::new("--codex-home"), &home])
        .hint("`cargo xtask demo --yes` plays a conversation instead, and ends by itself")
        .run()
}

fn explain(selvedge: &Path, data: &Path) {
    println!(
        "
   The gateway starts on the stand-in for Codex: no account, no model, nothing leaves this machine.
   Open the address that it prints below. In another terminal, on the same sessions:

     {0} run \"Give me the tour, please.\" --codex rehearsal --data-dir {1}
     {0} sessions --data-dir {1}

   docs/api.md has the same with curl. Ctrl-C ends it; the next start goes on with what it keeps.
",
        selvedge.display(),
        data.display()
    );
}
