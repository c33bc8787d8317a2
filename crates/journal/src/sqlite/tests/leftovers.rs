//! What a removed session leaves: nothing, also when the process ended in between.

use rusqlite::Connection;

use super::{Folder, append, read_all};
use crate::{
    record::{Record, SessionId},
    sqlite::retention,
    store::Store as _,
};

fn count(folder: &Folder, table: &str) -> i64 {
    let connection = Connection::open(folder.journal()).unwrap();
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

fn long_body() -> String {
    "long ".repeat(100_000)
}

#[tokio::test]
async fn a_removed_session_leaves_no_rows_and_no_bodies() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let store = folder.store();
    append(&store, &session, 0, 1_500).await;
    store.append(&session, 1_500, Record::at(0).event(1_501, long_body())).await.unwrap();
    append(&store, &"other".into(), 0, 1).await;
    assert_eq!(count(&folder, "bodies"), 1);
    store.remove(&session).await.unwrap();
    store.close().await;
    sweep_the_rest(&folder);
    for (table, rows) in [("log", 1), ("sessions", 1), ("bodies", 0), ("uses", 0)] {
        assert_eq!(count(&folder, table), rows, "{table}");
    }
}

/// What the next opening does in the background.
fn sweep_the_rest(folder: &Folder) {
    let mut connection = Connection::open(folder.journal()).unwrap();
    while retention::sweep(&mut connection).unwrap() {}
}

#[tokio::test]
async fn the_places_of_the_log_are_never_used_twice() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let newest = || -> i64 {
        let connection = Connection::open(folder.journal()).unwrap();
        connection.query_row("SELECT max(id) FROM log", [], |row| row.get(0)).unwrap()
    };
    let store = folder.store();
    append(&store, &session, 0, 10).await;
    store.remove(&session).await.unwrap();
    store.close().await;
    sweep_the_rest(&folder);
    assert_eq!((newest(), count(&folder, "log")), (10, 1), "the newest row stays");
    let store = folder.store();
    append(&store, &session, 0, 1).await;
    assert_eq!(newest(), 11);
    store.remove(&"nobody".into()).await.unwrap();
    assert_eq!(read_all(&store, &session).await, [1]);
}

#[tokio::test]
async fn names_and_uses_are_made_again_from_the_log() {
    let (folder, session) = (Folder::new(), SessionId::from("s"));
    let store = folder.store();
    append(&store, &session, 0, 2).await;
    store.append(&session, 2, Record::at(0).event(3, long_body())).await.unwrap();
    store.close().await;
    Connection::open(folder.journal())
        .unwrap()
        .execute_batch("DELETE FROM sessions; DELETE FROM uses;")
        .unwrap();
    let store = folder.store();
    assert_eq!(store.head(&session).await.unwrap().n, 0, "forgotten");
    assert_eq!(store.rebuild_index().await.unwrap(), 3);
    assert_eq!(read_all(&store, &session).await, [1, 2, 3]);
    assert_eq!(count(&folder, "uses"), 1);
}
