//! `kill -9` at any moment: whatever was said to be appended is there, dense and once.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::HashMap,
    env,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use selvedge_journal::{Limit, Options, Record, SessionId, SqliteStore, Store as _};
use tokio::{task::JoinSet, time::timeout};

/// Says to the child where to append.
const JOURNAL: &str = "SELVEDGE_TEST_JOURNAL";
const SESSIONS: u64 = 4;
const ROUNDS: u64 = 8;

/// The child's part: appends to all sessions at once until it is killed, and prints each record that is durable.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child() {
    let Some(journal) = env::var_os(JOURNAL).map(PathBuf::from) else { return };
    let store = SqliteStore::open(Options::new(journal)).unwrap();
    let mut owners = JoinSet::new();
    for number in 0..SESSIONS {
        owners.spawn(append_for_ever(store.clone(), number));
    }
    while owners.join_next().await.is_some() {}
}

async fn append_for_ever(store: SqliteStore, number: u64) {
    let session = SessionId::from(format!("s{number}"));
    let mut head = store.head(&session).await.unwrap();
    loop {
        let count = 1 + head.n % 3;
        let seqs = head.seq + 1..=head.seq + count;
        let record = seqs.fold(Record::at(0), |record, seq| record.event(seq, format!("{session} {seq}")));
        // Half of the sessions jot down most of what they say.
        let jotted = number % 2 == 1 && head.n % 7 > 0;
        let appended = match jotted {
            true => store.jot(&session, head.n, record).await,
            false => store.append(&session, head.n, record).await,
        };
        head = appended.unwrap();
        let line = format!("appended {number} {} {}\n", head.n, head.seq);
        std::io::stdout().write_all(line.as_bytes()).unwrap();
    }
}

/// Runs the child until it has printed `lines` lines, then kills it in the middle of its work.
#[expect(clippy::disallowed_methods, reason = "this test's own program, which it kills and awaits")]
fn run_and_kill(journal: &Path, lines: usize) -> HashMap<u64, (u64, u64)> {
    let mut child: Child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(JOURNAL, journal)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut promised = HashMap::new();
    for _ in 0..lines {
        promised.extend(said.next().unwrap().ok().and_then(|line| promise(&line)));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What it said before it died counts too; its last line may be cut.
    promised.extend(said.map_while(Result::ok).filter_map(|line| promise(&line)));
    promised
}

/// The session, record and last event of a whole line.
fn promise(line: &str) -> Option<(u64, (u64, u64))> {
    let mut words = line.strip_prefix("appended ")?.split(' ').map(|word| word.parse().ok());
    Some((words.next()??, (words.next()??, words.next()??)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_appended_survives() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.db");
    let mut kept: HashMap<u64, (u64, u64)> = HashMap::new();
    for round in 0..ROUNDS {
        let lines = usize::try_from(20 + round * 131 % 701).unwrap();
        let path = journal.clone();
        kept.extend(tokio::task::spawn_blocking(move || run_and_kill(&path, lines)).await.unwrap());
        let store = SqliteStore::open(Options::new(&journal)).unwrap();
        for (number, promised) in &kept {
            assert_kept(&store, *number, *promised).await;
        }
        // Every second time the file is not tidied up before the next child comes.
        if round % 2 == 0 {
            store.close().await;
        }
    }
    assert_eq!(kept.len() as u64, SESSIONS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_follows_another_process_and_goes_on_after_its_death() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.db");
    let store = SqliteStore::open(Options::new(&journal)).unwrap();
    let session = SessionId::from("s0");
    let mut reader = store.reader(&session, 0).await.unwrap();
    let child = tokio::task::spawn_blocking(move || run_and_kill(&journal, 2_000));
    while reader.seq() < 100 {
        let page = timeout(Duration::from_secs(20), reader.next_page(10)).await.unwrap().unwrap();
        assert!(page.iter().all(|event| event.body == format!("s0 {}", event.seq)));
    }
    let promised = child.await.unwrap();
    assert_kept(&store, 0, promised[&0]).await;
    let head = store.head(&session).await.unwrap();
    let next = Record::at(0).event(head.seq + 1, format!("s0 {}", head.seq + 1));
    assert_eq!(store.append(&session, head.n, next).await.unwrap().n, head.n + 1, "its lock died with it");
    store.close().await;
}

async fn assert_kept(store: &SqliteStore, number: u64, (n, seq): (u64, u64)) {
    let session = SessionId::from(format!("s{number}"));
    let head = store.head(&session).await.unwrap();
    assert!(head.n >= n && head.seq >= seq, "{session}: {head:?}, but {n} and {seq} were promised");
    let mut reader = store.reader(&session, 0).await.unwrap();
    while reader.seq() < head.seq {
        let before = reader.seq();
        let page = timeout(Duration::from_secs(20), reader.next_page(500)).await.unwrap().unwrap();
        for (expected, event) in (before + 1..).zip(&page) {
            assert_eq!(event.seq, expected);
            assert_eq!(event.body, format!("{session} {expected}"));
        }
    }
    let records = store.records(&session, head.n - 1, Limit::of(10)).await.unwrap();
    assert_eq!(records.iter().map(|stored| stored.n).collect::<Vec<_>>(), [head.n]);
}
