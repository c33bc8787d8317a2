//! What a session is made with reaches Codex, and changes from the next turn on.

use selvedge_runtime::{
    Message, MessageState, Part, Patch,
    session::{ApprovalPolicy, Code, Lifecycle, PermissionMode, Phase, Sandbox, What, data::ApprovalKind},
};
use serde_json::json;

use crate::{
    setup::{Setup, on_both, on_the_real},
    stage::{Stage, say},
    watch::{Watch, history, value, warnings},
};

on_both!(
    an_answer_comes_in_the_shape_that_was_asked_for,
    an_answer_in_another_shape_has_failed,
    a_picture_is_kept_and_others_are_refused,
    a_directory_that_is_not_there_is_refused,
    the_same_key_gives_the_same_message_and_session,
);

on_the_real!(
    model_effort_and_sandbox_reach_codex,
    settings_change_from_the_next_turn_on,
    a_message_has_a_model_of_its_own,
    the_plan_mode_is_said_once,
    on_failure_becomes_on_request_with_a_warning,
    instructions_reach_the_model,
    a_picture_reaches_the_model,
);

/// What the last request to the model says of the turn it is for.
fn about_turn(stage: &Stage) -> serde_json::Value {
    let request = stage.asked().pop().unwrap();
    serde_json::from_str(request["client_metadata"]["x-codex-turn-metadata"].as_str().unwrap()).unwrap()
}

async fn model_effort_and_sandbox_reach_codex(setup: Setup) {
    let stage = setup.open().await;
    let chosen = |settings: &mut selvedge_runtime::session::Settings| {
        settings.model = Some("gpt-5.4".into());
        settings.effort = Some("high".into());
        settings.sandbox = Some(Sandbox::ReadOnly);
    };
    let session = stage.session_with(chosen).await;
    say(&session, "[stream]").await;
    let request = stage.asked().pop().unwrap();
    assert_eq!((&request["model"], &request["reasoning"]["effort"]), (&json!("gpt-5.4"), &json!("high")));
    assert_eq!(about_turn(&stage)["sandbox_mode"], "read-only");
    assert_eq!(session.summary().await.unwrap().model.as_deref(), Some("gpt-5.4"));
    stage.close().await;
}

async fn settings_change_from_the_next_turn_on(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session_with(|settings| settings.effort = Some("low".into())).await;
    say(&session, "[stream]").await;
    // Two who change different things at the same moment: neither takes the other's change back.
    let one = Patch { model: Some("gpt-5.4".into()), effort: Some("high".into()), ..Patch::default() };
    let other = Patch { approval_policy: Some(ApprovalPolicy::Untrusted), ..Patch::default() };
    let (one, other) = tokio::join!(session.update(one), session.update(other));
    one.and(other).unwrap();
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[patch]")).await.unwrap();
    assert_eq!(watch.approval().await.kind, ApprovalKind::FileChange, "the new policy asks");
    let request = stage.asked().pop().unwrap();
    assert_eq!((&request["model"], &request["reasoning"]["effort"]), (&json!("gpt-5.4"), &json!("high")));
    session.interrupt(false).await.unwrap();
    watch.finished(sent.message_id).await;
    assert!(watch.names().contains(&"session.updated"));
    assert_eq!(session.settings().await.unwrap().model.as_deref(), Some("gpt-5.4"));
    stage.close().await;
}

async fn a_message_has_a_model_of_its_own(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[stream]").await;
    let asked = |stage: &Stage| {
        let request = stage.asked().pop().unwrap();
        (request["model"].clone(), request["reasoning"].clone())
    };
    let usual = asked(&stage);
    let special = || {
        let mut message = Message::text("[stream]");
        message.options.model = Some("gpt-5.4".into());
        message.options.effort = Some("high".into());
        message
    };
    let sent = session.send(special()).await.unwrap();
    session.finished(sent.message_id).await.unwrap();
    let request = stage.asked().pop().unwrap();
    assert_eq!((&request["model"], &request["reasoning"]["effort"]), (&json!("gpt-5.4"), &json!("high")));
    // The next one has the session's again; also one after a rest, although Codex loads the thread as it was left.
    say(&session, "[stream]").await;
    assert_eq!(asked(&stage), usual);
    let sent = session.send(special()).await.unwrap();
    session.finished(sent.message_id).await.unwrap();
    let stage = stage.again().await;
    let session = stage.runtime.session(session.id()).await.unwrap();
    say(&session, "[stream]").await;
    assert_eq!(asked(&stage), usual);
    say(&session, "[stream]").await;
    assert_eq!(asked(&stage), usual);
    assert!(!stage.last_asked().contains("<collaboration_mode>"), "and the model is told nothing of it");
    stage.close().await;
}

async fn the_plan_mode_is_said_once(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session_with(|settings| settings.permission_mode = Some(PermissionMode::Plan)).await;
    let said = |stage: &Stage| stage.last_asked().matches("<collaboration_mode># Plan Mode").count();
    say(&session, "[stream]").await;
    say(&session, "[think]").await;
    assert_eq!(said(&stage), 1);
    let patch = Patch { permission_mode: Some(PermissionMode::Default), ..Patch::default() };
    session.update(patch).await.unwrap();
    say(&session, "[stream]").await;
    let modes = stage.last_asked().matches("<collaboration_mode># ").count();
    assert_eq!(modes, 2, "and taken back once");
    say(&session, "[think]").await;
    assert_eq!(stage.last_asked().matches("<collaboration_mode># ").count(), 2);
    stage.close().await;
}

