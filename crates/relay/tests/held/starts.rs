//! Starting a relay: where its files lie, who may read them, and what is refused.

use std::{
    fs,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::Path,
};

use crate::stage::Stage;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn nothing_of_a_relay_is_for_others() {
    let stage = Stage::new();
    fs::DirBuilder::new().mode(0o755).create(&stage.state).unwrap();
    stage.leave(&[], &["cat"]);
    assert_eq!(mode(&stage.state), 0o700);
    for file in ["relay.sock", "output.jsonl", "relay.log", "pid", "lock"] {
        assert_eq!(mode(&stage.state.join(file)), 0o600, "{file}");
    }
}

#[test]
fn a_child_has_the_environment_it_was_given() {
    let stage = Stage::new();
    let (shown, _) = stage.serve(&[], &["sh", "-c", "echo \"$HELD_BY ${CAIC_RELAY_DIR-none}\""]).outlast();
    assert_eq!(shown, "held none\n");
}

#[test]
fn a_second_relay_in_the_same_place_is_refused() {
    let stage = Stage::new();
    let mut first = stage.serve(&[], &["cat"]);
    first.say(b"one\n");
    first.hear("one\n");
    let (_, said) = stage.serve(&[], &["cat"]).outlast();
    let expected = format!(
        "error: a relay runs at {} already (process {})\nhint: ",
        stage.state.display(),
        stage.daemon().as_raw_nonzero()
    );
    assert!(said.starts_with(&expected), "{said}");
    first.say(b"two\n");
    first.hear("two\n");
}

#[test]
fn who_saw_the_end_can_start_the_next_at_once() {
    let stage = Stage::new();
    for round in 1..=20 {
        let (shown, said) = stage.serve(&["--no-log-stdin"], &["echo", "one"]).outlast();
        assert_eq!(said, "Ended(Code(0))\n", "round {round}");
        assert_eq!(shown, "one\n".repeat(round));
    }
}

#[test]
fn a_program_that_cannot_be_started_is_told_at_once() {
    let stage = Stage::new();
    let (_, said) = stage.serve(&[], &["no-such-program"]).outlast();
    assert!(said.starts_with("error: no-such-program could not be started: No such file"), "{said}");
    assert!(said.contains("\nhint: "), "{said}");
    assert!(!stage.state.join("relay.sock").exists() && !stage.state.join("pid").exists());
    let (_, said) = stage.run(&["attach"]).outlast();
    assert!(said.starts_with("error: there is no relay at "), "{said}");
    stage.serve(&[], &["true"]).outlast();
    assert_eq!(stage.ended(), "code 0\n");
}

#[test]
fn a_working_directory_that_is_not_there_is_refused() {
    let stage = Stage::new();
    let (_, said) = stage.run(&["serve-attach", "--dir", "nowhere", "--", "cat"]).outlast();
    assert!(said.starts_with("error: nowhere is no directory to work in: "), "{said}");
    assert!(!stage.state.exists());
}

#[test]
fn attaching_where_nothing_was_is_refused_with_a_hint() {
    let stage = Stage::new();
    let (_, said) = stage.run(&["attach"]).outlast();
    assert!(said.starts_with("error: there is no relay at ") && said.contains("\nhint: "), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_place_may_be_deeper_than_an_address_is_long() {
    let mut stage = Stage::new();
    stage.state = stage.folder.path().join("deep/".repeat(40));
    let mut attached = stage.serve(&[], &["cat"]);
    attached.say(b"one\n");
    assert_eq!(attached.hear("one\n"), "one\n");
    attached.end();
    assert_eq!(stage.run(&["stop"]).outlast().1, "Code(0)\n");
}

#[test]
#[cfg(target_os = "linux")]
fn a_daemon_has_a_session_of_its_own_and_nothing_of_its_callers() {
    let stage = Stage::new();
    stage.leave(&[], &["sh", "-c", "pwd; cat"]);
    let daemon = stage.daemon();
    assert_eq!(rustix::process::getsid(Some(daemon)).unwrap(), daemon);
    let end = |number: u8| fs::read_link(format!("/proc/{}/fd/{number}", daemon.as_raw_nonzero())).unwrap();
    assert_eq!(end(0), Path::new("/dev/null"));
    assert_eq!([end(1), end(2)], [stage.state.join("relay.log"), stage.state.join("relay.log")]);
    let here = stage.folder.path().canonicalize().unwrap();
    stage.await_in("output.jsonl", &format!("{}\n", here.display()));
}
