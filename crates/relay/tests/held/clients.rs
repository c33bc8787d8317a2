//! Clients that come and go, take over, read slowly, or want nothing.

use std::{io::Read, os::unix::net::UnixStream};

use serde_json::json;

use crate::stage::{Stage, read, until};

/// A child that speaks as fast as it can, and then waits.
const FLOOD: [&str; 3] = ["sh", "-c", "seq 1 400000; read -r end"];

#[test]
fn nothing_is_lost_or_doubled_between_replay_and_live() {
    for options in [&["--no-log-stdin"] as &[&str], &["--no-log-stdin", "--ahead"]] {
        come_and_go_in_a_flood(options);
    }
}

fn come_and_go_in_a_flood(options: &[&str]) {
    let stage = Stage::new();
    stage.leave(options, &FLOOD);
    let expected: String = (1..=400_000).map(|number| format!("{number}\n")).collect();
    let mut received = Vec::new();
    let mut chunk = [0; 64 * 1024];
    let mut times = 0;
    while received.len() < expected.len() {
        // Each time a client takes as many bytes as nobody expects, and is gone.
        let mut peer = stage.connect(received.len() as u64);
        let wanted = (received.len() * 7919 + 1) % 90_000 + 1;
        let end = (received.len() + wanted).min(expected.len());
        while received.len() < end {
            let length = read(&mut peer.0, &mut chunk);
            assert_ne!(length, 0);
            received.extend_from_slice(&chunk[..length]);
        }
        times += 1;
    }
    assert!(times > 20, "only {times} clients");
    assert!(received == expected.as_bytes(), "the pieces do not make the whole");
    assert!(stage.file("output.jsonl") == expected, "the log is not what the child said");
}

#[test]
fn a_second_client_takes_over_and_the_first_is_told() {
    let stage = Stage::new();
    let mut first = stage.serve(&[], &["cat"]);
    first.say(b"one\n");
    first.hear("one\n");
    let mut second = stage.connect(0);
    second.hear("one\none\n");
    assert_eq!(first.outlast().1, "TakenOver\n");
    let mut third = stage.connect(8);
    assert_eq!(second.hear_all(), "");
    third.say(b"two\n");
    assert_eq!(third.hear("two\n"), "two\n");
    stage.await_in("relay.log", "client #2 disconnected reason=replaced");
}

#[test]
fn a_client_that_does_not_read_holds_up_nobody() {
    let stage = Stage::new();
    stage.leave(&["--no-log-stdin"], &["sh", "-c", "read -r go; seq 1 3000000; read -r end"]);
    let mut deaf = stage.connect(0);
    deaf.say(b"go\n");
    let log = stage.state.join("output.jsonl");
    let bytes = 22_888_896;
    until("all of it is in the log", || {
        Some(()).filter(|()| log.metadata().is_ok_and(|log| log.len() == bytes))
    });
    // It has missed nothing.
    let mut all = vec![0; usize::try_from(bytes).unwrap()];
    deaf.0.read_exact(&mut all).unwrap();
    assert!(all == std::fs::read(log).unwrap());
    deaf.say(b"end\n");
    assert_eq!(stage.ended(), "code 0\n");
}

#[test]
fn the_log_is_sent_from_any_byte() {
    let stage = Stage::new();
    stage.leave(&["--no-log-stdin"], &["cat"]);
    stage.connect(0).say(b"0123456789\n");
    stage.await_in("output.jsonl", "9\n");
    assert_eq!(stage.connect(7).hear("\n"), "789\n");
    // Behind the end there is only what comes.
    let mut ahead = stage.connect(1_000_000);
    ahead.say(b"new\n");
    assert_eq!(ahead.hear("\n"), "new\n");
}

#[test]
fn who_says_nothing_or_nonsense_disturbs_nobody() {
    let stage = Stage::new();
    stage.leave(&["--no-log-stdin"], &["cat"]);
    let mut client = stage.connect(0);
    let silent: Vec<_> = (0..40).map(|_| stage.knock().unwrap()).collect();
    for nonsense in ["hello\n", "5\n", "{\"offset\": -1}\n", "\n", &"x".repeat(5000)] {
        let mut peer = stage.knock().unwrap();
        peer.say(nonsense.as_bytes());
        // Closed; bytes that were not read make that a reset.
        let closed = peer.0.read(&mut [0; 1]);
        assert!(matches!(closed, Ok(0) | Err(_)), "{nonsense:?}");
    }
    drop(UnixStream::connect(stage.state.join("relay.sock")).unwrap());
    client.say(b"still me\n");
    assert_eq!(client.hear("\n"), "still me\n");
    drop(silent);
}

#[test]
fn a_relay_says_how_things_stand_and_nobody_is_disturbed() {
    let stage = Stage::new();
    stage.leave(&["--no-log-stdin"], &["cat"]);
    let ask = || {
        let mut peer = stage.knock().unwrap();
        peer.say(b"{\"status\": true}\n");
        serde_json::from_str::<serde_json::Value>(&peer.hear_all()).unwrap()
    };
    let (daemon, child) = (stage.daemon().as_raw_nonzero().get(), stage.child().as_raw_nonzero().get());
    let mut expected =
        json!({"pid": daemon, "child": child, "offset": 0, "stdin_closed": false, "client": false});
    assert_eq!(ask(), expected);
    let mut client = stage.connect(0);
    client.say(b"one\n");
    client.hear("one\n");
    expected["offset"] = 4.into();
    expected["client"] = true.into();
    assert_eq!(ask(), expected);
    client.say(b"two\n");
    client.hear("two\n");
}

#[test]
fn a_hello_may_come_in_pieces_and_with_more_behind_it() {
    let stage = Stage::new();
    stage.leave(&["--no-log-stdin"], &["cat"]);
    let mut peer = stage.knock().unwrap();
    peer.say(b"{\"off");
    peer.say(b"set\":0}\none\ntw");
    peer.say(b"o\n");
    assert_eq!(peer.hear("two\n"), "one\ntwo\n");
}
