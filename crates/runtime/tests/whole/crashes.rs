//! App-servers die, and sessions go on: each message has one end, and nothing is done twice.

use std::time::Duration;

use selvedge_runtime::{
    Clock, Message, MessageState,
    session::{
        ApprovalPolicy, BusyPolicy, Lifecycle, OnLost, Options, Retry, Sandbox, Settings, Timestamp, What,
        data::DeltaKind,
    },
};

use crate::{
    setup::{Setup, on_both, on_the_real, on_the_stand_in},
    stage::say,
    watch::Watch,
};

on_both!(
    a_steer_that_was_heard_and_not_answered_is_not_run_twice,
    a_turn_cut_in_the_middle_of_its_words_is_run_again,
    a_turn_cut_in_the_middle_of_a_command_is_lost_and_the_queue_is_held,
    after_a_loss_the_queue_goes_on_if_the_session_says_so,
);
on_the_real!(between_turns_a_death_costs_nothing_but_a_restart);
on_the_stand_in!(
    a_message_that_must_not_be_run_again_is_lost,
    app_servers_that_keep_dying_fail_the_session_until_somebody_says_go,
    a_death_during_the_start_is_not_the_end,
    an_app_server_that_answers_nobody_is_killed_and_its_turn_run_again,
);

async fn a_turn_cut_in_the_middle_of_its_words_is_run_again(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[thread gold]")).await.unwrap();
    watch.until(|event| (event.what.name() == "message.finished").then_some(())).await;
    watch.piece(DeltaKind::Text).await;
    stage.kill_app_servers();
    let end = watch.finished(sent.message_id).await;
    assert_eq!((end.status.into(), &end.error), (MessageState::Completed, &None));
    let attempts = watch.seen.iter().filter_map(|event| match &event.what {
        What::MessageStarted(it) if it.message_id == sent.message_id => Some(it.attempt),
        _ => None,
    });
    assert_eq!(attempts.collect::<Vec<_>>(), [1, 2]);
    let names = watch.names();
    assert!(names.contains(&"codex.exited") && names.contains(&"codex.restarted"), "{names:?}");
    if stage.is_real() {
        let asked = stage.last_asked().matches("[thread gold]").count();
        assert_eq!(asked, 1, "the cut turn was dropped before it was run again");
    }
    stage.close().await;
}

fn unsandboxed(settings: &mut Settings) {
    settings.sandbox = Some(Sandbox::DangerFullAccess);
    settings.approval_policy = Some(ApprovalPolicy::Never);
}

async fn a_turn_cut_in_the_middle_of_a_command_is_lost_and_the_queue_is_held(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session_with(unsandboxed).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[long]")).await.unwrap();
    let next = session.send(Message::text("[think]")).await.unwrap();
    watch.piece(DeltaKind::Output).await;
    stage.kill_app_servers();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Lost);
    assert_eq!(end.error.unwrap().code, "outcome_unknown");
    assert_eq!(session.message(next.message_id).await.unwrap().state, MessageState::Queued);
    assert!(session.summary().await.unwrap().held);
    session.start().await.unwrap();
    let end = watch.finished(next.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Completed);
    stage.close().await;
}

async fn after_a_loss_the_queue_goes_on_if_the_session_says_so(setup: Setup) {
    let stage = setup.open().await;
    let go_on = |settings: &mut Settings| {
        unsandboxed(settings);
        settings.on_lost = OnLost::Continue;
    };
    let session = stage.session_with(go_on).await;
    let mut watch = Watch::of(&session).await;
    session.send(Message::text("[long]")).await.unwrap();
    let next = session.send(Message::text("[think]")).await.unwrap();
    watch.piece(DeltaKind::Output).await;
    stage.kill_app_servers();
    let end = watch.finished(next.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Completed);
    stage.close().await;
}

/// Something that can be steered, and a steer that leaves a trace and tells us so.
const TRACED: &str = r#"
[[rule]]
contains = "[ticking]"
step = [
  { do = [ { run = { command = "mkfifo told; for n in $(seq 20); do echo tick; sleep 0.1; done", wait_ms = 30000 } } ] },
  { do = [ { say = { text = "It has ticked.", phase = "final_answer" } } ] },
]

