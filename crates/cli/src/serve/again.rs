//! An upgrade in place: the program on the disk takes over this process, where it listens now.

use std::{env, net::SocketAddr, os::unix::process::CommandExt as _, path::PathBuf, process::Command};

use crate::failure::Failure;

/// Where the program before us listened: a port that the system chose is kept.
const ADDRESS: &str = "SELVEDGE_LISTENED_ON";

/// Where to listen instead of what we are told, because a program before us did.
pub(super) fn address() -> Option<SocketAddr> {
    env::var(ADDRESS).ok()?.parse().ok()
}

/// Becomes the program that lies where this one was started from, with the same words. It comes back only if it cannot.
pub(super) fn exec(address: SocketAddr) -> Failure {
    let (program, mut words) = match (env::current_exe(), env::args_os()) {
        (Ok(program), words) => (replaced(program), words),
        (Err(error), _) => return Failure::start(error),
    };
    #[expect(clippy::disallowed_methods, reason = "it has this process's owner")]
    let mut command = Command::new(&program);
    if let Some(name) = words.next() {
        command.arg0(name);
    }
    let error = command.args(words).env(ADDRESS, address.to_string()).exec();
    let what = format!("{} could not take over: {error}", program.display());
    Failure::failed(what, "start the gateway again; turns behind relays go on meanwhile")
}

/// Of a file that was replaced Linux says so in its name.
fn replaced(program: PathBuf) -> PathBuf {
    match program.to_str().and_then(|path| path.strip_suffix(" (deleted)")) {
        Some(path) if !program.exists() => PathBuf::from(path),
        _ => program,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_took_the_place_of_ours_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("selvedge");
        std::fs::write(&there, "").unwrap();
        assert_eq!(replaced(there.clone()), there);
        let gone = folder.path().join("selvedge (deleted)");
        assert_eq!(replaced(gone.clone()), there);
        std::fs::write(&gone, "").unwrap();
        assert_eq!(replaced(gone.clone()), gone, "somebody may call it so");
    }
}
