//! Where TypeScript's npm package keeps its native compiler: the one that checks the examples.

use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};

use super::codex::platform;

/// The place of the native compiler in an installed directory.
pub(super) fn native_compiler(installed: &Path) -> Vec<PathBuf> {
    let Some((platform, _)) = platform(OS, ARCH) else {
        return Vec::new();
    };
    let own = installed.join(format!("node_modules/@typescript/typescript-{platform}/lib"));
    vec![own.join(if OS == "windows" { "tsc.exe" } else { "tsc" })]
}
