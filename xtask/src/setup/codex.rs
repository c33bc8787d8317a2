//! Where Codex's npm package keeps its native binary: three layouts, newest first.
//!
//! The native binary is used, not the node launcher: the launcher is one more process between us and the signals.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};

/// Every place the native binary may be in an installed directory.
pub(super) fn native_binaries(installed: &Path) -> Vec<PathBuf> {
    let Some((platform, triple)) = platform(OS, ARCH) else {
        return Vec::new();
    };
    let scope = installed.join("node_modules/@openai");
    let own = scope.join(format!("codex-{platform}")).join("vendor").join(triple);
    let shared = scope.join("codex/vendor").join(triple);
    let file = if OS == "windows" { "codex.exe" } else { "codex" };
    vec![own.join("bin").join(file), own.join("codex").join(file), shared.join("codex").join(file)]
}

/// 0.98.0 and older have one package with the binaries of all platforms: five sixths of 400 MB are for others.
pub(super) fn binaries_of_other_platforms(installed: &Path) -> Vec<PathBuf> {
    let Some((_, triple)) = platform(OS, ARCH) else {
        return Vec::new();
    };
    let vendor = installed.join("node_modules/@openai/codex/vendor");
    let kept = fs::read_dir(vendor).into_iter().flatten().flatten();
    kept.map(|entry| entry.path()).filter(|path| !path.ends_with(triple)).collect()
}

/// npm's name for a platform, and the target triple of the binary for it.
pub(super) fn platform(os: &str, arch: &str) -> Option<(&'static str, &'static str)> {
    Some(match (os, arch) {
        ("linux", "x86_64") => ("linux-x64", "x86_64-unknown-linux-musl"),
        ("linux", "aarch64") => ("linux-arm64", "aarch64-unknown-linux-musl"),
        ("macos", "x86_64") => ("darwin-x64", "x86_64-apple-darwin"),
        ("macos", "aarch64") => ("darwin-arm64", "aarch64-apple-darwin"),
        ("windows", "x86_64") => ("win32-x64", "x86_64-pc-windows-msvc"),
        ("windows", "aarch64") => ("win32-arm64", "aarch64-pc-windows-msvc"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_package_for_all_platforms_ours_is_kept() {
        let installed = tempfile::tempdir().unwrap();
        let vendor = installed.path().join("node_modules/@openai/codex/vendor");
        let (_, ours) = platform(OS, ARCH).unwrap();
        for triple in [ours, "sparc-sun-solaris"] {
            fs::create_dir_all(vendor.join(triple)).unwrap();
        }
        assert_eq!(binaries_of_other_platforms(installed.path()), [vendor.join("sparc-sun-solaris")]);
    }
}
