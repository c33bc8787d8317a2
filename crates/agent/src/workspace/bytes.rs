//! The bytes of one file in another: shared by the file system where it can, else copied.

use std::fs::{File, FileTimes};
use std::io::{self, Read};

use rustix::fs::{Mode, fchmod, fstat};

/// Who may do what with a file; that it runs as somebody else does not go with a copy.
const RIGHTS: u32 = 0o777;

/// Copies a file with its rights and its time. Of one that is longer than `most`, a byte more than that, so that it is seen.
pub(super) fn copied(source: &File, target: &File, most: u64) -> io::Result<u64> {
    let bytes = if is_shared(source, target) {
        target.metadata()?.len()
    } else {
        let (mut from, mut to) = (source.take(most.saturating_add(1)), target);
        io::copy(&mut from, &mut to)?
    };
    fchmod(target, Mode::from_raw_mode(fstat(source)?.st_mode & RIGHTS))?;
    target.set_times(FileTimes::new().set_modified(source.metadata()?.modified()?))?;
    Ok(bytes)
}

/// Whether both now share what they hold, until one of them is written to. Btrfs, XFS and their like do that within one file system.
#[cfg(target_os = "linux")]
fn is_shared(source: &File, target: &File) -> bool {
    rustix::fs::ioctl_ficlone(target, source).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn is_shared(_: &File, _: &File) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn a_copy_has_the_bytes_the_rights_and_the_time() {
        let home = tempfile::tempdir().unwrap();
        let (from, to) = (home.path().join("from"), home.path().join("to"));
        fs::write(&from, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&from, fs::Permissions::from_mode(0o4755)).unwrap();
        let before = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        File::options().write(true).open(&from).unwrap().set_modified(before).unwrap();
        let target = File::create_new(&to).unwrap();
        assert_eq!(copied(&File::open(&from).unwrap(), &target, 10).unwrap(), 10);
        let found = to.metadata().unwrap();
        assert_eq!((found.permissions().mode() & 0o7777, found.modified().unwrap()), (0o755, before));
        assert_eq!(fs::read_to_string(&to).unwrap(), "#!/bin/sh\n");
    }

    #[test]
    fn of_a_file_that_grew_one_byte_too_many_is_copied() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("from"), "0123456789").unwrap();
        let (from, to) = (
            File::open(home.path().join("from")).unwrap(),
            File::create_new(home.path().join("to")).unwrap(),
        );
        assert!(copied(&from, &to, 4).unwrap() > 4);
    }
}
