//! What of the host is to be in a workspace.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::files::{fits, fits_all_below};
use crate::json::spaced_ascii;

/// A file or a directory of the host that a workspace has a copy of.
///
/// ```
/// use selvedge_agent::HostMount;
///
/// let mounts = [HostMount::new("/srv/project").at("project").include("*.rs").exclude("target/*").max_bytes(1_000_000)];
/// assert_eq!(HostMount::fingerprint(&mounts).len(), 16);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostMount {
    host_path: PathBuf,
    mount_path: Option<String>,
    include: Vec<String>,
    exclude: Vec<String>,
    max_bytes: Option<u64>,
    follow_symlinks: bool,
}

impl HostMount {
    /// All of what lies there, under its own name; links are not followed.
    pub fn new(host_path: impl Into<PathBuf>) -> Self {
        Self {
            host_path: host_path.into(),
            mount_path: None,
            include: Vec::new(),
            exclude: Vec::new(),
            max_bytes: None,
            follow_symlinks: false,
        }
    }

    /// Under this path in the workspace.
    #[must_use]
    pub fn at(mut self, mount_path: impl Into<String>) -> Self {
        self.mount_path = Some(mount_path.into());
        self
    }

    /// Only files whose path within it fits this or another such pattern. `*` also stands for slashes.
    #[must_use]
    pub fn include(mut self, glob: impl Into<String>) -> Self {
        self.include.push(glob.into());
        self
    }

    /// No files whose path within it fits, whatever else it fits.
    #[must_use]
    pub fn exclude(mut self, glob: impl Into<String>) -> Self {
        self.exclude.push(glob.into());
        self
    }

    /// At most so many bytes in all.
    #[must_use]
    pub fn max_bytes(mut self, most: u64) -> Self {
        self.max_bytes = Some(most);
        self
    }

    /// Follows links that stay within it.
    #[must_use]
    pub fn follow_symlinks(mut self) -> Self {
        self.follow_symlinks = true;
        self
    }

    /// Where it lies on the host.
    #[must_use]
    pub fn host_path(&self) -> &Path {
        &self.host_path
    }

    pub(super) fn mount_path(&self) -> Option<&str> {
        self.mount_path.as_deref()
    }

    pub(super) fn most(&self) -> Option<u64> {
        self.max_bytes
    }

    pub(super) fn follows_symlinks(&self) -> bool {
        self.follow_symlinks
    }

    /// Whether it wants a file at this path within it. What is excluded is not wanted, whatever includes it.
    pub(super) fn wants(&self, path: &str) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|pattern| fits(pattern, path));
        !any(&self.exclude) && (self.include.is_empty() || any(&self.include))
    }

    /// Whether it wants everything that it does not exclude.
    pub(super) fn wants_all(&self) -> bool {
        self.include.is_empty()
    }

    /// Whether nothing below a directory is wanted.
    pub(super) fn leaves_out_all_below(&self, directory: &str) -> bool {
        self.exclude.iter().any(|pattern| fits_all_below(pattern, directory))
    }

    /// By what a workspace with these mounts is known again: what is mounted and how much of it, in the order of the mounts. What the files hold is not in it.
    #[must_use]
    pub fn fingerprint(mounts: &[Self]) -> String {
        let described: Vec<Value> = mounts.iter().map(Self::describe).collect();
        // Strings, numbers and lists always have JSON.
        let text = spaced_ascii(&described).unwrap_or_default();
        Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    fn describe(&self) -> Value {
        json!({
            "exclude_glob": self.exclude,
            "host_path": self.host_path.to_string_lossy(),
            "include_glob": self.include,
            "max_bytes": self.max_bytes,
            "mount_path": self.mount_path,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprints_are_the_reference_s() {
        let print = |mounts: &[HostMount]| HostMount::fingerprint(mounts);
        assert_eq!(print(&[HostMount::new("/abs/path/to/repo").at("repo")]), "5eaf944d15cf05d7");
        assert_eq!(print(&[]), "4f53cda18c2baa0c");
        let all = HostMount::new("/a").include("*.py").exclude("x/*").max_bytes(10).follow_symlinks();
        assert_eq!(print(&[all]), "884b87306b2fff05");
    }

    #[test]
    fn another_mount_or_another_order_is_another_fingerprint() {
        let (one, other) = (HostMount::new("/a"), HostMount::new("/b"));
        let prints = [
            HostMount::fingerprint(&[one.clone(), other.clone()]),
            HostMount::fingerprint(&[other.clone(), one.clone()]),
            HostMount::fingerprint(&[one.clone().max_bytes(1), other.clone()]),
            HostMount::fingerprint(&[one.clone().at("c"), other]),
            HostMount::fingerprint(&[one]),
        ];
        let different: std::collections::BTreeSet<_> = prints.iter().collect();
        assert_eq!(different.len(), prints.len());
    }
}
