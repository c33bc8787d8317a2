//! How a private directory goes.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::files::{Beneath, Obstacle};

/// How often it is begun again because somebody wrote something meanwhile.
const MOST_TRIES: usize = 100;

/// Removes a directory with all that is in it. Links go as links; what they point to is not touched.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    let removed = match emptied(path) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            // Package managers like to write-protect their directories. What still cannot be removed is told by the second try.
            let _partly = Beneath::open(path).and_then(|top| unlock(&top));
            emptied(path)
        }
        removed => removed,
    };
    match removed {
        // Whoever was here before us did what we were to do.
        Err(error) if error.kind() == ErrorKind::NotFound && !is_there(path) => Ok(()),
        removed => removed,
    }
}

/// Removes everything, also if a command that was told to stop still writes something.
fn emptied(path: &Path) -> io::Result<()> {
    let not_empty = |removed: &io::Result<()>| {
        removed.as_ref().is_err_and(|error| error.kind() == ErrorKind::DirectoryNotEmpty)
    };
    let mut tries = (0..MOST_TRIES).map(|_| fs::remove_dir_all(path));
    tries.find(|removed| !not_empty(removed)).unwrap_or_else(|| fs::remove_dir_all(path))
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Lets the owner into every directory.
fn unlock(directory: &Beneath) -> Result<(), Obstacle> {
    directory.unlock()?;
    for name in directory.names()? {
        // What is no directory needs nothing.
        if let Ok(inner) = directory.enter(&name) {
            unlock(&inner)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn write_protected_directories_are_unlocked_and_what_links_point_to_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let (top, outside) = (home.path().join("top"), home.path().join("outside"));
        fs::create_dir_all(top.join("a/b")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("kept"), "x").unwrap();
        symlink(&outside, top.join("a/link")).unwrap();
        for path in [&outside, &top.join("a/b"), &top.join("a")] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o555)).unwrap();
        }
        unlock(&Beneath::open(&top).unwrap()).unwrap();
        assert_eq!((mode(&top.join("a")), mode(&top.join("a/b")), mode(&outside)), (0o700, 0o700, 0o555));
        fs::set_permissions(&outside, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn cleanup_handles_already_deleted() {
        let private = tempfile::tempdir().unwrap();
        fs::remove_dir_all(private.path()).unwrap();
        remove(private.path()).unwrap();
    }

    #[test]
    fn what_is_written_while_it_goes_goes_too() {
        let private = tempfile::tempdir().unwrap();
        let path = private.path().to_owned();
        let directory = path.join("busy");
        fs::create_dir(&directory).unwrap();
        std::thread::scope(|scope| {
            let writing = scope.spawn(|| {
                // Until the directory is gone, and never for long: who writes faster than others remove would fill the disk.
                (0..500)
                    .take_while(|number| fs::write(directory.join(number.to_string()), "x").is_ok())
                    .count()
            });
            while fs::read_dir(&directory).is_ok_and(|mut entries| entries.next().is_none()) {
                std::thread::yield_now();
            }
            remove(&path).unwrap();
            assert!(writing.join().unwrap() > 0 && !is_there(&path));
        });
    }

    #[test]
    fn what_was_swapped_for_a_link_takes_nothing_with_it() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("kept"), "x").unwrap();
        let private = tempfile::tempdir().unwrap();
        let path = private.path().to_owned();
        fs::remove_dir(&path).unwrap();
        symlink(home.path(), &path).unwrap();
        remove(&path).unwrap();
        assert!(!is_there(&path) && home.path().join("kept").exists());
    }
}
