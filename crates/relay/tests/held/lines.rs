//! What reaches the child, and what of it is in the log.

use crate::stage::Stage;

#[test]
fn a_dead_clients_half_line_is_dropped() {
    let stage = Stage::new();
    stage.leave(&["--no-log-stdin"], &["cat"]);
    let mut first = stage.connect(0);
    first.say("{\"id\": 1}\n{\"text\": \"ä".as_bytes().split_last().unwrap().1);
    stage.await_in("output.jsonl", "1}\n");
    drop(first);
    let mut second = stage.connect(0);
    second.say(b"{\"id\": 2}\n");
    assert_eq!(second.hear("2}\n"), "{\"id\": 1}\n{\"id\": 2}\n");
}

#[test]
fn a_line_in_many_pieces_is_one_line() {
    let stage = Stage::new();
    stage.leave(&["--no-log-stdin"], &["cat"]);
    let mut peer = stage.connect(0);
    for piece in ["{\"id\"", ":", "1", "}", "\n{}\n"] {
        peer.say(piece.as_bytes());
    }
    assert_eq!(peer.hear("{}\n"), "{\"id\":1}\n{}\n");
}

#[test]
fn a_whole_line_is_the_childs_though_its_client_died_at_once() {
    let stage = Stage::new();
    stage.leave(&["--no-log-stdin"], &["cat"]);
    // Longer than the child's pipe: it has not taken all of it when the client dies.
    let long = format!("{}\n", "x".repeat(3_000_000));
    let mut peer = stage.connect(0);
    peer.say(long.as_bytes());
    drop(peer);
    let log = stage.await_in("output.jsonl", "\n");
    assert_eq!(log, long);
}

#[test]
fn lines_of_many_megabytes_go_both_ways() {
    let stage = Stage::new();
    let mut attached = stage.serve(&["--no-log-stdin"], &["cat"]);
    let long = format!("{}\n", "0123456789abcdef".repeat(2 * 1024 * 1024));
    let mut stdin = attached.0.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| std::io::Write::write_all(&mut stdin, long.as_bytes()).unwrap());
        let mut heard = vec![0; long.len()];
        std::io::Read::read_exact(attached.0.stdout.as_mut().unwrap(), &mut heard).unwrap();
        assert!(heard == long.as_bytes(), "it came otherwise than it was sent");
    });
}

#[test]
fn what_a_client_says_is_in_the_log_and_not_sent_back_to_it() {
    let stage = Stage::new();
    stage.leave(&[], &["sh", "-c", "while read -r line; do echo \"heard $line\"; done"]);
    let mut first = stage.connect(0);
    first.say(b"one\n");
    assert_eq!(first.hear("one\n"), "heard one\n");
    first.say(b"two\nthree\n");
    assert_eq!(first.hear("three\n"), "heard two\nheard three\n");
    drop(first);
    let mut second = stage.connect(0);
    second.say(b"four\n");
    let replay = "one\nheard one\ntwo\nthree\nheard two\nheard three\n";
    assert_eq!(second.hear("heard four\n"), format!("{replay}heard four\n"));
    assert_eq!(stage.file("output.jsonl"), format!("{replay}four\nheard four\n"));
}

#[test]
fn without_logging_the_log_is_the_childs_alone() {
    let stage = Stage::new();
    let mut attached = stage.serve(&["--no-log-stdin"], &["sh", "-c", "read -r line; echo out; cat > got"]);
    attached.say(b"secret\nmore\n\0");
    assert_eq!(attached.end().0, "out\n");
    assert_eq!(stage.file("output.jsonl"), "out\n");
    assert_eq!(std::fs::read_to_string(stage.folder.path().join("got")).unwrap(), "more\n");
}

#[test]
fn a_prompt_without_a_newline_is_shown() {
    let stage = Stage::new();
    let mut attached = stage.serve(&[], &["sh", "-c", "printf 'name? '; read -r name; echo \"hello $name\""]);
    assert_eq!(attached.hear("? "), "name? ");
    attached.say(b"you\n");
    assert_eq!(attached.outlast().0, "hello you\n");
    // What was said stands where a line had ended.
    assert_eq!(stage.file("output.jsonl"), "name? hello you\nyou\n");
}
