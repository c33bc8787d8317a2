//! What is taken for a line, and what a client is sent.

use std::{io::Read, os::unix::net::UnixStream, time::Instant};

use super::{Client, Said, Then};
use crate::daemon::log::Log;

fn client(cursor: u64) -> (Client, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    theirs.set_nonblocking(true).unwrap();
    (Client::new(1, ours, cursor), theirs)
}

fn said(lines: &str, then: Then) -> Said {
    Said { lines: lines.into(), then }
}

fn received(socket: &mut UnixStream) -> String {
    let mut bytes = Vec::new();
    // What has come is there before the socket says that there is no more.
    let _no_more = socket.read_to_end(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn only_whole_lines_are_understood() {
    let (mut client, _theirs) = client(0);
    assert_eq!(client.understand(b"{\"id\""), said("", Then::More));
    assert_eq!(client.understand(b":1}\n{\"id\":2}\n{"), said("{\"id\":1}\n{\"id\":2}\n", Then::More));
    assert_eq!(client.understand("ä".as_bytes().split_at(1).0), said("", Then::More));
    assert_eq!(client.understand("ä}\n".as_bytes().split_at(1).1), said("{ä}\n", Then::More));
}

#[test]
fn a_nul_ends_the_line_before_it_and_all_that_follows() {
    let (mut one, _theirs) = client(0);
    assert_eq!(one.understand(b"a\nb"), said("a\n", Then::More));
    assert_eq!(one.understand(b"c\0d\n"), said("bc\n", Then::Close));
    let (mut other, _theirs) = client(0);
    assert_eq!(other.understand(b"a\n\0\n"), said("a\n", Then::Close));
    assert_eq!(other.understand(b"\0"), said("", Then::Close));
}

#[test]
fn its_own_lines_are_not_sent_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::open(&folder.path().join("output.jsonl")).unwrap();
    let (mut client, mut theirs) = client(0);
    log.take(b"one\n", Instant::now());
    log.put(b"mine\n".to_vec(), Some(1));
    log.put(b"mine too\n".to_vec(), Some(1));
    log.take(b"two\n", Instant::now());
    log.put(b"mine\n".to_vec(), Some(1));
    for echo in log.echoes() {
        client.echo(echo.place);
    }
    assert_eq!(client.echoes.len(), 2, "neighbours are one");
    client.send(&log, &mut [0; 5]);
    assert_eq!(received(&mut theirs), "one\ntwo\n");
    assert!(!client.is_behind(&log) && client.echoes.is_empty());
}

#[test]
fn who_leaves_gets_what_is_there_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::open(&folder.path().join("output.jsonl")).unwrap();
    log.take(b"one\ntwo\n", Instant::now());
    let (mut client, mut theirs) = client(4);
    client.leave(&log);
    log.take(b"three\n", Instant::now());
    client.send(&log, &mut [0; 5]);
    assert_eq!(received(&mut theirs), "two\n");
    assert!(!client.is_behind(&log));
}

#[test]
fn who_has_everything_is_told_ahead_and_not_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::open(&folder.path().join("output.jsonl")).unwrap();
    let (mut client, mut theirs) = client(0);
    let mut chunk = [0; 64];
    for (line, told) in [("one\n", "one\n"), ("two\n", "two\n")] {
        client.send_ahead(line.as_bytes(), log.next_line().unwrap());
        assert_eq!(received(&mut theirs), told);
        log.take(line.as_bytes(), Instant::now());
        client.send(&log, &mut chunk);
        assert_eq!(received(&mut theirs), "");
    }
    // Who is behind gets everything from the log, in its order.
    log.take(b"three\n", Instant::now());
    client.send_ahead(b"four\n", log.next_line().unwrap());
    log.take(b"four\n", Instant::now());
    client.send(&log, &mut chunk);
    assert_eq!(received(&mut theirs), "three\nfour\n");
}

#[test]
fn nothing_is_told_ahead_of_what_comes_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::open(&folder.path().join("output.jsonl")).unwrap();
    log.take(b"half a", Instant::now());
    assert_eq!(log.next_line(), None);
    log.take(b" line\n", Instant::now());
    assert_eq!(log.next_line(), Some(12));
    log.take(b"> ", Instant::now());
    log.release();
    assert_eq!(log.next_line(), None);
}
