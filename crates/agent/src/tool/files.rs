//! What policies may ask about files.

use std::path::{Component, Path, PathBuf};

/// The files that tools work on.
pub trait Files: Send + Sync + 'static {
    /// Whether there is something at this path, which is relative to where the tools work.
    fn exists(&self, path: &str) -> bool;
}

/// The files of one directory. It says nothing about what lies outside.
#[derive(Debug, Clone)]
pub struct Directory {
    root: PathBuf,
}

impl Directory {
    /// The directory at this path.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }
}

impl Files for Directory {
    fn exists(&self, path: &str) -> bool {
        let path = Path::new(path);
        let stays = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        // Of a link it is the link itself that would be written over.
        stays && self.root.join(path).symlink_metadata().is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_inside_exists() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("work");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(home.path().join("outside"), "x").unwrap();
        std::fs::write(root.join("inside"), "x").unwrap();
        let files = Directory::new(&root);
        assert!(files.exists("inside") && files.exists("./inside"));
        assert!(!files.exists("missing") && !files.exists("../outside"));
        assert!(!files.exists(home.path().join("outside").to_str().unwrap()));
    }
}