async fn on_failure_becomes_on_request_with_a_warning(setup: Setup) {
    let stage = setup.open().await;
    let session =
        stage.session_with(|settings| settings.approval_policy = Some(ApprovalPolicy::OnFailure)).await;
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    assert_eq!(warnings(&session).await, ["policy_replaced"], "once");
    stage.close().await;
}

async fn instructions_reach_the_model(setup: Setup) {
    let stage = setup.open().await;
    let chosen = |settings: &mut selvedge_runtime::session::Settings| {
        settings.base_instructions = Some("You are a lighthouse.".into());
        settings.developer_instructions = Some("Blink twice.".into());
    };
    let session = stage.session_with(chosen).await;
    let id = session.id();
    say(&session, "[stream]").await;
    let stage = stage.again().await;
    let session = stage.runtime.session(id).await.unwrap();
    say(&session, "[think]").await;
    let asked = stage.last_asked();
    assert!(asked.contains("You are a lighthouse.") && asked.contains("Blink twice."), "also after a rest");
    assert!(!asked.contains("You are Codex"), "the first instead of Codex's own");
    stage.close().await;
}

fn colour() -> serde_json::Value {
    json!({
        "type": "object", "additionalProperties": false,
        "properties": {"verdict": {"type": "string"}, "score": {"type": "integer"}},
        "required": ["verdict", "score"],
    })
}

async fn an_answer_comes_in_the_shape_that_was_asked_for(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let sent = session.send(Message::text("[answer fixed]").output_schema(colour().into())).await.unwrap();
    let view = session.finished(sent.message_id).await.unwrap();
    assert_eq!(value(&view.output.unwrap()), json!({"verdict": "right", "score": 7}));
    let plain = say(&session, "[stream]").await;
    assert_eq!(plain.output, None, "the shape is for one message");
    stage.close().await;
}

async fn an_answer_in_another_shape_has_failed(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let sent = session.send(Message::text("[stream]").output_schema(colour().into())).await.unwrap();
    let view = session.finished(sent.message_id).await.unwrap();
    let error = view.error.unwrap();
    assert_eq!(
        (view.state, error.phase, error.code.as_str()),
        (MessageState::Failed, Phase::Response, "output_invalid")
    );
    assert!(view.text.starts_with("One two"), "its text is kept");
    stage.close().await;
}

/// One dot.
const DOT: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn with_picture(url: &str) -> Message {
    Message { input: vec![Part::Text("[stream]".into()), Part::ImageUrl(url.into())], ..Message::default() }
}

async fn a_picture_is_kept_and_others_are_refused(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let refused = session.send(with_picture("https://example.com/a.png")).await.unwrap_err();
    assert_eq!(refused.code, Code::ImageUrlRefused);
    let sent = session.send(with_picture(DOT)).await.unwrap();
    let view = session.finished(sent.message_id).await.unwrap();
    assert_eq!((view.state, view.error), (MessageState::Completed, None));
    let journaled = history(&session).await.into_iter().find_map(|event| match event.what {
        What::MessageAccepted(it) => Some(serde_json::to_string(&it.input).unwrap()),
        _ => None,
    });
    let journaled = journaled.unwrap();
    assert!(journaled.contains("sha256") && !journaled.contains("base64"), "{journaled}");
    stage.close().await;
}

async fn a_picture_reaches_the_model(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let sent = session.send(with_picture(DOT)).await.unwrap();
    session.finished(sent.message_id).await.unwrap();
    assert!(stage.last_asked().contains("data:image/png;base64,"));
    stage.close().await;
}

async fn a_directory_that_is_not_there_is_refused(setup: Setup) {
    let stage = setup.open().await;
    for cwd in ["relative", "/no/such/directory"] {
        let mut new = stage.new_session();
        new.settings.cwd = cwd.into();
        let Err(refused) = stage.runtime.create(new).await else { panic!("{cwd} was taken") };
        assert_eq!(refused.code, Code::InvalidArgument);
    }
    stage.close().await;
}

async fn the_same_key_gives_the_same_message_and_session(setup: Setup) {
    let stage = setup.open().await;
    let mut new = stage.new_session();
    new.idempotency_key = Some("one".into());
    let session = stage.runtime.create(new.clone()).await.unwrap();
    assert_eq!(stage.runtime.create(new).await.unwrap().id(), session.id());
    let message = Message::text("[stream]").idempotency_key("first");
    let sent = session.send(message.clone()).await.unwrap();
    assert_eq!(session.send(message.clone()).await.unwrap().message_id, sent.message_id);
    session.finished(sent.message_id).await.unwrap();
    let again = session.send(message).await.unwrap();
    assert_eq!((again.message_id, again.state), (sent.message_id, MessageState::Completed));
    let other = session.send(Message::text("[think]").idempotency_key("first")).await.unwrap_err();
    assert_eq!(other.code, Code::KeyReused);
    assert_eq!(session.summary().await.unwrap().state, Lifecycle::Idle);
    stage.close().await;
}
