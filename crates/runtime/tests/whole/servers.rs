//! What MCP servers and Codex's own requests for permissions ask a person, and what becomes of the answers.

use std::fs;

use selvedge_rehearsal::{mcp, model::CodexSettings};
use selvedge_runtime::{
    Answer, Message, MessageState, SessionHandle,
    session::{
        ApprovalPolicy, PermissionMode, Settings,
        data::{ApprovalKind, Decision},
    },
};
use serde_json::json;

use crate::{
    setup::{Setup, on_the_real},
    stage::{Stage, say},
    watch::{Watch, value},
};

on_the_real!(
    a_call_of_a_server_is_asked_about_once_for_the_session,
    a_call_of_a_server_is_accepted_by_policy,
    a_form_is_filled_in_by_a_person,
    a_form_is_declined_by_policy,
    permissions_are_granted_as_they_were_asked_for,
    permissions_for_the_session_are_granted_for_longer_than_a_turn,
    permissions_are_declined_by_policy,
    permissions_bypassed_are_nobodys_question,
);

/// Before the judge's rules: a tool that asks a form, and a request for permissions.
const RULES: &str = r#"
[[rule]]
contains = "[order]"
step = [
  { do = [ { mcp = { server = "demo", tool = "order" } } ] },
  { do = [ { say = { text = "Ordered.", phase = "final_answer" } } ] },
]

[[rule]]
contains = "[permissions]"
step = [
  { do = [ { tool = { name = "request_permissions", arguments = { reason = "May I look around?", permissions = { network = { enabled = true } } } } } ] },
  { do = [ { say = { text = "Permitted or not.", phase = "final_answer" } } ] },
]
"#;

/// A session with the server.
async fn with_server(stage: &Stage, change: impl FnOnce(&mut Settings)) -> SessionHandle {
    let script = stage.directory.path().join("server.sh");
    fs::write(&script, mcp::SERVER).unwrap();
    let mut new = stage.new_session();
    new.mcp_servers.insert("demo".into(), json!({"command": "sh", "args": [script]}));
    change(&mut new.settings);
    stage.runtime.create(new).await.unwrap()
}

async fn a_call_of_a_server_is_asked_about_once_for_the_session(setup: Setup) {
    let stage = setup.open().await;
    let session =
        with_server(&stage, |settings| settings.permission_mode = Some(PermissionMode::Default)).await;
    let mut watch = Watch::of(&session).await;
    for decision in [Decision::Decline, Decision::AcceptForSession] {
        let sent = session.send(Message::text("[mcp]")).await.unwrap();
        let approval = watch.approval().await;
        assert_eq!(approval.kind, ApprovalKind::Elicitation);
        assert_eq!(value(&approval.request)["_meta"]["codex_approval_kind"], "mcp_tool_call");
        session.answer(approval.approval_id, Answer::new(decision, "ann")).await.unwrap();
        assert_eq!(watch.finished(sent.message_id).await.text, "Echoed.");
        assert_eq!(stage.last_asked().contains("from the server"), decision != Decision::Decline);
    }
    let sent = session.send(Message::text("[mcp]")).await.unwrap();
    watch.finished(sent.message_id).await;
    let asked = watch.names().iter().filter(|name| **name == "approval.requested").count();
    assert_eq!(asked, 2, "for the session it is asked once");
    stage.close().await;
}

async fn a_call_of_a_server_is_accepted_by_policy(setup: Setup) {
    let stage = setup.open().await;
    let session =
        with_server(&stage, |settings| settings.approval_policy = Some(ApprovalPolicy::Never)).await;
    assert_eq!(say(&session, "[mcp]").await.text, "Echoed.");
    assert!(stage.last_asked().contains("from the server"));
    stage.close().await;
}

