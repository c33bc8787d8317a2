//! A Codex that no lock file pins: the newest one, or any that somebody wants to look at.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::catalog::{PACKAGES, Package};
use crate::failure::Failure;

/// Codex of any version, as the catalog's first row has it.
pub(super) fn codex(version: &str) -> Result<Package, Failure> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    if !version.starts_with(|c: char| c.is_ascii_digit()) || !version.chars().all(plain) {
        return Err(Failure::new(format!("`{version}` is no version")).hint("one looks like 0.166.0"));
    }
    let row = PACKAGES.first().ok_or_else(|| Failure::new("the catalog is empty"))?;
    // The catalog is a table of constants. What one run asks for is as good as one.
    let version: &str = version.to_owned().leak();
    Ok(Package { version, says: version, ..*row })
}

/// Whether the tree has a lock file for it.
pub(super) fn is_pinned(package: &Package) -> bool {
    package.source().is_dir()
}

/// What npm is given instead of a lock file.
pub(super) fn write_manifest(package: &Package, staging: &Path) -> Result<(), Failure> {
    let manifest = json!({"private": true, "dependencies": {"@openai/codex": package.version}});
    let path = staging.join("package.json");
    fs::write(&path, manifest.to_string()).map_err(Failure::file("write", &path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_a_version_and_no_path() {
        assert_eq!(codex("0.167.0-alpha.1").unwrap().variable(), "SELVEDGE_CODEX_0_167_0_ALPHA_1");
        for wrong in ["latest", "", "../x", "1/2"] {
            assert!(codex(wrong).unwrap_err().to_string().contains("is no version"), "{wrong}");
        }
    }

    #[test]
    fn every_row_of_the_catalog_is_pinned_and_another_version_is_not() {
        assert!(PACKAGES.iter().all(is_pinned));
        assert!(!is_pinned(&codex("0.0.1").unwrap()));
    }
}
