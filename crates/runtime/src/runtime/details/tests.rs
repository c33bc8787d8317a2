//! A list says of each session what the session says of itself.

use selvedge_journal::Store as _;
use selvedge_session::Patch;
use tempfile::TempDir;

use super::*;
use crate::{Config, NewSession};

async fn runtime() -> (TempDir, Runtime) {
    let directory = tempfile::tempdir().unwrap();
    let config = Config { codex: Some("rehearsal".into()), ..Config::new(directory.path()) };
    (directory, Runtime::open(config).await.unwrap())
}

fn new(directory: &TempDir) -> NewSession {
    NewSession::in_directory(directory.path().to_str().unwrap())
}

async fn all(runtime: &Runtime) -> Vec<SessionDetail> {
    runtime.session_details(&Filter::default()).await.unwrap().items
}

#[tokio::test]
async fn settings_are_listed_as_they_are_now_and_nobody_is_woken() {
    let (directory, runtime) = runtime().await;
    let (first, second) =
        (runtime.create(new(&directory)).await.unwrap(), runtime.create(new(&directory)).await.unwrap());
    assert_eq!(all(&runtime).await.len(), 2);
    assert_eq!(runtime.house.awake(), [], "a list is no use of a session");
    let effort = |effort: &str| Patch { effort: Some(effort.to_owned()), ..Patch::default() };
    for said in ["low", "high"] {
        first.update(effort(said)).await.unwrap();
    }
    let own = [first.detail().await.unwrap(), second.detail().await.unwrap()];
    assert_eq!(own[0].settings.effort.as_deref(), Some("high"));
    assert_eq!(all(&runtime).await, own);
    runtime.house.store.rebuild_index().await.unwrap();
    assert_eq!(all(&runtime).await, own, "made again from the records");
    second.remove().await.unwrap();
    assert_eq!(all(&runtime).await, own[..1]);
    runtime.shut_down().await;
}

#[tokio::test]
async fn a_page_ends_where_it_would_be_too_long() {
    let (directory, runtime) = runtime().await;
    let mut made = Vec::new();
    for length in [LONGEST * 2 / 3, LONGEST / 3, 1] {
        let mut long = new(&directory);
        long.settings.developer_instructions = Some("a".repeat(length));
        made.push(runtime.create(long).await.unwrap().id());
    }
    let (mut filter, mut pages) = (Filter::default(), Vec::new());
    loop {
        let page = runtime.session_details(&filter).await.unwrap();
        pages.push(page.items.iter().map(|item| item.summary.id).collect::<Vec<_>>());
        filter.cursor = page.next_cursor;
        if filter.cursor.is_none() {
            break;
        }
    }
    assert_eq!(pages, [made[..2].to_vec(), made[2..].to_vec()]);
    runtime.shut_down().await;
}