async fn a_form_is_filled_in_by_a_person(setup: Setup) {
    let stage = setup.rules(RULES).open().await;
    let session =
        with_server(&stage, |settings| settings.approval_policy = Some(ApprovalPolicy::OnRequest)).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[order]")).await.unwrap();
    let approval = watch.approval().await;
    assert_eq!(approval.kind, ApprovalKind::Elicitation);
    assert_eq!(value(&approval.request)["message"], "Which size?");
    let content = json!({"content": {"size": "enormous"}});
    let answer = Answer { content: Some(content.into()), ..Answer::new(Decision::Accept, "ann") };
    session.answer(approval.approval_id, answer).await.unwrap();
    assert_eq!(watch.finished(sent.message_id).await.text, "Ordered.");
    assert!(stage.last_asked().contains("size:enormous"));
    stage.close().await;
}

async fn a_form_is_declined_by_policy(setup: Setup) {
    let stage = setup.rules(RULES).open().await;
    let session =
        with_server(&stage, |settings| settings.approval_policy = Some(ApprovalPolicy::Never)).await;
    let view = say(&session, "[order]").await;
    assert_eq!((view.state, view.text.as_str()), (MessageState::Completed, "Ordered."));
    assert!(stage.last_asked().contains("action:decline"));
    stage.close().await;
}

fn may_ask() -> CodexSettings {
    CodexSettings::default().with("features.request_permissions_tool", "true")
}

/// What the agent was told of its last request.
fn granted_now(stage: &Stage) -> String {
    let request = stage.asked().pop().unwrap();
    let outputs = request["input"].as_array().unwrap().iter().rev();
    let output = outputs.into_iter().find(|item| item["type"] == "function_call_output").unwrap();
    output["output"].to_string()
}

async fn permissions_are_granted_as_they_were_asked_for(setup: Setup) {
    let stage = setup.rules(RULES).codex(may_ask()).open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    for (decision, granted) in [(Decision::Decline, false), (Decision::Accept, true)] {
        let sent = session.send(Message::text("[permissions]")).await.unwrap();
        let approval = watch.approval().await;
        assert_eq!(approval.kind, ApprovalKind::Permissions);
        session.answer(approval.approval_id, Answer::new(decision, "ann")).await.unwrap();
        assert_eq!(watch.finished(sent.message_id).await.text, "Permitted or not.");
        assert_eq!(granted_now(&stage).contains("enabled"), granted);
    }
    stage.close().await;
}

async fn permissions_are_declined_by_policy(setup: Setup) {
    let stage = setup.rules(RULES).codex(may_ask()).open().await;
    let session = stage.session_with(|settings| settings.approval_policy = Some(ApprovalPolicy::Never)).await;
    let view = say(&session, "[permissions]").await;
    assert_eq!((view.state, view.text.as_str()), (MessageState::Completed, "Permitted or not."));
    stage.close().await;
}

async fn permissions_for_the_session_are_granted_for_longer_than_a_turn(setup: Setup) {
    let stage = setup.rules(RULES).codex(may_ask()).open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[permissions]")).await.unwrap();
    let approval = watch.approval().await;
    let answer = Answer::new(Decision::AcceptForSession, "ann");
    session.answer(approval.approval_id, answer).await.unwrap();
    watch.finished(sent.message_id).await;
    let granted = granted_now(&stage);
    assert!(granted.contains("enabled") && granted.contains("session"), "{granted}");
    stage.close().await;
}

async fn permissions_bypassed_are_nobodys_question(setup: Setup) {
    let stage = setup.rules(RULES).codex(may_ask()).open().await;
    let bypass = Some(PermissionMode::BypassPermissions);
    let session = stage.session_with(|settings| settings.permission_mode = bypass).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[permissions]")).await.unwrap();
    assert_eq!(watch.finished(sent.message_id).await.text, "Permitted or not.");
    // The mode stands for the policy `never`, under which 0.166 asks nobody and grants nothing: there is nothing to accept.
    assert!(!watch.names().contains(&"approval.requested"), "{:?}", watch.names());
    assert!(!granted_now(&stage).contains("enabled"));
    stage.close().await;
}
