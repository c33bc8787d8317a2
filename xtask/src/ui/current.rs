//! Whether the built page is of what stands there now.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// What the page is made of.
const SOURCES: [&str; 8] = [
    "src",
    "public",
    "scripts",
    "index.html",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
];
/// Written last.
const MADE: &str = "dist/index.html.gz";

/// Whether nothing has changed since it was made.
pub(super) fn is_current(folder: &Path) -> bool {
    let Some(made) = changed(&folder.join(MADE)) else { return false };
    SOURCES.iter().filter_map(|source| newest(&folder.join(source))).all(|source| source < made)
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|about| about.modified()).ok()
}

/// The last change of a file, or of anything in a directory: what was removed changed the directory.
fn newest(path: &Path) -> Option<SystemTime> {
    let inner = fs::read_dir(path).into_iter().flatten().flatten().filter_map(|entry| newest(&entry.path()));
    inner.chain(changed(path)).max()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_changed_later_makes_it_old() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, seconds: u64| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let at = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            fs::File::create(&path).unwrap().set_modified(at).unwrap();
        };
        write("package.json", 10);
        assert!(!is_current(folder.path()), "it was never made");
        write(MADE, 20);
        assert!(is_current(folder.path()));
        write("package.json", 30);
        assert!(!is_current(folder.path()));
        write(MADE, 40);
        write("src/deep/inside.ts", 50);
        assert!(!is_current(folder.path()));
    }
}
