//! The cases of caic's own tests of its relay.

use std::net::Shutdown;

use crate::stage::Stage;

/// `test_close_stdin_sentinel`.
#[test]
fn a_nul_closes_stdin_and_the_last_words_still_come() {
    let stage = Stage::new();
    let mut attached = stage.serve(&[], &["sh", "-c", "cat > got; echo DONE"]);
    attached.say(b"hello\n");
    attached.say(b"\0");
    let (shown, said) = attached.end();
    assert_eq!((shown.as_str(), said.as_str()), ("DONE\n", "Ended(Code(0))\n"));
    assert_eq!(std::fs::read_to_string(stage.folder.path().join("got")).unwrap(), "hello\n");
    assert_eq!(stage.ended(), "code 0\n");
    assert!(!stage.state.join("relay.sock").exists());
}

/// `test_stdin_eof_keeps_subprocess`.
#[test]
fn the_end_of_stdin_leaves_the_child_running() {
    let stage = Stage::new();
    let mut attached = stage.serve(&[], &["cat"]);
    attached.say(b"test\n");
    attached.hear("test\n");
    assert_eq!(attached.end().1, "Left\n");
    let mut peer = stage.connect(0);
    peer.hear("test\ntest\n");
    peer.say(b"again\n");
    peer.hear("again\n");
    peer.say(b"\0\n");
    drop(peer);
    assert_eq!(stage.ended(), "code 0\n");
}

/// `test_ssh_drop_keeps_subprocess`.
#[test]
fn a_killed_client_leaves_the_child_running() {
    let stage = Stage::new();
    let mut attached = stage.serve(&[], &["cat"]);
    attached.say(b"test\n");
    stage.await_in("output.jsonl", "test\n");
    attached.kill();
    let mut peer = stage.connect(0);
    peer.hear("test\n");
    peer.say(b"\0");
    assert_eq!(stage.ended(), "code 0\n");
}

/// What its client relies on without a test: the half-closed connection after a NUL still hears everything.
#[test]
fn a_client_that_has_said_all_hears_the_child_to_its_end() {
    let stage = Stage::new();
    stage.leave(&["--no-log-stdin"], &["sh", "-c", "cat; seq 1 100000"]);
    let mut peer = stage.connect(0);
    peer.say(b"one\n\0");
    peer.0.shutdown(Shutdown::Write).unwrap();
    let all = peer.hear_all();
    assert!(all.starts_with("one\n1\n2\n") && all.ends_with("\n99999\n100000\n"), "{} bytes", all.len());
    assert_eq!(all, stage.file("output.jsonl"));
}

/// Its watcher of changes, with `--diff-stat`.
#[test]
#[expect(clippy::disallowed_methods, reason = "git, awaited")]
fn changes_in_git_are_a_line_of_the_log() {
    let stage = Stage::new();
    let git = |words: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(words).current_dir(&stage.folder);
        assert!(git.output().unwrap().status.success(), "git {words:?}");
    };
    git(&["init", "-q"]);
    git(&["commit", "-q", "--allow-empty", "-m", "begin"]);
    let mut peer = {
        stage.leave(&["--diff-stat"], &["sh", "-c", "cat; echo x > ü; echo y; cat"]);
        stage.connect(0)
    };
    peer.say(b"go\n");
    stage.await_in("output.jsonl", "go\ngo\n");
    std::fs::write(stage.folder.path().join("new file"), "1\n2\n").unwrap();
    let heard = peer.hear("caic_diff_stat");
    let line = heard.lines().last().unwrap();
    assert!(line.starts_with("{\"type\":\"caic_diff_stat\",\"diff_stat\":["), "{line}");
    assert!(line.contains("{\"path\":\"new file\",\"added\":2,\"deleted\":0}"), "{line}");
    assert!(line.contains("\"ts\":1"), "{line}");
    assert!(stage.file("output.jsonl").contains(&format!("{line}\n")));
}
