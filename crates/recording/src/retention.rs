//! What is kept: the youngest files, as many as the limits allow. What is being written is never removed.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use crate::{name::Name, recordings::Limits};

struct Found {
    name: Name,
    path: PathBuf,
    bytes: u64,
    written: SystemTime,
}

/// Removes the oldest files beyond the limits. Only what has a name of ours is looked at.
pub(crate) fn apply(directory: &Path, limits: &Limits, now: SystemTime) -> io::Result<()> {
    let mut found = look(directory)?;
    found.sort_by(|one, other| other.name.cmp(&one.name));
    let (mut kept, mut bytes) = (0, 0_u64);
    for file in found {
        let age = now.duration_since(file.written).unwrap_or_default();
        let fits = kept < limits.files && bytes.saturating_add(file.bytes) <= limits.bytes;
        if (fits && age <= limits.age) || is_being_written(&file.path) {
            kept += 1;
            bytes = bytes.saturating_add(file.bytes);
        } else {
            gone(fs::remove_file(&file.path))?;
        }
    }
    Ok(())
}

fn look(directory: &Path) -> io::Result<Vec<Found>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        // Another process may have removed it meanwhile.
        let (Some(name), Ok(about)) = (Name::of(&path), entry.metadata()) else { continue };
        if about.is_file() {
            let written = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            found.push(Found { name, path, bytes: about.len(), written });
        }
    }
    Ok(found)
}

/// Whoever writes a file holds its lock, in whichever process.
fn is_being_written(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
}

/// Two processes may remove the same one.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uuid::Uuid;

    use super::*;
    use crate::part::Part;

    fn file(directory: &Path, second: i64, bytes: usize) -> PathBuf {
        let began = jiff::Timestamp::from_second(1_800_000_000 + second).unwrap();
        let path = directory.join(Name::new(began, Uuid::nil()).to_string());
        fs::write(&path, vec![b'x'; bytes]).unwrap();
        path
    }

    fn generous() -> Limits {
        Limits { file_bytes: 1, files: 100, age: Duration::from_secs(1000), bytes: 1 << 20 }
    }

    #[test]
    fn the_oldest_go_first_by_count_and_by_size() {
        let directory = tempfile::tempdir().unwrap();
        let files: Vec<_> = (0..5).map(|second| file(directory.path(), second, 100)).collect();
        apply(directory.path(), &Limits { files: 4, ..generous() }, SystemTime::now()).unwrap();
        assert_eq!(
            files.iter().map(|file| file.exists()).collect::<Vec<_>>(),
            [false, true, true, true, true]
        );
        apply(directory.path(), &Limits { bytes: 250, ..generous() }, SystemTime::now()).unwrap();
        assert_eq!(
            files.iter().map(|file| file.exists()).collect::<Vec<_>>(),
            [false, false, false, true, true]
        );
    }

    #[test]
    fn what_is_too_old_goes_and_what_is_not_ours_stays() {
        let directory = tempfile::tempdir().unwrap();
        let ours = file(directory.path(), 0, 1);
        let other = directory.path().join("kept-by-hand.jsonl.zst");
        fs::write(&other, "x").unwrap();
        let later = SystemTime::now() + Duration::from_secs(999);
        apply(directory.path(), &generous(), later).unwrap();
        assert!(ours.exists());
        apply(directory.path(), &generous(), later + Duration::from_secs(10)).unwrap();
        assert!(!ours.exists() && other.exists());
    }

    #[test]
    fn what_is_being_written_is_never_removed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(Name::new(jiff::Timestamp::now(), Uuid::nil()).to_string());
        let part = Part::create(&path).unwrap();
        let nothing = Limits { files: 0, ..generous() };
        apply(directory.path(), &nothing, SystemTime::now()).unwrap();
        assert!(path.exists());
        part.end().unwrap();
        apply(directory.path(), &nothing, SystemTime::now()).unwrap();
        assert!(!path.exists());
    }
}
