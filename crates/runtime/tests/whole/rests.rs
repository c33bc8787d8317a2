//! What a start needs: the sessions with work, and of each of them only what came after its last snapshot.

use selvedge_journal::{Kind, Limit, Options, SessionId as Key, SqliteStore, Store as _};
use selvedge_runtime::{Message, MessageState, session::data::DeltaKind};

use crate::{
    setup::{Setup, on_both, on_the_stand_in},
    stage::say,
    watch::{Watch, history},
};

on_both!(only_sessions_with_work_are_taken_up_at_the_start);
on_the_stand_in!(each_messages_end_is_kept_with_a_snapshot);

async fn only_sessions_with_work_are_taken_up_at_the_start(setup: Setup) {
    let stage = setup.open().await;
    let (idle, busy) = (stage.session().await, stage.session().await);
    say(&idle, "[think]").await;
    let sent = busy.send(Message::text("[thread gold]")).await.unwrap();
    Watch::of(&busy).await.piece(DeltaKind::Text).await;
    let at_rest = idle.summary().await.unwrap();
    let (idle, busy) = (idle.id(), busy.id());
    let stage = stage.again().await;
    let busy = stage.runtime.session(busy).await.unwrap();
    let end = busy.finished(sent.message_id).await.unwrap();
    assert_eq!(end.state, MessageState::Completed, "nobody had to ask for it");
    assert_eq!(busy.summary().await.unwrap().epoch, 2, "its thread was loaded again");
    let open: usize = stage.runtime.processes().iter().map(|process| process.open_threads).sum();
    assert_eq!(open, 1, "the other thread is not");
    let idle = stage.runtime.session(idle).await.unwrap();
    assert_eq!(idle.summary().await.unwrap().epoch, at_rest.epoch);
    let told = history(&idle).await;
    assert!(!told.iter().any(|event| event.what.name().starts_with("codex.e")), "it has lost nothing");
    stage.close().await;
}

/// The kind of fact that holds a whole session.
const SNAPSHOT: u8 = 1;

async fn each_messages_end_is_kept_with_a_snapshot(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    for _ in 0..3 {
        say(&session, "[think]").await;
    }
    stage.runtime.shut_down().await;
    let store = SqliteStore::open(Options::new(stage.config.data_dir.join("journal.db"))).unwrap();
    let records = store.records(&Key::from(session.id().to_string()), 0, Limit::of(10_000)).await.unwrap();
    let mut ends = 0;
    for record in records {
        let ended = record.record.events.iter().any(|event| is_end(&event.body));
        let kind = Kind::new(SNAPSHOT).unwrap();
        let kept = record.record.facts.iter().any(|fact| fact.kind == kind);
        assert_eq!(ended, kept, "record {}", record.n);
        ends += usize::from(ended);
    }
    assert_eq!(ends, 3);
    store.close().await;
}

fn is_end(event: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(event).unwrap()["type"] == "message.finished"
}
