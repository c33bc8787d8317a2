//! The daemon: owns the child, and moves bytes between it, the log and the client.

pub(crate) mod arguments;
mod child;
mod client;
mod diary;
mod diff;
mod exchange;
mod hello;
mod input;
mod lobby;
mod log;
mod open;
mod ready;
mod times;

use std::{
    env,
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use crate::start::READY_WORD;

/// Runs the daemon, if the arguments of this process are those of one; a program that starts relays calls this first of
/// all. Nothing else it has set up is of use to a daemon, and all of it would be held in memory.
#[must_use]
pub fn run() -> Option<ExitCode> {
    let mut words = env::args_os().skip(1);
    if words.next()? != "relay" || words.next()? != "daemon" {
        return None;
    }
    Some(hold(words))
}

fn hold(words: impl Iterator<Item = OsString>) -> ExitCode {
    let opened = arguments::read(words).and_then(|task| open::open(&task));
    match opened {
        Ok(exchange) => {
            tell(READY_WORD);
            exchange.run()
        }
        Err(error) => {
            tell(&error.lines());
            ExitCode::FAILURE
        }
    }
}

/// The pipe to whoever started us is our stdout. If nobody is there any more, the relay is wanted all the same.
fn tell(words: &str) {
    let mut stdout = io::stdout().lock();
    let _nobody = stdout.write_all(words.as_bytes()).and_then(|()| stdout.flush());
}
