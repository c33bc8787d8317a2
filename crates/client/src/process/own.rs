//! The program that runs now, to be started once more.

use std::{
    env, io,
    path::{Path, PathBuf},
};

/// What Linux adds to the name of a program whose file was replaced or removed.
const GONE: &str = " (deleted)";

/// Where to find the program of this process: also after an upgrade has put another file in its place (then that one),
/// or has taken it away (then the one that runs).
///
/// # Errors
///
/// If the system does not say what this process runs.
pub fn own_program() -> io::Result<PathBuf> {
    let named = env::current_exe()?;
    Ok(lying_at(&named).unwrap_or_else(|| PathBuf::from("/proc/self/exe")))
}

/// The file of this name, or the one that took its place.
fn lying_at(named: &Path) -> Option<PathBuf> {
    if named.exists() {
        return Some(named.to_owned());
    }
    let replaced = named.to_str()?.strip_suffix(GONE).map(PathBuf::from)?;
    replaced.exists().then_some(replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_took_the_place_of_ours_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("selvedge");
        let gone = folder.path().join("selvedge (deleted)");
        assert_eq!(lying_at(&gone), None, "nothing lies there");
        std::fs::write(&there, "").unwrap();
        assert_eq!(lying_at(&there), Some(there.clone()));
        assert_eq!(lying_at(&gone), Some(there));
        std::fs::write(&gone, "").unwrap();
        assert_eq!(lying_at(&gone), Some(gone), "somebody may call it so");
    }
}
