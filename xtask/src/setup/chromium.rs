//! A Chromium for machines that have none: npm brings it packed, and it is unpacked once.

use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};

use super::catalog::Package;
use crate::failure::Failure;
use crate::tool::Tool;
use crate::{ui, workspace};

/// The one that visits the page if the machine has none.
pub(crate) const CHROMIUM: Package = Package {
    name: "chromium",
    version: "153.0.0",
    says: "153.0.8010.0",
    unpack,
    candidates: |installed| vec![installed.join("chromium/program")],
    surplus: |installed| vec![installed.join("node_modules")],
};

/// It, where it is needed and there is one for the platform.
pub(super) fn wanted() -> Option<&'static Package> {
    let is_missing = ui::find_browser().is_none();
    (is_missing && (OS, ARCH) == ("linux", "x86_64")).then_some(&CHROMIUM)
}

fn unpack(installed: &Path) -> Result<(), Failure> {
    let script: PathBuf = workspace::root().join("tools/chromium/unpack.mjs");
    Tool::new("node").directory(installed).args([script]).on_stderr().run()
}
