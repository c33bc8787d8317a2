//! An upgrade in place: the program on the disk takes over this process, where it listens now.

use std::{env, net::SocketAddr, os::unix::process::CommandExt as _, process::Command};

use selvedge_client::process::own_program;

use crate::failure::Failure;

/// Where the program before us listened: a port that the system chose is kept.
const ADDRESS: &str = "SELVEDGE_LISTENED_ON";

/// Where to listen instead of what we are told, because a program before us did.
pub(super) fn address() -> Option<SocketAddr> {
    env::var(ADDRESS).ok()?.parse().ok()
}

/// Becomes the program that lies where this one was started from, with the same words. It comes back only if it cannot.
pub(super) fn exec(address: SocketAddr) -> Failure {
    let (program, mut words) = match (own_program(), env::args_os()) {
        (Ok(program), words) => (program, words),
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
