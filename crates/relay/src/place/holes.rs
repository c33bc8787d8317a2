//! Room on the disk that a log no longer needs.

use std::{fs::File, io};

#[cfg(target_os = "linux")]
pub(super) fn punch(log: &File, before: u64) -> io::Result<()> {
    use rustix::{
        fs::{FallocateFlags, fallocate},
        io::Errno,
    };
    if before == 0 {
        return Ok(());
    }
    match fallocate(log, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, 0, before) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        other => other.map_err(Into::into),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn punch(_log: &File, _before: u64) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{fs, os::unix::fs::MetadataExt};

    use crate::Place;

    #[test]
    fn what_is_forgotten_takes_no_room_and_the_rest_stays_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::at(folder.path()).unwrap();
        fs::write(place.log(), [vec![b'x'; 1 << 20], b"kept\n".to_vec()].concat()).unwrap();
        let before = fs::metadata(place.log()).unwrap();
        place.forget_before(1 << 20).unwrap();
        let after = fs::metadata(place.log()).unwrap();
        assert_eq!(before.len(), after.len());
        assert!(after.blocks() < before.blocks() / 10, "{} of {} blocks", after.blocks(), before.blocks());
        assert!(fs::read(place.log()).unwrap().ends_with(b"\0kept\n"));
    }
}
