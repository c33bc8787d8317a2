//! What is written down about sessions: found again after a restart, and gone with its session.

use selvedge_runtime::{Config, NewSession, Runtime, session::SessionId};
use serde_json::json;

fn config(data: &std::path::Path) -> Config {
    Config { codex: Some("rehearsal".into()), ..Config::new(data) }
}

async fn session(runtime: &Runtime, directory: &std::path::Path) -> SessionId {
    runtime.create(NewSession::in_directory(directory.display().to_string())).await.unwrap().id()
}

#[tokio::test]
async fn notes_outlive_the_program_and_go_with_their_session() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let runtime = Runtime::open(config(&data)).await.unwrap();
    let (one, other) = (session(&runtime, directory.path()).await, session(&runtime, directory.path()).await);
    let notes = vec![("t/a".to_owned(), Some(json!(1))), ("t/b".to_owned(), Some(json!({"x": 2})))];
    runtime.note(one, notes).await.unwrap();
    runtime
        .note(other, vec![("t/c".to_owned(), Some(json!(3))), ("u/a".to_owned(), Some(json!(4)))])
        .await
        .unwrap();
    runtime.note(one, vec![("t/a".to_owned(), None)]).await.unwrap();
    runtime.shut_down().await;
    let runtime = Runtime::open(config(&data)).await.unwrap();
    assert!(runtime.noted("t/a").await.unwrap().is_none(), "what was taken back is gone");
    let found = runtime.noted("t/b").await.unwrap().unwrap();
    assert_eq!((found.session, found.value), (one, json!({"x": 2})));
    let keys = async |after: Option<&str>| {
        let notes = runtime.notes("t/", after, 10).await.unwrap();
        notes.into_iter().map(|note| note.key).collect::<Vec<_>>()
    };
    assert_eq!(keys(None).await, ["t/b", "t/c"], "of all sessions, and nothing else");
    assert_eq!(keys(Some("t/b")).await, ["t/c"]);
    let sessions = runtime.sessions(&selvedge_runtime::Filter::default()).await.unwrap();
    assert_eq!(sessions.items.len(), 2, "they are no sessions");
    runtime.session(one).await.unwrap().remove().await.unwrap();
    assert_eq!(keys(None).await, ["t/c"]);
    runtime.shut_down().await;
}

#[tokio::test]
async fn notes_of_one_moment_are_all_kept() {
    let directory = tempfile::tempdir().unwrap();
    let runtime = Runtime::open(config(&directory.path().join("data"))).await.unwrap();
    let session = session(&runtime, directory.path()).await;
    let mut writing = tokio::task::JoinSet::new();
    for n in 0..20 {
        let runtime = runtime.clone();
        writing
            .spawn(async move { runtime.note(session, vec![(format!("n/{n:02}"), Some(json!(n)))]).await });
    }
    while let Some(written) = writing.join_next().await {
        written.unwrap().unwrap();
    }
    assert_eq!(runtime.notes("n/", None, 100).await.unwrap().len(), 20);
    runtime.shut_down().await;
}
