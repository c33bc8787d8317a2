//! No room: said so, nothing committed is lost, and it goes on when there is room.

use tokio::sync::oneshot;

use super::{Folder, append, read_all, writer};
use crate::{
    Options, SqliteStore,
    error::AppendError,
    record::{Record, SessionId},
    sqlite::append::Wanted,
    store::{Head, Store as _},
};

fn large(seq: u64) -> Record {
    Record::at(0).event(seq, "x".repeat(100_000))
}

/// Appends until there is no room; how many went in.
async fn fill(store: &SqliteStore, session: &SessionId) -> u64 {
    for n in 0.. {
        match store.append(session, n, large(n + 1)).await {
            Ok(_) => {}
            Err(refused) => {
                assert!(refused.is_storage_full(), "{refused}");
                assert!(refused.hint().is_some());
                assert!(refused.to_string().contains(store.path().to_str().unwrap()), "{refused}");
                return n;
            }
        }
    }
    unreachable!("there is an end to every disk")
}

/// Appends one more as soon as there is room again.
async fn append_when_there_is_room(store: &SqliteStore, session: &SessionId, after: u64) {
    loop {
        match store.append(session, after, large(after + 1)).await {
            Err(full) if full.is_storage_full() => tokio::task::yield_now().await,
            appended => return assert_eq!(appended, Ok(Head { n: after + 1, seq: after + 1 })),
        }
    }
}

#[tokio::test]
async fn a_journal_that_may_not_grow_goes_on_when_sessions_are_removed() {
    let folder = Folder::new();
    let options = Options { max_bytes: Some(2 << 20), ..Options::new(folder.journal()) };
    let store = SqliteStore::open(options).unwrap();
    let (other, session) = (SessionId::from("other"), SessionId::from("s"));
    append(&store, &other, 0, 200).await;
    store.append(&other, 200, large(201)).await.unwrap();
    let appended = fill(&store, &session).await;
    assert!(appended > 5);
    assert_eq!(read_all(&store, &session).await, (1..=appended).collect::<Vec<_>>());
    assert!(store.remove(&other).await.unwrap());
    append_when_there_is_room(&store, &session, appended).await;
    store.close().await;
    let store = folder.store();
    assert_eq!(read_all(&store, &session).await, (1..=appended + 1).collect::<Vec<_>>());
}

#[tokio::test]
async fn one_that_finds_no_room_does_not_take_its_neighbours_with_it() {
    let folder = Folder::new();
    let options = Options { max_bytes: Some(2 << 20), ..Options::new(folder.journal()) };
    let mut writer = writer(&options);
    let huge = Record::at(0).event(1, "x".repeat(3 << 20));
    let small = || Record::at(0).event(1, "x");
    let wanted = [("first", 0, small()), ("huge", 0, huge), ("stale", 7, small()), ("last", 0, small())];
    let (appends, answers): (Vec<_>, Vec<_>) = wanted
        .map(|(name, expected_n, record)| {
            let (reply, answer) = oneshot::channel();
            let wanted = Wanted { session: name.into(), expected_n, record, brief: false };
            (wanted.prepare(&options.indexer, reply).unwrap(), answer)
        })
        .into_iter()
        .unzip();
    writer.append_all(appends);
    let mut outcomes = Vec::new();
    for answer in answers {
        outcomes.push(answer.await.unwrap());
    }
    let appended = Ok(Head { n: 1, seq: 1 });
    assert_eq!(outcomes[0], appended);
    assert!(outcomes[1].clone().is_err_and(|refused| refused.is_storage_full()));
    assert_eq!(outcomes[2], Err(AppendError::Conflict { last_n: 0 }));
    assert_eq!(outcomes[3], appended);
    drop(writer);
    let names: Vec<_> = folder.store().sessions(None, 10).await.unwrap();
    let names: Vec<_> = names.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(names, ["first", "last"]);
}

/// A file system of its own; unmounted at the end.
#[cfg(target_os = "linux")]
struct SmallDisk(Folder);

#[cfg(target_os = "linux")]
impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = Folder::new();
        let flags = rustix::mount::MountFlags::NOSUID;
        let mounted = rustix::mount::mount("tmpfs", folder.0.path(), "tmpfs", flags, Some(c"size=8m"));
        match mounted {
            Ok(()) => Some(Self(folder)),
            Err(error) => {
                eprintln!("not run: a small file system cannot be mounted here ({error})");
                None
            }
        }
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = rustix::mount::unmount(self.0.0.path(), rustix::mount::UnmountFlags::DETACH);
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_goes_on_when_there_is_room() {
    let Some(disk) = SmallDisk::mount() else { return };
    let folder = &disk.0;
    let ballast = folder.0.path().join("ballast");
    std::fs::write(&ballast, vec![0; 3 << 20]).unwrap();
    let (store, session) = (folder.store(), SessionId::from("s"));
    let appended = fill(&store, &session).await;
    assert!(appended > 5, "{appended}");
    assert_eq!(read_all(&store, &session).await, (1..=appended).collect::<Vec<_>>());
    std::fs::remove_file(ballast).unwrap();
    append_when_there_is_room(&store, &session, appended).await;
    store.close().await;
    let store = folder.store();
    assert_eq!(read_all(&store, &session).await, (1..=appended + 1).collect::<Vec<_>>());
    store.close().await;
}
