//! A home of its own for Codex, in which it finds skills.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use sha2::{Digest, Sha256};

use super::LoadedSkill;

/// Names a user's home, where Codex looks for skills.
pub(crate) const HOME: &str = "HOME";
/// Names Codex's own directory, which stays the user's: the login is there.
const CODEX_HOME: &str = "CODEX_HOME";

/// A home with these skills in it, under a directory. It is named by what is in it, so that whoever wants the same shares it, and with it an app-server.
pub(crate) fn install(directory: &Path, skills: &[LoadedSkill]) -> io::Result<PathBuf> {
    let mut digest = Sha256::new();
    skills.iter().for_each(|skill| digest.update(&skill.hash));
    let name: String = digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let home = directory.join("homes").join(name);
    if home.is_dir() {
        return Ok(home);
    }
    fs::create_dir_all(directory.join("homes"))?;
    // Whole or not at all: two who want the same may come at once.
    let new = tempfile::Builder::new().prefix(".new-").tempdir_in(directory.join("homes"))?;
    for skill in skills {
        let place = new.path().join(".agents/skills").join(&skill.name);
        for file in &*skill.files {
            let path = place.join(&file.path);
            fs::create_dir_all(path.parent().unwrap_or(&place))?;
            fs::write(&path, &file.bytes)?;
            if file.executable {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            }
        }
    }
    match fs::rename(new.path(), &home) {
        Ok(()) => drop(new.keep()),
        Err(_) if home.is_dir() => {}
        Err(error) => return Err(error),
    }
    Ok(home)
}

/// Where Codex keeps its files when it is told nothing else: it has to be told, because its home is another one. `env` is what its environment has beside ours.
pub(crate) fn real_codex_home(env: &BTreeMap<String, String>) -> Option<(String, String)> {
    if env.contains_key(CODEX_HOME) || env::var_os(CODEX_HOME).is_some() {
        return None;
    }
    let home = env.get(HOME).map(PathBuf::from).or_else(env::home_dir)?;
    Some((CODEX_HOME.to_owned(), home.join(".codex").display().to_string()))
}
