//! App-servers die, programs die, sessions go on: each message has one end, and nothing is done twice.

use selvedge_rehearsal::model::ModelServer;
use selvedge_runtime::{
    Message, MessageState, SessionHandle,
    session::{Item, Lifecycle, Options, Retry, What, data::DeltaKind},
};

use crate::stage::{Stage, end, say, told, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_cut_in_the_middle_of_its_words_is_run_again_on_the_stand_in() {
    run_again(Stage::rehearsal().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_cut_in_the_middle_of_its_words_is_run_again_on_the_real_codex() {
    run_again(Stage::real().await).await;
}

async fn run_again(stage: Stage) {
    let session = stage.session().await;
    say(&session, "[think]").await;
    let sent = session.send(Message::text("[thread gold]")).await.unwrap();
    talking(&session).await;
    stage.kill_app_servers();
    let view = end(&session, sent.message_id).await;
    assert_eq!((view.state, &view.error), (MessageState::Completed, &None));
    let told = told(&session).await;
    let attempts = told
        .iter()
        .filter(|what| matches!(what, What::MessageStarted(it) if it.message_id == sent.message_id));
    assert_eq!(attempts.count(), 2, "{told:?}");
    assert!(told.iter().any(|what| matches!(what, What::CodexExited(_))));
    assert!(told.iter().any(|what| matches!(what, What::CodexRestarted(_))));
    if let Some(model) = &stage.model {
        let asked = last_request(model).matches("[thread gold]").count();
        assert_eq!(asked, 1, "the cut turn was dropped before it was run again");
    }
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_cut_in_the_middle_of_a_command_is_lost_on_the_stand_in() {
    lost(Stage::rehearsal().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_cut_in_the_middle_of_a_command_is_lost_on_the_real_codex() {
    lost(Stage::real().await).await;
}

async fn lost(stage: Stage) {
    let session = stage.unsandboxed().await;
    let sent = session.send(Message::text("[long]")).await.unwrap();
    let next = session.send(Message::text("[think]")).await.unwrap();
    let mut events = session.events(0).await.unwrap();
    until(
        &mut events,
        |what| matches!(what, What::ItemStarted(it) if Item::read(&it.item).kind == "commandExecution"),
    )
    .await;
    stage.kill_app_servers();
    let view = end(&session, sent.message_id).await;
    assert_eq!(view.state, MessageState::Lost);
    assert_eq!(view.error.unwrap().code, "outcome_unknown");
    let waits = session.message(next.message_id).await.unwrap();
    assert_eq!(waits.state, MessageState::Queued, "after a loss the queue is held");
    assert!(session.summary().await.unwrap().held);
    session.start().await.unwrap();
    let view = end(&session, next.message_id).await;
    assert_eq!(view.state, MessageState::Completed);
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_must_not_be_run_again_is_lost() {
    let stage = Stage::rehearsal().await;
    let session = stage.session().await;
    let message =
        Message { options: Options { retry: Retry::Never, ..Options::default() }, ..Message::text("[slow]") };
    let sent = session.send(message).await.unwrap();
    talking(&session).await;
    stage.kill_app_servers();
    assert_eq!(end(&session, sent.message_id).await.state, MessageState::Lost);
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn between_turns_a_death_costs_nothing_but_a_restart() {
    let stage = Stage::real().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    let mut events = session.events(session.summary().await.unwrap().last_seq).await.unwrap();
    stage.kill_app_servers();
    until(&mut events, |what| matches!(what, What::CodexExited(_))).await;
    let view = say(&session, "[stream]").await;
    assert_eq!(view.state, MessageState::Completed);
    let request = last_request(stage.model.as_ref().unwrap());
    assert!(request.contains("This way."), "its history is there");
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn app_servers_that_keep_dying_fail_the_session_until_somebody_says_go() {
    let stage = Stage::with(|config| {
        config.restarts.max = 1;
        config.keep_warm = false;
    })
    .await;
    let session = stage.session().await;
    let sent = session.send(Message::text("[slow]")).await.unwrap();
    let mut events = session.events(0).await.unwrap();
    for _ in 0..2 {
        until(&mut events, |what| matches!(what, What::ItemDelta(_))).await;
        stage.kill_app_servers();
        until(&mut events, |what| matches!(what, What::CodexExited(_))).await;
    }
    assert_eq!(end(&session, sent.message_id).await.state, MessageState::Lost);
    until(&mut events, |what| matches!(what, What::SessionState(it) if it.state == Lifecycle::Failed)).await;
    session.send(Message::text("[think]")).await.unwrap_err();
    session.start().await.unwrap();
    assert_eq!(say(&session, "[think]").await.state, MessageState::Completed);
    stage.close().await;
}

/// Waits until the agent talks.
async fn talking(session: &SessionHandle) {
    let mut events = session.events(0).await.unwrap();
    until(
        &mut events,
        |what| matches!(what, What::ItemDelta(it) if it.kind == DeltaKind::Text && it.delta.len() < 100),
    )
    .await;
}

fn last_request(model: &ModelServer) -> String {
    String::from_utf8(model.requests().pop().unwrap().body.to_vec()).unwrap()
}
