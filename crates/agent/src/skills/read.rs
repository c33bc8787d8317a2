//! Reading a skill from the disk.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::SkillFile;

/// The most that one file may have.
const LARGEST_FILE: u64 = 1024 * 1024;
/// The most that all may have together.
const LARGEST: u64 = 10 * 1024 * 1024;

/// All files of the skill at a path, by their names; or what is wrong.
pub(super) fn files(path: &Path) -> Result<Vec<SkillFile>, String> {
    let found = fs::metadata(path).map_err(|error| error.to_string())?;
    let mut reading = Reading { root: path, total: 0, files: Vec::new() };
    if found.is_dir() {
        reading.directory(path)?;
    } else {
        reading.file(path, PathBuf::from("SKILL.md"))?;
    }
    reading.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(reading.files)
}

struct Reading<'a> {
    root: &'a Path,
    total: u64,
    files: Vec<SkillFile>,
}

impl Reading<'_> {
    fn directory(&mut self, directory: &Path) -> Result<(), String> {
        let told = |error: std::io::Error| format!("{}: {error}", directory.display());
        for entry in fs::read_dir(directory).map_err(told)? {
            let entry = entry.map_err(told)?;
            // A link is neither: what it points to may lie anywhere.
            let kind = entry.file_type().map_err(told)?;
            if kind.is_dir() {
                self.directory(&entry.path())?;
            } else if kind.is_file() {
                let path = entry.path();
                let within = path.strip_prefix(self.root).unwrap_or(&path).to_owned();
                self.file(&path, within)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, within: PathBuf) -> Result<(), String> {
        let told = |error: std::io::Error| format!("{}: {error}", path.display());
        let found = fs::metadata(path).map_err(told)?;
        self.total += found.len();
        if found.len() > LARGEST_FILE {
            return Err(format!("{} has more than 1 MiB", within.display()));
        }
        if self.total > LARGEST {
            return Err("it has more than 10 MiB".to_owned());
        }
        let bytes = fs::read(path).map_err(told)?;
        let executable = found.permissions().mode() & 0o111 != 0;
        self.files.push(SkillFile { path: within, bytes, executable });
        Ok(())
    }
}