[[rule]]
contains = "[trace]"
step = [ { do = [ { run = { command = "echo ran >> ran.txt; echo > told; sleep 60", wait_ms = 60000 } } ] } ]
"#;

async fn a_steer_that_was_heard_and_not_answered_is_not_run_twice(setup: Setup) {
    let stage = setup.rules(TRACED).faults("stall@answer:turn/steer=#1:60000").open().await;
    let session = stage
        .session_with(|settings| {
            unsandboxed(settings);
            settings.on_lost = OnLost::Continue;
        })
        .await;
    let told = stage.work("told");
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[ticking]")).await.unwrap();
    watch.piece(DeltaKind::Output).await;
    let steer = Message::text("[trace]").when_busy(BusyPolicy::Steer);
    let steer = session.send(steer).await.unwrap();
    tokio::task::spawn_blocking(move || std::fs::read(told)).await.unwrap().unwrap();
    stage.kill_app_servers();
    for message in [sent, steer] {
        let end = watch.finished(message.message_id).await;
        assert_eq!(MessageState::from(end.status), MessageState::Lost);
    }
    assert_eq!(std::fs::read_to_string(stage.work("ran.txt")).unwrap(), "ran\n");
    stage.close().await;
}

async fn a_message_that_must_not_be_run_again_is_lost(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let options = Options { retry: Retry::Never, ..Options::default() };
    let sent = session.send(Message { options, ..Message::text("[slow]") }).await.unwrap();
    watch.piece(DeltaKind::Text).await;
    stage.kill_app_servers();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Lost);
    stage.close().await;
}

async fn between_turns_a_death_costs_nothing_but_a_restart(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    let mut watch = Watch::of(&session).await;
    stage.kill_app_servers();
    watch.named("codex.exited").await;
    let view = say(&session, "[stream]").await;
    assert_eq!(view.state, MessageState::Completed);
    assert!(stage.last_asked().contains("This way."), "its history is there");
    stage.close().await;
}

async fn app_servers_that_keep_dying_fail_the_session_until_somebody_says_go(setup: Setup) {
    let stage = setup.config(|config| config.restarts.max = 1).open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[slow]")).await.unwrap();
    for _ in 0..2 {
        watch.piece(DeltaKind::Text).await;
        stage.kill_app_servers();
        watch.named("codex.exited").await;
    }
    let end = watch.finished(sent.message_id).await;
    assert_eq!(MessageState::from(end.status), MessageState::Lost);
    assert_eq!(session.summary().await.unwrap().state, Lifecycle::Failed);
    let refused = session.send(Message::text("[think]")).await.unwrap_err();
    assert_eq!(refused.code.as_str(), "not_running");
    session.start().await.unwrap();
    assert_eq!(say(&session, "[think]").await.state, MessageState::Completed);
    stage.close().await;
}

async fn a_death_during_the_start_is_not_the_end(setup: Setup) {
    let stage = setup.config(|config| config.keep_warm = true).open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    // The one in use and the one that waits: whoever comes next finds a corpse.
    for _ in 0..5 {
        stage.kill_app_servers();
        assert_eq!(say(&session, "[think]").await.state, MessageState::Completed);
    }
    stage.close().await;
}

async fn an_app_server_that_answers_nobody_is_killed_and_its_turn_run_again(setup: Setup) {
    let clock = Clock::manual(Timestamp(1_000_000));
    let stage = setup.clock(&clock).config(|config| config.limits.other = 1).open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    session.send(Message::text("[hang]")).await.unwrap();
    // The last that is told before the silence.
    watch.named("item.completed").await;
    stage.freeze_app_servers();
    clock.turn(Duration::from_secs(61));
    watch.named("codex.exited").await;
    let again = watch.until(|event| match &event.what {
        What::MessageStarted(it) => Some(it.attempt),
        _ => None,
    });
    assert_eq!(again.await, 2, "it had done nothing");
    session.stop().await.unwrap();
    stage.close().await;
}
