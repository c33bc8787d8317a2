//! `selvedge relay` as a person and as caic call it: flags, words and exit codes.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    env, fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

/// Runs it with these words and this stdin, in a home of its own.
#[expect(clippy::disallowed_methods, reason = "the program under test, awaited")]
fn selvedge(home: &Path, words: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command
        .args(words)
        .current_dir(home)
        .env("XDG_STATE_HOME", home.join("state"))
        .env_remove("CAIC_RELAY_DIR");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // What is refused at once does not read it.
    let _refused = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child.wait_with_output().unwrap()
}

#[track_caller]
fn check(output: &Output, code: i32, stdout: &str, stderr: &str) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (shown, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!((output.status.code(), shown.as_str()), (Some(code), stdout), "{said}");
    assert!(said.starts_with(stderr), "{said:?} begins otherwise than {stderr:?}");
}

fn home() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn a_program_is_started_left_found_again_and_stopped() {
    let home = home();
    let here = home.path();
    let script = "while read -r line; do echo \"heard $line\"; done; exit 4";
    let words = ["relay", "serve-attach", "--dir", ".", "--no-log-stdin", "--", "sh", "-c", script];
    check(&selvedge(here, &words, ""), 0, "", "the program runs on; ");
    check(&selvedge(here, &words, ""), 2, "", "error: a relay runs at ");
    let states: Vec<_> = fs::read_dir(here.join("state/selvedge/relay")).unwrap().collect();
    assert_eq!(states.len(), 1);
    check(&selvedge(here, &["relay", "stop"], ""), 0, "the program has ended: exit code 4\n", "");
    check(&selvedge(here, &["relay", "stop"], ""), 1, "", "error: no relay runs at ");
    check(&selvedge(here, &words, "one\n\0"), 0, "heard one\n", "the program has ended: exit code 4\n");
    let again = ["relay", "attach", "--dir", ".", "--offset", "6"];
    check(&selvedge(here, &again, ""), 0, "one\n", "the program has ended: exit code 4\n");
}

#[test]
fn a_relay_is_where_caic_says() {
    let home = home();
    let state = home.path().join("caic-relay");
    let name = state.to_str().unwrap();
    let words = ["relay", "serve-attach", "--dir", "/", "--state", name, "--", "sh", "-c", "pwd; cat"];
    check(&selvedge(home.path(), &words, "\0"), 0, "/\n", "the program has ended: exit code 0\n");
    assert_eq!(fs::read_to_string(state.join("output.jsonl")).unwrap(), "/\n");
}

#[test]
fn nobody_there_for_too_long_ends_it() {
    let home = home();
    let words = ["relay", "serve-attach", "--dir", ".", "--idle-minutes", "0.001", "--", "cat"];
    check(&selvedge(home.path(), &words, ""), 0, "", "the program ");
    let attach = ["relay", "attach"];
    let begun = std::time::Instant::now();
    while !String::from_utf8_lossy(&selvedge(home.path(), &attach, "").stderr).contains("exit code 0") {
        assert!(begun.elapsed().as_secs() < 30, "it runs on");
        // Attaching counts as being there.
        std::thread::park_timeout(std::time::Duration::from_millis(200));
    }
}

#[test]
fn what_is_wrong_is_said_in_caics_words_with_a_hint() {
    let home = home();
    for (words, said) in [
        (vec!["serve-attach", "--", "cat"], "error: --dir <path> is required\nhint: "),
        (vec!["serve-attach", "--dir", "."], "error: missing '--' separator\nhint: "),
        (vec!["serve-attach", "--dir", ".", "--"], "error: no command after '--'\nhint: "),
        (
            vec!["serve-attach", "--dir", "nowhere", "--", "cat"],
            "error: nowhere is no directory to work in: ",
        ),
        (
            vec!["serve-attach", "--dir", ".", "--", "no-such-program"],
            "error: no-such-program could not be started: ",
        ),
        (vec!["serve-attach", "--dir", ".", "--idle-minutes", "-1", "--", "cat"], "error: "),
        (vec!["attach", "--offset", "x"], "error: invalid value 'x' for '--offset <N>'"),
    ] {
        let words: Vec<&str> = ["relay"].into_iter().chain(words).collect();
        check(&selvedge(home.path(), &words, ""), 2, "", said);
    }
    check(&selvedge(home.path(), &["relay", "attach"], ""), 1, "", "error: there is no relay at ");
}
