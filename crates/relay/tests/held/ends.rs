//! How children, relays and clients end, and what is left of them.

use std::{
    fs,
    time::{Duration, Instant},
};

use rustix::process::{Signal, kill_process};

use crate::stage::{Stage, gone, until};

#[test]
fn the_exit_code_is_told_and_the_log_can_be_attached_afterwards() {
    let stage = Stage::new();
    let attached = stage.serve(&[], &["sh", "-c", "echo one; echo two; echo why >&2; exit 3"]);
    let (shown, said) = attached.outlast();
    assert_eq!((shown.as_str(), said.as_str()), ("one\ntwo\n", "Ended(Code(3))\n"));
    assert_eq!(stage.ended(), "code 3\n");
    stage.await_in("relay.log", "INFO bridge: why");
    stage.await_in("relay.log", "INFO subprocess exited code=3 stdin_closed=false elapsed=0s");
    let (shown, said) = stage.run(&["attach", "--offset", "4"]).outlast();
    assert_eq!((shown.as_str(), said.as_str()), ("two\n", "Ended(Code(3))\n"));
}

#[test]
fn a_child_that_is_killed_is_told_so() {
    let stage = Stage::new();
    let (_, said) = stage.serve(&[], &["sh", "-c", "kill -9 $$"]).outlast();
    assert_eq!(said, "Ended(Signal(9))\n");
    stage.await_in("relay.log", "subprocess exited code=-9");
}

#[test]
fn a_killed_relay_is_found_out_and_its_place_can_be_used_again() {
    let stage = Stage::new();
    let mut attached =
        stage.serve(&["--no-log-stdin"], &["sh", "-c", "echo one; printf half; cat; echo > saw-eof"]);
    attached.hear("half");
    kill_process(stage.daemon(), Signal::KILL).unwrap();
    assert_eq!(attached.outlast().1, "Killed\n");
    // Stdin is the leash.
    until("the child has seen the end", || {
        Some(()).filter(|()| stage.folder.path().join("saw-eof").exists())
    });
    assert!(stage.state.join("relay.sock").exists() && stage.state.join("pid").exists());
    assert_eq!(stage.run(&["attach"]).outlast(), ("one\nhalf".into(), "Killed\n".into()));
    let mut next = stage.serve(&["--no-log-stdin"], &["cat"]);
    next.say(b"two\n");
    assert_eq!(next.hear("two\n"), "one\nhalf\ntwo\n");
}

#[test]
fn stop_ends_the_child_and_says_how() {
    let stage = Stage::new();
    let mut attached = stage.serve(&[], &["sh", "-c", "cat; echo bye; exit 5"]);
    attached.say(b"one\n");
    attached.hear("one\n");
    assert_eq!(stage.run(&["stop"]).outlast().1, "Code(5)\n");
    // The client was not disturbed, and heard the end.
    assert_eq!(attached.outlast(), ("bye\n".into(), "Ended(Code(5))\n".into()));
    let (_, said) = stage.run(&["stop"]).outlast();
    assert!(said.starts_with("error: no relay runs at ") && said.contains("\nhint: "), "{said}");
}

#[test]
fn a_stubborn_child_is_stopped_by_the_ladder() {
    let stage = Stage::new();
    let script = "trap 'echo no >> no' TERM; echo ready; while :; do read -r x || read -t 1 x <> fifo; done";
    make_fifo(&stage);
    let mut attached = stage.serve(&["--no-log-stdin"], &["bash", "-c", script]);
    attached.hear("ready\n");
    let begun = Instant::now();
    assert_eq!(stage.run(&["stop"]).outlast().1, "Signal(9)\n");
    let took = begun.elapsed();
    assert!(took > Duration::from_secs(7) && took < Duration::from_secs(14), "{took:?}");
    assert_eq!(fs::read_to_string(stage.folder.path().join("no")).unwrap(), "no\n");
    let log = stage.file("relay.log");
    assert!(log.find("SIGTERM").unwrap() < log.find("SIGKILL").unwrap(), "{log}");
}

#[expect(clippy::disallowed_methods, reason = "mkfifo, awaited")]
fn make_fifo(stage: &Stage) {
    let made = std::process::Command::new("mkfifo").arg(stage.folder.path().join("fifo")).status();
    assert!(made.unwrap().success());
}

#[test]
fn without_a_client_for_too_long_stdin_is_closed() {
    let stage = Stage::new();
    let mut attached = stage.serve(&["--idle", "0.3"], &["cat"]);
    attached.say(b"one\n");
    attached.hear("one\n");
    let begun = Instant::now();
    attached.end();
    assert_eq!(stage.ended(), "code 0\n");
    assert!(begun.elapsed() > Duration::from_millis(300));
    stage.await_in("relay.log", "nobody is there: stdin closed");
}

#[test]
fn something_left_behind_does_not_hold_the_relay() {
    let stage = Stage::new();
    let begun = Instant::now();
    let (shown, _) = stage.serve(&[], &["sh", "-c", "sleep 30 & echo $!"]).outlast();
    assert_eq!(stage.ended(), "code 0\n");
    assert!(begun.elapsed() < Duration::from_secs(20));
    let sleeping = rustix::process::Pid::from_raw(shown.trim().parse().unwrap()).unwrap();
    kill_process(sleeping, Signal::KILL).unwrap();
}

#[test]
fn a_daemon_ends_with_its_child() {
    let stage = Stage::new();
    stage.leave(&[], &["cat"]);
    let daemon = stage.daemon();
    stage.connect(0).say(b"\0");
    stage.ended();
    until("the daemon has ended", || gone(daemon));
}
