//! App-servers behind relays: their turns go on without us, and whoever comes next goes on with them.

use selvedge_runtime::{
    Answer, Message, MessageState,
    session::{
        What,
        data::{Decision, DeltaKind},
    },
};

use crate::{
    setup::{Setup, UNTIL_GO, on_both},
    stage::{Stage, end, say},
    tools::with_lookup,
    watch::{Watch, history, never_in_doubt},
};

on_both!(
    a_turn_goes_on_while_nobody_is_there,
    what_waits_for_a_person_waits_on,
    an_idle_session_finds_its_app_server_again,
    what_was_said_last_is_heard_also_of_one_that_ended,
    a_turn_of_an_earlier_program_can_be_stopped,
    what_waited_is_begun_by_who_comes_back_and_is_in_no_doubt,
);

/// Readers notice nothing of another program, and every number is there.
async fn is_unbroken(stage: &Stage, session: &selvedge_runtime::SessionHandle) {
    let events = history(&stage.found(session).await).await;
    let told = ["codex.exited", "codex.restarted", "session.warning"];
    let noticed: Vec<_> = events.iter().filter(|event| told.contains(&event.what.name())).collect();
    assert!(noticed.is_empty(), "{noticed:?}");
    let numbers: Vec<_> = events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
}

async fn a_turn_goes_on_while_nobody_is_there(setup: Setup) {
    let stage = setup.behind_relays().open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[stream]")).await.unwrap();
    watch.piece(DeltaKind::Text).await;
    let stage = stage.after_leaving().await;
    let mut watch = Watch::of(&stage.found(&session).await).await;
    let end = watch.finished(sent.message_id).await;
    assert_eq!((end.status.into(), &end.error), (MessageState::Completed, &None));
    let pieces = watch.seen.iter().filter_map(|event| match &event.what {
        What::ItemDelta(it) if it.kind == DeltaKind::Text => Some(it.delta.as_str()),
        _ => None,
    });
    assert_eq!(pieces.collect::<String>(), end.text, "each piece once");
    is_unbroken(&stage, &session).await;
    if stage.is_real() {
        assert_eq!(stage.asked().len(), 1, "the model was asked once");
    }
    stage.close().await;
}

async fn what_waits_for_a_person_waits_on(setup: Setup) {
    let stage = setup.behind_relays().open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[approve]")).await.unwrap();
    let approval = watch.approval().await;
    let tooled = with_lookup(&stage).await;
    let mut tool_watch = Watch::of(&tooled).await;
    let called = tooled.send(Message::text("[tool]")).await.unwrap();
    let call = tool_watch.tool_call().await;
    let stage = stage.after_leaving().await.after_leaving().await;
    let (session, tooled) = (stage.found(&session).await, stage.found(&tooled).await);
    assert_eq!(session.message(sent.message_id).await.unwrap().state, MessageState::Waiting);
    session.answer(approval.approval_id, Answer::new(Decision::Accept, "ann")).await.unwrap();
    let content = serde_json::json!([{"type": "text", "text": "42"}]).into();
    tooled.answer_tool(call.tool_call_id, true, content).await.unwrap();
    for (session, sent) in [(&session, sent), (&tooled, called)] {
        let mut watch = Watch::of(session).await;
        let end = watch.finished(sent.message_id).await;
        assert_eq!((end.status.into(), &end.error), (MessageState::Completed, &None));
        is_unbroken(&stage, session).await;
    }
    assert_eq!(std::fs::read_to_string(stage.work("approved.txt")).unwrap(), "approved\n");
    stage.close().await;
}

async fn an_idle_session_finds_its_app_server_again(setup: Setup) {
    let stage = setup.behind_relays().open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    let before: Vec<_> = stage.runtime.processes().iter().map(|process| process.id).collect();
    let stage = stage.after_leaving().await;
    let session = stage.found(&session).await;
    assert_eq!(say(&session, "[think]").await.state, MessageState::Completed);
    let after: Vec<_> = stage.runtime.processes().iter().map(|process| process.id).collect();
    assert_eq!(before, after);
    is_unbroken(&stage, &session).await;
    stage.close().await;
}

async fn what_was_said_last_is_heard_also_of_one_that_ended(setup: Setup) {
    let stage = setup.behind_relays().open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[stream]")).await.unwrap();
    watch.piece(DeltaKind::Text).await;
    let stage = stage
        .after_being_away(async |stage| {
            stage.output_has("turn/completed").await;
            stage.kill_app_servers();
            stage.nothing_runs().await;
        })
        .await;
    let session = stage.found(&session).await;
    let mut watch = Watch::of(&session).await;
    let end = watch.finished(sent.message_id).await;
    assert_eq!((end.status.into(), &end.error), (MessageState::Completed, &None));
    if stage.is_real() {
        assert_eq!(stage.asked().len(), 1, "the model was asked once");
    }
    assert_eq!(say(&session, "[think]").await.state, MessageState::Completed);
    stage.close().await;
}

async fn a_turn_of_an_earlier_program_can_be_stopped(setup: Setup) {
    let stage = setup.behind_relays().open().await;
    let session = stage.unsandboxed().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[long]")).await.unwrap();
    watch.piece(DeltaKind::Output).await;
    let stage = stage.after_leaving().await;
    let session = stage.found(&session).await;
    session.interrupt(false).await.unwrap();
    let end = Watch::of(&session).await.finished(sent.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Interrupted);
    stage.close().await;
}

/// The turn before it ended while nobody was there: it is begun while all that is still being heard.
async fn what_waited_is_begun_by_who_comes_back_and_is_in_no_doubt(setup: Setup) {
    let stage = setup.behind_relays().rules(UNTIL_GO).open().await;
    let session = stage.unsandboxed().await;
    let running = session.send(Message::text("[until go]")).await.unwrap();
    Watch::of(&session).await.piece(DeltaKind::Output).await;
    let next = session.send(Message::text("[think]")).await.unwrap();
    let stage = stage.after_being_away(async |stage| stage.let_it_end().await).await;
    let session = stage.found(&session).await;
    for message in [running, next] {
        assert_eq!(end(&session, message.message_id).await.state, MessageState::Completed);
    }
    never_in_doubt(&session).await;
    is_unbroken(&stage, &session).await;
    stage.close().await;
}
