//! What is written when, and where it lies.

use std::{
    fs,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::{Echo, LONGEST_HALF, Log};

fn log() -> (Log, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Log::open(&folder.path().join("output.jsonl")).unwrap(), folder)
}

fn text(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join("output.jsonl")).unwrap()
}

#[test]
fn half_a_line_waits_for_its_end() {
    let (mut log, folder) = log();
    let now = Instant::now();
    log.take(b"one\ntw", now);
    assert_eq!((text(&folder).as_str(), log.due()), ("one\n", Some(now + Duration::from_millis(100))));
    log.take(b"o", now + Duration::from_millis(50));
    assert_eq!(log.due(), Some(now + Duration::from_millis(100)));
    log.take(b"\nthree\n", now);
    assert_eq!((text(&folder).as_str(), log.due()), ("one\ntwo\nthree\n", None));
    assert_eq!(log.end(), 14);
}

#[test]
fn half_a_line_is_written_when_nothing_follows_or_it_is_long() {
    let (mut log, folder) = log();
    log.take(b"> ", Instant::now());
    log.release();
    assert_eq!((text(&folder).as_str(), log.due()), ("> ", None));
    log.take(&vec![b'x'; LONGEST_HALF + 1], Instant::now());
    assert_eq!(text(&folder).len(), LONGEST_HALF + 3);
}

#[test]
fn a_line_put_in_between_never_cuts_another() {
    let (mut log, folder) = log();
    log.put(b"a\n".to_vec(), Some(1));
    log.take(b"chil", Instant::now());
    log.release();
    log.put(b"b\n".to_vec(), Some(2));
    assert_eq!(text(&folder), "a\nchil");
    log.take(b"d\nnex", Instant::now());
    assert_eq!(text(&folder), "a\nchild\nb\n");
    assert_eq!(log.echoes(), [Echo { by: 1, place: 0..2 }, Echo { by: 2, place: 8..10 }]);
    log.put(b"c\n".to_vec(), None);
    log.close();
    assert_eq!(text(&folder), "a\nchild\nb\nc\nnex");
    assert_eq!(log.echoes(), []);
}

#[test]
fn a_log_of_a_killed_relay_is_gone_on_with_on_a_new_line() {
    let (mut log, folder) = log();
    log.take(b"half", Instant::now());
    log.release();
    let mut next = Log::open(&folder.path().join("output.jsonl")).unwrap();
    next.take(b"whole\n", Instant::now());
    assert_eq!(text(&folder), "half\nwhole\n");
    assert_eq!(next.end(), 11);
}

#[test]
fn what_there_is_no_room_for_waits_in_its_order() {
    let (mut log, _folder) = log();
    log.file = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    log.take(b"one\n", Instant::now());
    assert!(log.is_full() && log.trouble().is_some());
    log.put(b"two\n".to_vec(), Some(7));
    log.take(b"three\n", Instant::now());
    log.retry();
    assert!(log.is_full());
    assert_eq!((log.waiting.as_slice(), log.end()), (b"one\ntwo\nthree\n".as_slice(), 0));
    assert_eq!(log.echoes(), [Echo { by: 7, place: 4..8 }]);
    let room = tempfile::tempfile().unwrap();
    log.file = room;
    log.retry();
    assert!(!log.is_full());
    assert_eq!(log.end(), 14);
}
