//! Opening: by several at once, with many sessions, with another durability; and how it ends.

use std::thread;

use rusqlite::{Connection, StatementStatus};

use super::{Folder, append, read_all};
use crate::{
    Options, SqliteStore,
    index::Indexer,
    record::{Record, SessionId},
    sqlite::{
        Durability, heads,
        open::{self, NEWEST_RECORD, open_reader},
        reader::{log, query},
        schema,
    },
    store::{Ended, Store as _},
};

#[test]
fn several_may_make_it_at_once() {
    for _ in 0..5 {
        let folder = Folder::new();
        thread::scope(|scope| {
            let openers: Vec<_> =
                (0..6).map(|_| scope.spawn(|| SqliteStore::open(Options::new(folder.journal())))).collect();
            for opener in openers {
                opener.join().unwrap().unwrap();
            }
        });
    }
}

#[test]
fn full_durability_synchronises_each_commit() {
    let folder = Folder::new();
    for (durability, synchronous) in [(Durability::Process, 1), (Durability::Full, 2)] {
        let options = Options::new(folder.journal()).durability(durability);
        let connection = open::open(&options, &schema::CURRENT).unwrap();
        let set: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        assert_eq!(set, synchronous);
    }
}

/// Closing any descriptor of a file takes away all locks that a process has on it; then another process could take the
/// log away under our feet.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn who_opens_it_again_keeps_the_locks_it_has() {
    use std::{fs, os::unix::fs::MetadataExt as _};
    let folder = Folder::new();
    let store = folder.store();
    append(&store, &"s".into(), 0, 1).await;
    let file = format!(":{} ", fs::metadata(folder.journal()).unwrap().ino());
    // It has all or none: how many there are changes for a moment whenever somebody reads.
    let is_locked = || fs::read_to_string("/proc/locks").unwrap().lines().any(|lock| lock.contains(&file));
    assert!(is_locked(), "whoever uses it has a lock on it");
    drop(folder.store());
    SqliteStore::check(&folder.journal(), &mut |_| {}).unwrap();
    assert!(is_locked());
}

#[cfg(unix)]
#[tokio::test]
async fn only_its_user_may_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let store = folder.store();
    append(&store, &"s".into(), 0, 1).await;
    store.jot(&"s".into(), 1, Record::at(0).event(2, "x")).await.unwrap();
    store.backup(&folder.journal().with_extension("backup")).await.unwrap();
    for ending in ["db", "db-wal", "db-shm", "db-slip-1", "backup"] {
        let file = folder.journal().with_extension(ending);
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", file.display());
    }
}

const QUESTIONS: [&str; 8] = [
    query::SESSIONS,
    query::NEWEST,
    query::RECORDS_AFTER,
    heads::HEAD,
    NEWEST_RECORD,
    log::ALL,
    log::WITH_KIND,
    log::WITH_MARK,
];

/// What is asked at a start must not grow with the journal.
#[tokio::test]
async fn no_question_of_a_start_reads_the_whole_log() {
    let folder = Folder::new();
    let store = folder.store();
    append(&store, &"s".into(), 0, 3).await;
    let connection = open_reader(&folder.journal()).unwrap();
    for question in QUESTIONS {
        let plan = plan(&connection, question);
        assert!(!plan.contains("TEMP B-TREE"), "{question}\n{plan}");
        // Backwards from the newest until one fits: the log's own order, and at most one row is empty.
        let scans = plan.lines().filter(|line| line.starts_with("SCAN")).count();
        assert!(scans == 0 || question == NEWEST_RECORD, "{question}\n{plan}");
    }
    assert!(
        plan(&connection, log::WITH_MARK).contains("by_mark (id>?)"),
        "a feed of marks reads nothing else"
    );
}

/// Planning costs more than most answers.
#[tokio::test]
async fn a_question_is_planned_once_whatever_it_is_asked_with() {
    let folder = Folder::new();
    append(&folder.store(), &"s".into(), 0, 3).await;
    let connection = open_reader(&folder.journal()).unwrap();
    for question in QUESTIONS {
        let mut statement = connection.prepare(question).unwrap();
        for value in [0, 1, 2, 70_000] {
            for parameter in 1..=statement.parameter_count() {
                statement.raw_bind_parameter(parameter, value).unwrap();
            }
            statement.raw_query().next().unwrap();
        }
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0, "{question}");
    }
}

fn plan(connection: &Connection, question: &str) -> String {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {question}")).unwrap();
    // The arguments stay open: the plan does not depend on them.
    let lines = statement.raw_query().mapped(|row| row.get::<_, String>(3));
    lines.map(|line| line.unwrap() + "\n").collect()
}

#[tokio::test]
async fn a_writer_that_panics_is_told_of_and_nobody_waits_for_it() {
    let folder = Folder::new();
    let indexer = Indexer::new(1, |_, record| {
        assert!(record.facts.is_empty() || thread::current().name() != Some("journal-writer"), "on purpose");
        Vec::new()
    });
    let store = SqliteStore::open(Options::new(folder.journal()).indexer(indexer)).unwrap();
    let session = SessionId::from("s");
    let kind = crate::Kind::new(0).unwrap();
    store.append(&session, 0, Record::at(0).event(1, "x").fact(kind, "x")).await.unwrap();
    let mut reader = store.reader(&session, 1).await.unwrap();
    let (rebuilt, read) = tokio::join!(store.rebuild_index(), reader.next_page(1));
    assert_eq!(rebuilt, Err(crate::StoreError::Closed));
    assert_eq!(read, Err(crate::StoreError::Closed));
    assert_eq!(store.append(&session, 1, Record::at(0)).await, Err(crate::StoreError::Closed.into()));
    assert_eq!(store.close().await, Ended::Broken { thread: "writer" });
    assert_eq!(read_all(&folder.store(), &session).await, [1], "what was committed is there");
}
