//! Logins that a program brings, and app-servers behind relays that an earlier program logged in otherwise.

use selvedge_rehearsal::model::{CodexSettings, ModelServer};
use selvedge_runtime::{Answer, Login, Message, MessageState, session::data::Decision};
use uuid::Uuid;

use crate::{
    setup::{Setup, on_both},
    stage::{Stage, end, say},
    watch::Watch,
};

on_both!(
    another_login_finds_no_app_server_of_the_earlier_one,
    a_turn_ends_with_the_login_it_began_with,
    the_same_login_finds_its_app_server_again,
);

/// A runtime that logs in with this key, at a provider that wants to know who asks.
async fn logged_in(setup: Setup, key: &str) -> Stage {
    let asks = CodexSettings::default().with("model_providers.rehearsal.requires_openai_auth", "true");
    setup.codex(asks).behind_relays().config(|config| config.login = Some(Login::api_key(key))).open().await
}

/// The same directory, opened by another program that logs in with this key.
async fn again(mut stage: Stage, key: &str) -> Stage {
    stage.config.login = Some(Login::api_key(key));
    stage.after_leaving().await
}

fn processes(stage: &Stage) -> Vec<Uuid> {
    stage.runtime.processes().iter().map(|process| process.id).collect()
}

/// As whom the model was asked, on the real Codex.
fn asked_as(stage: &Stage, keys: &[&str]) {
    let Some(requests) = stage.model.as_ref().map(ModelServer::requests) else { return };
    let by: Vec<_> = requests.into_iter().filter_map(|request| request.authorization).collect();
    let expected: Vec<_> = keys.iter().map(|key| format!("Bearer {key}")).collect();
    assert_eq!(by, expected);
}

async fn another_login_finds_no_app_server_of_the_earlier_one(setup: Setup) {
    let stage = logged_in(setup, "sk-one").await;
    let session = stage.session().await;
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    let before = processes(&stage);
    let stage = again(stage, "sk-other").await;
    let session = stage.found(&session).await;
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed, "it waits for nobody");
    assert!(processes(&stage).iter().all(|process| !before.contains(process)));
    asked_as(&stage, &["sk-one", "sk-other"]);
    stage.close().await;
}

async fn a_turn_ends_with_the_login_it_began_with(setup: Setup) {
    let stage = logged_in(setup, "sk-one").await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let running = session.send(Message::text("[approve]")).await.unwrap();
    let approval = watch.approval().await;
    let before = processes(&stage);
    let stage = again(stage, "sk-other").await;
    let session = stage.found(&session).await;
    session.answer(approval.approval_id, Answer::new(Decision::Accept, "ann")).await.unwrap();
    assert_eq!(end(&session, running.message_id).await.state, MessageState::Completed);
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    let now = processes(&stage);
    assert!(now.iter().any(|process| !before.contains(process)), "{now:?}");
    asked_as(&stage, &["sk-one", "sk-one", "sk-other"]);
    stage.close().await;
}

async fn the_same_login_finds_its_app_server_again(setup: Setup) {
    let stage = logged_in(setup, "sk-one").await;
    let session = stage.session().await;
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    let before = processes(&stage);
    let stage = again(stage, "sk-one").await;
    let session = stage.found(&session).await;
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    assert_eq!(processes(&stage), before);
    asked_as(&stage, &["sk-one", "sk-one"]);
    stage.close().await;
}
