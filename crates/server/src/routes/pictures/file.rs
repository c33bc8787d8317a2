//! Reading a picture from a path that somebody else named: a plain file with a picture in it, or nothing.

use std::{
    fs::{self, OpenOptions},
    io::Read as _,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;
use selvedge_runtime::Roots;

use crate::routes::files;

/// More is not shown.
const MOST: u64 = 20 << 20;

/// The bytes of a picture under the allowed roots, or anywhere if there are none.
pub(super) fn read(path: &Path, roots: &[PathBuf]) -> Option<Vec<u8>> {
    let resolved = fs::canonicalize(path).ok()?;
    if !roots.is_empty() && !Roots::resolved(roots).allow(&resolved) {
        return None;
    }
    let bytes = plain(&resolved)?;
    files::picture(&bytes).map(|_| bytes)
}

/// What is in a plain file that is not too large. Links are resolved by now, so one that came since is not followed; a pipe
/// without a writer is not waited for.
fn plain(path: &Path) -> Option<Vec<u8>> {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).ok()?;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    let about = file.metadata().ok()?;
    if !about.is_file() || about.len() > MOST {
        return None;
    }
    let mut bytes = Vec::new();
    // It may be growing.
    file.take(MOST + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MOST).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

    #[test]
    fn a_picture_is_read_also_by_a_link_to_it() {
        let place = tempfile::tempdir().unwrap();
        let (picture, link) = (place.path().join("a.png"), place.path().join("link"));
        fs::write(&picture, PNG).unwrap();
        symlink(&picture, &link).unwrap();
        assert_eq!(read(&picture, &[]).unwrap(), PNG);
        assert_eq!(read(&link, &[]).unwrap(), PNG);
    }

    #[test]
    fn nothing_else_is() {
        let place = tempfile::tempdir().unwrap();
        let named = |name: &str| place.path().join(name);
        fs::write(named("words.png"), "root:x:0:0").unwrap();
        symlink(named("words.png"), named("link.png")).unwrap();
        symlink("/etc/passwd", named("passwd.png")).unwrap();
        symlink(named("round.png"), named("round.png")).unwrap();
        fs::create_dir(named("directory.png")).unwrap();
        fs::File::create(named("large.png")).unwrap().set_len(MOST + 1).unwrap();
        for name in
            ["words.png", "link.png", "passwd.png", "round.png", "directory.png", "large.png", "none.png"]
        {
            assert_eq!(read(&named(name), &[]), None, "{name}");
        }
        assert_eq!(read(Path::new("/dev/zero"), &[]), None);
        assert_eq!(read(Path::new("/proc/self/environ"), &[]), None);
    }

    #[test]
    fn nor_what_lies_outside_of_the_roots_however_it_is_reached() {
        let place = tempfile::tempdir().unwrap();
        let (inside, outside) = (place.path().join("in"), place.path().join("in-not"));
        for made in [&inside, &outside] {
            fs::create_dir(made).unwrap();
            fs::write(made.join("a.png"), PNG).unwrap();
        }
        symlink(outside.join("a.png"), inside.join("link.png")).unwrap();
        symlink(&outside, inside.join("way-out")).unwrap();
        let roots = [inside.clone()];
        assert!(read(&inside.join("a.png"), &roots).is_some());
        for path in ["link.png", "way-out/a.png", "../in-not/a.png"] {
            assert_eq!(read(&inside.join(path), &roots), None, "{path}");
        }
        assert_eq!(read(&outside.join("a.png"), &roots), None);
        assert_eq!(
            read(&inside.join("a.png"), &[place.path().join("nowhere")]),
            None,
            "a root that is not there"
        );
    }
}
