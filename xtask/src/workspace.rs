//! Where this workspace is, and the cargo that was called.

use std::ffi::OsString;
use std::path::PathBuf;

/// The root of the tree.
pub(crate) fn root() -> PathBuf {
    // Cargo says at run time where the manifest is; a tree that was moved after the build is found that way.
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(manifest);
    root.pop();
    root
}

/// The cargo that runs us, so that a chosen toolchain stays chosen.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
