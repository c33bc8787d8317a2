//! App-servers that are shells.

use std::{ffi::OsString, path::PathBuf, sync::Arc, time::Duration};

use crate::fleet::{
    Environment, Fleet, FleetOptions, Isolation, Letters, Program, RestartLimits, Seat, Told,
    generation::Generation,
};

/// A handshake, then silence until stdin ends.
pub(super) const QUIET: &str = "cat >/dev/null";

/// An environment whose app-server answers the handshake and then does `rest`.
pub(super) fn shell(rest: &str) -> Arc<Environment> {
    raw_shell(&format!("{}{rest}", handshake("")))
}

/// What a shell does to be accepted; `between` happens after it was asked, and before it answers.
pub(super) fn handshake(between: &str) -> String {
    format!(
        "read initialize; {between} echo '{{\"id\":1000000001,\"result\":{{\"userAgent\":\"sh/0.166.0 (sh)\",\
         \"codexHome\":\"/nowhere\"}}}}'; read initialized; "
    )
}

pub(super) fn raw_shell(script: &str) -> Arc<Environment> {
    with_program(PathBuf::from("/bin/sh"), script)
}

pub(super) fn with_program(program: PathBuf, script: &str) -> Arc<Environment> {
    let arguments: Vec<OsString> = vec!["-c".into(), script.into()];
    let program = Program::Rehearsal { program, arguments };
    let (env, config) = (Vec::new(), Vec::new());
    Arc::new(Environment { program, codex_home: None, env, config, bare: None, login: None })
}

/// Restarts without long delays, and nothing that waits.
pub(super) fn options() -> FleetOptions {
    let short = Duration::from_millis(1);
    let restart = RestartLimits { first_delay: short, longest_delay: short, ..RestartLimits::default() };
    FleetOptions { restart, keep_warm: false, ..FleetOptions::default() }
}

pub(super) fn fleet() -> Fleet {
    Fleet::new(options())
}

pub(super) async fn shared(fleet: &Fleet, environment: &Arc<Environment>) -> Seat {
    fleet.seat(environment, Isolation::Shared).await.expect("a seat")
}

pub(super) async fn isolated(fleet: &Fleet, environment: &Arc<Environment>) -> Seat {
    fleet.seat(environment, Isolation::Isolated).await.expect("a seat")
}

/// Waits until nothing is left of it.
pub(super) async fn finished(generation: &Generation) {
    tokio::time::timeout(Duration::from_secs(30), generation.finished()).await.expect("an end");
}

/// The next news.
pub(super) async fn next(news: &mut Letters) -> Told {
    let next = tokio::time::timeout(Duration::from_secs(30), news.recv());
    next.await.expect("news in time").expect("an open mailbox")
}
