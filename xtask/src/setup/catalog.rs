//! What the set-up installs: one row each.

use std::path::{Path, PathBuf};

use super::{codex, typescript};
use crate::failure::Failure;
use crate::workspace;

/// A program that comes as an npm package, pinned by `tools/NAME/VERSION/package-lock.json`.
#[derive(Debug)]
pub(crate) struct Package {
    /// The folder under `tools/`.
    pub(crate) name: &'static str,
    /// The folder under that.
    pub(crate) version: &'static str,
    /// What `--version` must say.
    pub(crate) says: &'static str,
    /// Makes programs of what npm brought, if they are none yet.
    pub(crate) unpack: fn(&Path) -> Result<(), Failure>,
    /// Where the program may be in an installed directory, the likeliest first.
    pub(crate) candidates: fn(&Path) -> Vec<PathBuf>,
    /// What nobody needs of an installed directory; it is removed.
    pub(crate) surplus: fn(&Path) -> Vec<PathBuf>,
}

/// The table. Another version or tool is a row here and a folder under `tools/`. The first one is the Codex that our
/// types are made from; the others are those that are judged beside it.
pub(crate) const PACKAGES: &[Package] = &[
    Package::codex("0.166.0"),
    Package::codex("0.120.0"),
    Package::codex("0.98.0"),
    Package::codex("0.72.0"),
    Package {
        name: "typescript",
        version: "7.0.2",
        says: "7.0.2",
        unpack: |_| Ok(()),
        candidates: typescript::native_compiler,
        surplus: |_| Vec::new(),
    },
];

impl Package {
    const fn codex(version: &'static str) -> Self {
        Self {
            name: "codex",
            version,
            says: version,
            unpack: |_| Ok(()),
            candidates: codex::native_binaries,
            surplus: codex::binaries_of_other_platforms,
        }
    }

    /// The name a person reads.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// The committed folder with `package.json` and its lock file.
    pub(crate) fn source(&self) -> PathBuf {
        workspace::root().join("tools").join(self.name).join(self.version)
    }

    /// The environment variable that tells tests where the program is: `SELVEDGE_CODEX_0_166_0`.
    pub(crate) fn variable(&self) -> String {
        variable(self.name, self.version)
    }
}

/// The same for a version that may have no row.
pub(crate) fn variable(name: &str, version: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("SELVEDGE_{name}_{version}").chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::PACKAGES;
    use crate::setup::CHROMIUM;

    #[test]
    fn the_variables_are_those_the_tests_read() {
        let variables: Vec<_> = PACKAGES.iter().map(super::Package::variable).collect();
        let codex =
            ["0_166_0", "0_120_0", "0_98_0", "0_72_0"].map(|version| format!("SELVEDGE_CODEX_{version}"));
        assert_eq!(variables[..4], codex);
        assert_eq!(variables[4..], ["SELVEDGE_TYPESCRIPT_7_0_2"]);
    }

    #[test]
    fn the_client_names_the_versions_that_are_judged() {
        let client = include_str!("../../../crates/client/src/abilities.rs");
        let named = client.lines().find(|line| line.contains("const JUDGED")).unwrap();
        let mut judged: Vec<_> =
            PACKAGES[..4].iter().map(|package| format!("\"{}\"", package.version)).collect();
        // The client has the oldest first.
        judged.reverse();
        assert!(named.ends_with(&format!("[{}];", judged.join(", "))), "{named}");
    }

    #[test]
    fn every_row_has_its_pinned_folder() {
        for package in PACKAGES.iter().chain([&CHROMIUM]) {
            let lock = std::fs::read_to_string(package.source().join("package-lock.json")).unwrap();
            assert!(lock.contains(&format!("\"version\": \"{}\"", package.version)), "{}", package.title());
            // Without a `resolved` address npm asks whatever registry it is configured for.
            assert!(!lock.contains("\"resolved\""), "{}: the lock file names a host", package.title());
        }
    }
}
