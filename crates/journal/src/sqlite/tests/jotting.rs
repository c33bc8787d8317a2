//! What is jotted down: durable before it is in the log, in the log once, and fenced meanwhile.

use std::{fs, path::PathBuf, time::Duration};

use tokio::{sync::oneshot, time::timeout};

use super::{Folder, append, read_all, writer};
use crate::{
    Durability, Options, SqliteStore,
    error::{AppendError, StoreError},
    feed::FeedCursor,
    record::{Record, SessionId},
    sqlite::{append::Wanted, writer::Writer},
    store::{Head, Store as _},
};

const SOON: Duration = Duration::from_secs(20);

pub(super) fn short(n: u64) -> Record {
    Record::at(0).event(n + 1, format!("the event {}", n + 1))
}

pub(super) async fn jot(store: &SqliteStore, session: &SessionId, after: u64, count: u64) {
    for n in after..after + count {
        assert_eq!(store.jot(session, n, short(n)).await, Ok(Head { n: n + 1, seq: n + 1 }));
    }
}

impl Folder {
    pub(super) fn slips(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.0.path()).unwrap().map(|file| file.unwrap().path());
        files.filter(|path| path.to_str().unwrap().contains("-slip-")).collect()
    }

    /// A program that jots records down and dies before it carries them over.
    pub(super) fn killed(&self, session: &SessionId, after: u64, count: u64) {
        let mut writer = writer(&Options::new(self.journal()));
        jot_here(&mut writer, session, after, count);
        assert!(writer.desk.has_jotted());
    }
}

pub(super) fn jot_here(writer: &mut Writer, session: &SessionId, after: u64, count: u64) {
    for n in after..after + count {
        let (reply, mut answer) = oneshot::channel();
        let wanted = Wanted { session: session.clone(), expected_n: n, record: short(n), brief: true };
        let append = wanted.prepare(&writer.indexer, reply).unwrap();
        assert!(writer.append_here(vec![append]).is_empty());
        assert_eq!(answer.try_recv().unwrap(), Ok(Head { n: n + 1, seq: n + 1 }));
    }
}

#[tokio::test]
async fn what_a_killed_program_jotted_down_is_there_at_the_next_opening() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    for round in 0..5 {
        folder.killed(&session, round * 20, 20);
        assert_eq!(folder.slips().len(), 1, "the others were thrown away");
        let store = folder.store();
        assert_eq!(read_all(&store, &session).await, (1..=round * 20 + 20).collect::<Vec<_>>());
    }
    assert_eq!(folder.slips(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_slip_that_was_cut_anywhere_gives_what_is_whole() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    folder.killed(&session, 0, 6);
    let slip = folder.slips().pop().unwrap();
    let whole = fs::read(&slip).unwrap();
    for behind in [&[][..], &whole] {
        let mut least = 1;
        for length in 0..=whole.len() {
            let copy = Folder::new();
            fs::copy(folder.journal(), copy.journal()).unwrap();
            let cut = [&whole[..length], behind].concat();
            fs::write(copy.0.path().join(slip.file_name().unwrap()), cut).unwrap();
            let store = copy.store();
            let seqs = read_all(&store, &session).await;
            assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
            // What lies behind may be what was cut.
            assert!(seqs.len() >= least && seqs.len() <= 6, "{length} bytes: {seqs:?}");
            least = if behind.is_empty() { seqs.len() } else { least };
            store.close().await;
        }
        // The first one claimed the session, and lies in the log.
        assert_eq!(least, if behind.is_empty() { 6 } else { 1 });
    }
}

#[tokio::test]
async fn more_than_a_slip_holds_goes_into_the_log() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let store = folder.store();
    jot(&store, &session, 0, 2_000).await;
    assert_eq!(read_all(&store, &session).await, (1..=2_000).collect::<Vec<_>>());
    let slip = folder.slips().pop().expect("it was used");
    assert!(fs::metadata(slip).unwrap().len() <= 16 * 1024);
    store.close().await;
    assert_eq!(folder.slips(), Vec::<PathBuf>::new(), "who ends in peace leaves none");
}

#[tokio::test]
async fn short_and_usual_records_of_many_sessions_keep_their_order() {
    let folder = Folder::new();
    let sessions: Vec<SessionId> = (0..7).map(|number| format!("s{number}").into()).collect();
    let store = folder.store();
    let mut feed = store.feed(FeedCursor::START, None).await.unwrap();
    for n in 0..60 {
        for (place, session) in sessions.iter().enumerate() {
            if (n as usize + place).is_multiple_of(4) {
                append(&store, session, n, 1).await;
            } else {
                jot(&store, session, n, 1).await;
            }
        }
    }
    let mut seen = vec![0; sessions.len()];
    while seen.iter().sum::<u64>() < 60 * 7 {
        for found in timeout(SOON, feed.next_page(100)).await.expect("it is carried over").unwrap() {
            let place = sessions.iter().position(|session| *session == found.session).unwrap();
            assert_eq!(found.n, seen[place] + 1, "each once, in its order");
            seen[place] = found.n;
        }
    }
}

#[tokio::test]
async fn a_reader_of_another_process_gets_it_soon() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let (one, other) = (folder.store(), folder.store());
    append(&one, &session, 0, 1).await;
    let mut reader = other.reader(&session, 1).await.unwrap();
    for n in 1..6 {
        jot(&one, &session, n, 1).await;
        let page = timeout(SOON, reader.next_page(10)).await.expect("it is carried over").unwrap();
        assert_eq!(page[0].seq, n + 1);
    }
}

