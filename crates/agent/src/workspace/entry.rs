//! What a mount is made of, on its way into a workspace.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::files::Beneath;

/// A directory of a mount.
pub(super) struct At {
    pub(super) from: Beneath,
    /// Where it really lies.
    pub(super) real: PathBuf,
    /// Where it goes in the workspace.
    pub(super) to: Vec<OsString>,
    /// Its path within the mount, with a slash at the end unless it is empty.
    pub(super) prefix: String,
}

/// A file of a mount.
pub(super) struct Named {
    /// Where it really lies.
    pub(super) real: PathBuf,
    /// Its path within the mount.
    pub(super) shown: String,
    /// What it is called in the workspace.
    pub(super) name: OsString,
}

impl At {
    /// A directory in it.
    pub(super) fn below(&self, from: Beneath, real: PathBuf, name: OsString) -> Self {
        let prefix = format!("{}{}/", self.prefix, name.to_string_lossy());
        let to = self.to.iter().cloned().chain([name]).collect();
        Self { from, real, to, prefix }
    }
}
