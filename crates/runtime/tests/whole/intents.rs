//! What is handed to Codex is in the journal before: which message, for the how many-th time, to whom, as which request.

use selvedge_journal::{Kind, Limit, Options, SessionId as Key, SqliteStore, Store as _};
use selvedge_runtime::{Message, session::data::DeltaKind};
use serde_json::Value;

use crate::{
    setup::{Setup, on_both},
    stage::{Stage, say},
    watch::Watch,
};

on_both!(each_attempt_is_written_down_with_its_process_and_request);

/// The kind of fact that says what is about to be said.
const INTENT: u8 = 4;

async fn each_attempt_is_written_down_with_its_process_and_request(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let first = say(&session, "[think]").await.message_id;
    let mut watch = Watch::of(&session).await;
    let cut = session.send(Message::text("[thread gold]")).await.unwrap().message_id;
    watch.piece(DeltaKind::Text).await;
    let at_first = serving(&stage);
    stage.kill_app_servers();
    watch.finished(cut).await;
    let at_last = serving(&stage);
    stage.runtime.shut_down().await;
    let written = intents(&stage, &session.id().to_string()).await;
    let said = |it: &Value| (text(&it["message_id"]), it["attempt"].as_u64(), text(&it["process"]));
    let expected = [(first, 1, &at_first), (cut, 1, &at_first), (cut, 2, &at_last)];
    let expected =
        expected.map(|(message, attempt, process)| (message.to_string(), Some(attempt), process.clone()));
    assert_eq!(written.iter().map(said).collect::<Vec<_>>(), expected);
    let ids: Vec<_> = written.iter().map(|it| it["rpc_id"].as_i64().unwrap()).collect();
    assert!(ids[0] < ids[1], "each request has an id of its own: {ids:?}");
}

/// The app-server that has the session's thread.
fn serving(stage: &Stage) -> String {
    let processes = stage.runtime.processes();
    let serving: Vec<_> = processes.iter().filter(|process| process.open_threads > 0).collect();
    assert_eq!(serving.len(), 1, "{processes:?}");
    serving[0].id.to_string()
}

async fn intents(stage: &Stage, session: &str) -> Vec<Value> {
    let store = SqliteStore::open(Options::new(stage.config.data_dir.join("journal.db"))).unwrap();
    let records = store.records(&Key::from(session), 0, Limit::of(10_000)).await.unwrap();
    store.close().await;
    let kind = Kind::new(INTENT).unwrap();
    let facts = records.iter().flat_map(|record| &record.record.facts).filter(|fact| fact.kind == kind);
    facts.map(|fact| serde_json::from_slice(&fact.body).unwrap()).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
