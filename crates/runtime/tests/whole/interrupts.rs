//! Interrupts: a turn is stopped wherever it is, nothing of it runs on, and the session goes on.

use std::time::Duration;

use selvedge_runtime::{
    Clock, Message, MessageState,
    session::{Code, Sandbox, Timestamp, data::DeltaKind},
};

use crate::{
    setup::{Setup, on_both, on_the_stand_in},
    stage::say,
    watch::Watch,
};

on_both!(
    a_message_that_streams_is_stopped_and_its_text_is_kept,
    a_running_command_is_stopped_and_nothing_of_it_lives,
    a_turn_that_has_not_begun_is_stopped_when_it_does,
    force_kills_the_app_server_and_the_session_goes_on,
    the_queue_goes_on_after_an_interrupt,
    a_message_is_taken_back_from_the_queue_and_from_its_turn,
    nothing_runs_so_nothing_is_interrupted,
    stopping_ends_everything_until_it_is_started,
);

on_the_stand_in!(a_turn_that_starts_late_is_stopped, a_deaf_turn_is_lost_and_the_session_goes_elsewhere);

async fn a_message_that_streams_is_stopped_and_its_text_is_kept(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[slow]")).await.unwrap();
    watch.piece(DeltaKind::Text).await;
    session.interrupt(false).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!((MessageState::from(end.status), end.error), (MessageState::Interrupted, None));
    assert!(end.text.starts_with("tick"), "{:?}", end.text);
    let closed = watch.items("agentMessage");
    assert_eq!(closed.len(), 1, "what Codex leaves open is closed");
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    stage.close().await;
}

async fn a_running_command_is_stopped_and_nothing_of_it_lives(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session_with(|settings| settings.sandbox = Some(Sandbox::DangerFullAccess)).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[long]")).await.unwrap();
    watch.piece(DeltaKind::Output).await;
    let ticking = || stage.processes().iter().any(|command| command.contains("echo tick"));
    assert!(ticking(), "{:?}", stage.processes());
    session.interrupt(false).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Interrupted);
    // Codex keeps an interrupted command as a background terminal, until that is cleaned.
    while ticking() {
        tokio::task::yield_now().await;
    }
    stage.close().await;
}

async fn a_turn_that_has_not_begun_is_stopped_when_it_does(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[slow]")).await.unwrap();
    watch.named("message.started").await;
    session.interrupt(false).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Interrupted);
    stage.close().await;
}

async fn a_turn_that_starts_late_is_stopped(setup: Setup) {
    let slow =
        |config: &mut selvedge_runtime::Config| config.rehearsal.faults = Some("slow-turn-start=300".into());
    a_turn_that_has_not_begun_is_stopped_when_it_does(setup.config(slow)).await;
}

async fn force_kills_the_app_server_and_the_session_goes_on(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[slow]")).await.unwrap();
    watch.piece(DeltaKind::Text).await;
    session.interrupt(true).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Interrupted);
    // The turn may hear the interrupt before its process is dead.
    if !watch.names().contains(&"codex.exited") {
        watch.named("codex.exited").await;
    }
    let next = say(&session, "[stream]").await;
    assert_eq!((next.state, next.error), (MessageState::Completed, None));
    stage.close().await;
}

async fn the_queue_goes_on_after_an_interrupt(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    session.send(Message::text("[slow]")).await.unwrap();
    let next = session.send(Message::text("[stream]")).await.unwrap();
    assert_eq!(next.state, MessageState::Queued);
    watch.piece(DeltaKind::Text).await;
    session.interrupt(false).await.unwrap();
    let end = watch.finished(next.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Completed);
    stage.close().await;
}

async fn a_message_is_taken_back_from_the_queue_and_from_its_turn(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let running = session.send(Message::text("[slow]")).await.unwrap();
    let queued = session.send(Message::text("[think]")).await.unwrap();
    let last = session.send(Message::text("[stream]")).await.unwrap();
    watch.piece(DeltaKind::Text).await;
    session.take_back(queued.message_id).await.unwrap();
    let end = watch.finished(queued.message_id).await;
    assert_eq!((MessageState::from(end.status), end.text.as_str()), (MessageState::Interrupted, ""));
    session.take_back(running.message_id).await.unwrap();
    let end = watch.finished(running.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Interrupted);
    let end = watch.finished(last.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Completed);
    let over = session.take_back(queued.message_id).await.unwrap_err();
    assert_eq!(over.code, Code::NotQueued);
    stage.close().await;
}

async fn nothing_runs_so_nothing_is_interrupted(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    assert_eq!(session.interrupt(false).await.unwrap_err().code, Code::Idle);
    say(&session, "[stream]").await;
    assert_eq!(session.interrupt(true).await.unwrap_err().code, Code::Idle);
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    stage.close().await;
}

async fn stopping_ends_everything_until_it_is_started(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let running = session.send(Message::text("[slow]")).await.unwrap();
    let queued = session.send(Message::text("[think]")).await.unwrap();
    watch.piece(DeltaKind::Text).await;
    session.stop().await.unwrap();
    for id in [queued.message_id, running.message_id] {
        let end = session.finished(id).await.unwrap();
        assert_eq!(end.state, MessageState::Interrupted);
    }
    let refused = session.send(Message::text("[stream]")).await.unwrap_err();
    assert_eq!(refused.code, Code::NotRunning);
    session.start().await.unwrap();
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    stage.close().await;
}

async fn a_deaf_turn_is_lost_and_the_session_goes_elsewhere(setup: Setup) {
    let clock = Clock::manual(Timestamp(1_000_000));
    let deaf = |config: &mut selvedge_runtime::Config| {
        config.rehearsal.faults = Some("ignore-interrupt".into());
        config.limits.control = 1;
    };
    let stage = setup.clock(&clock).config(deaf).open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let first = session.summary().await.unwrap().thread_id;
    let sent = session.send(Message::text("[slow]")).await.unwrap();
    let queued = session.send(Message::text("[stream]")).await.unwrap();
    watch.piece(DeltaKind::Text).await;
    let deaf = stage.processes();
    session.interrupt(false).await.unwrap();
    clock.turn(Duration::from_secs(10));
    let end = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Lost);
    assert_eq!(end.error.unwrap().code, "outcome_unknown");
    assert!(end.text.starts_with("tick"), "what was said is kept");
    let summary = session.summary().await.unwrap();
    assert!(summary.held, "what waits is held until somebody says go");
    session.start().await.unwrap();
    let end = watch.finished(queued.message_id).await;
    assert_eq!((MessageState::from(end.status), end.error), (MessageState::Completed, None));
    assert_ne!(session.summary().await.unwrap().thread_id, first, "on a fork of its thread");
    let elsewhere = |server: &String| server.contains("app-server") && !deaf.contains(server);
    assert!(stage.processes().iter().any(elsewhere), "in a process of its own");
    stage.close().await;
}