#[tokio::test]
async fn nobody_else_appends_until_a_record_is_appended_as_usual() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let (one, other) = (folder.store(), folder.store());
    jot(&one, &session, 0, 5).await;
    for expected_n in [1, 5] {
        let refused = other.append(&session, expected_n, short(expected_n)).await;
        assert_eq!(refused, Err(StoreError::Busy { place: folder.journal().display().to_string() }.into()));
    }
    append(&other, &"another".into(), 0, 1).await;
    append(&one, &session, 5, 1).await;
    append(&other, &session, 6, 1).await;
    let stale = one.jot(&session, 6, short(6)).await;
    assert_eq!(stale, Err(AppendError::Conflict { last_n: 7 }));
    assert_eq!(read_all(&one, &session).await, (1..=7).collect::<Vec<_>>());
}

#[tokio::test]
async fn who_takes_over_from_a_dead_one_has_all_of_it_first() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let heir = folder.store();
    append(&heir, &"another".into(), 0, 1).await;
    folder.killed(&session, 0, 9);
    let told = heir.append(&session, 1, short(1)).await;
    assert_eq!(told, Err(AppendError::Conflict { last_n: 9 }));
    append(&heir, &session, 9, 1).await;
    assert_eq!(read_all(&heir, &session).await, (1..=10).collect::<Vec<_>>());
    drop(folder.store());
    assert_eq!(read_all(&heir, &session).await, (1..=10).collect::<Vec<_>>(), "nothing of it twice");
}

/// Two sessions were claimed for the dead one's slip; one is taken over, and whoever reads the other one is not forgotten.
#[tokio::test]
async fn readers_get_what_is_carried_over_with_another_session() {
    let (folder, one, other) = (Folder::new(), SessionId::from("one"), SessionId::from("other"));
    let heir = folder.store();
    let mut writer = writer(&Options::new(folder.journal()));
    jot_here(&mut writer, &one, 0, 3);
    jot_here(&mut writer, &other, 0, 4);
    let read = read_all(&heir, &other).await;
    let mut reader = heir.reader(&other, *read.last().unwrap()).await.unwrap();
    drop(writer);
    let told = heir.append(&one, 1, short(1)).await;
    assert_eq!(told, Err(AppendError::Conflict { last_n: 3 }));
    let page = timeout(SOON, reader.next_page(10)).await.expect("it is told").unwrap();
    assert_eq!(page.last().unwrap().seq, 4);
}

#[tokio::test]
async fn two_that_want_the_same_place_get_it_once() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let store = folder.store();
    jot(&store, &session, 0, 3).await;
    let (one, other) = tokio::join!(store.jot(&session, 3, short(3)), store.jot(&session, 3, short(3)));
    let mut both = [one, other];
    both.sort_by_key(Result::is_err);
    assert_eq!(both, [Ok(Head { n: 4, seq: 4 }), Err(AppendError::Conflict { last_n: 4 })]);
}

#[test]
fn two_in_one_commit_that_want_the_same_place_get_it_once() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let mut writer = writer(&Options::new(folder.journal()));
    jot_here(&mut writer, &session, 0, 3);
    let (appends, mut answers): (Vec<_>, Vec<_>) = (0..2)
        .map(|_| {
            let (reply, answer) = oneshot::channel();
            let wanted = Wanted { session: session.clone(), expected_n: 3, record: short(3), brief: true };
            (wanted.prepare(&writer.indexer, reply).unwrap(), answer)
        })
        .unzip();
    assert!(writer.append_here(appends).is_empty());
    let answers: Vec<_> = answers.iter_mut().map(|answer| answer.try_recv().unwrap()).collect();
    assert_eq!(answers, [Ok(Head { n: 4, seq: 4 }), Err(AppendError::Conflict { last_n: 4 })]);
}

#[tokio::test]
async fn a_removed_session_leaves_nothing_on_a_slip() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    folder.killed(&session, 0, 5);
    let other = rusqlite::Connection::open(folder.journal()).unwrap();
    other.execute("UPDATE sessions SET removed = 1", []).unwrap();
    let store = folder.store();
    assert_eq!(store.head(&session).await, Ok(Head::default()));
    jot(&store, &session, 0, 3).await;
    assert_eq!(read_all(&store, &session).await, [1, 2, 3]);
}

#[tokio::test]
async fn a_session_that_somebody_else_may_have_gone_on_with_is_not_pruned() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let (one, other) = (folder.store(), folder.store());
    jot(&one, &session, 0, 5).await;
    assert_eq!(other.prune(1, |_| false).await, Ok(vec![]));
    assert_eq!(one.prune(1, |_| false).await, Ok(vec![session]));
}

/// As in a directory to which an older journal was brought back.
#[tokio::test]
async fn a_slip_that_lies_there_already_is_left_to_its_program() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let store = folder.store();
    let stranger = folder.0.path().join("journal.db-slip-1");
    fs::write(&stranger, "a stranger's").unwrap();
    jot(&store, &session, 0, 20).await;
    assert_eq!(folder.slips().len(), 2, "the next number is free");
    assert_eq!(fs::read(stranger).unwrap(), b"a stranger's");
}

#[tokio::test]
async fn where_each_commit_reaches_the_disk_there_is_no_slip() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let options = Options::new(folder.journal()).durability(Durability::Full);
    let store = SqliteStore::open(options).unwrap();
    jot(&store, &session, 0, 5).await;
    assert_eq!(folder.slips(), Vec::<PathBuf>::new());
    assert_eq!(read_all(&store, &session).await, [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn a_backup_has_what_was_jotted_down() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let store = folder.store();
    jot(&store, &session, 0, 5).await;
    let file = folder.0.path().join("backup.db");
    store.backup(&file).await.unwrap();
    let backup = SqliteStore::open(Options::new(file)).unwrap();
    append(&backup, &session, 5, 1).await;
    assert_eq!(read_all(&backup, &session).await, [1, 2, 3, 4, 5, 6], "no claim is in its way");
}
