//! What we say, as JSON: what is required is there, what is not set is left out, what is new can be said.

use std::collections::BTreeMap;

use selvedge_protocol::{
    asks,
    call::{Call, ServerCall},
    calls, say,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

fn sent(params: &impl Serialize) -> Value {
    serde_json::to_value(params).unwrap_or_default()
}

#[test]
fn what_is_not_set_is_left_out() {
    assert_eq!(sent(&say::ThreadStartParams::default()), json!({}));
    let params = say::ThreadStartParams {
        cwd: Some("/workspace".to_owned()),
        approval_policy: Some(say::AskForApproval::OnRequest),
        sandbox: Some(say::SandboxMode::WorkspaceWrite),
        ..Default::default()
    };
    assert_eq!(
        sent(&params),
        json!({"cwd": "/workspace", "approvalPolicy": "on-request", "sandbox": "workspace-write"})
    );
}

#[test]
fn what_is_required_is_an_argument() {
    let params = say::TurnStartParams {
        client_user_message_id: Some("m-1".to_owned()),
        ..say::TurnStartParams::new("t-1", vec![say::TextUserInput::new("hello").into()])
    };
    let expected = json!({
        "threadId": "t-1",
        "input": [{"type": "text", "text": "hello"}],
        "clientUserMessageId": "m-1",
    });
    assert_eq!(sent(&params), expected);
}

#[test]
fn what_the_schema_does_not_know_can_be_said() {
    let mut params = say::ThreadResumeParams::new("t-1");
    params.extra.insert("brandNew".to_owned(), json!({"x": 1}));
    params.extra.insert("serviceTier".to_owned(), Value::Null);
    params.approval_policy = Some(say::AskForApproval::Other(json!("sometimes")));
    params.sandbox = Some(say::SandboxMode::Other("glass-box".to_owned()));
    let expected = json!({
        "threadId": "t-1", "brandNew": {"x": 1}, "serviceTier": null, "approvalPolicy": "sometimes", "sandbox": "glass-box",
    });
    assert_eq!(sent(&params), expected);
}

#[test]
fn unions_are_spelled_as_codex_spells_them() {
    let cases: [(Value, Value); 5] = [
        (sent(&say::SandboxPolicy::DangerFullAccess), json!({"type": "dangerFullAccess"})),
        (
            sent(&say::SandboxPolicy::from(say::WorkspaceWriteSandboxPolicy {
                network_access: Some(true),
                ..Default::default()
            })),
            json!({"type": "workspaceWrite", "networkAccess": true}),
        ),
        (
            sent(&say::AskForApproval::Granular(say::GranularAskForApproval::new(true, false, true))),
            json!({"granular": {"mcp_elicitations": true, "rules": false, "sandbox_approval": true}}),
        ),
        (sent(&say::UserInput::Other(json!({"type": "hologram"}))), json!({"type": "hologram"})),
        (
            sent(&say::CommandExecutionRequestApprovalResponse::new(
                say::CommandExecutionApprovalDecision::AcceptForSession,
            )),
            json!({"decision": "acceptForSession"}),
        ),
    ];
    for (said, expected) in cases {
        assert_eq!(said, expected);
    }
}

#[test]
fn a_secret_is_sent_and_never_printed() {
    let params = say::LoginAccountParams::from(say::ApiKeyLoginAccountParams::new("key-123"));
    assert_eq!(sent(&params), json!({"type": "apiKey", "apiKey": "key-123"}));
    assert!(!format!("{params:?}").contains("key-123"), "{params:?}");
}

#[test]
fn what_may_hold_a_secret_is_sent_and_never_printed() {
    let env = BTreeMap::from([("TOKEN".to_owned(), Some("key-123".to_owned())), ("HOME".to_owned(), None)]);
    let exec = say::CommandExecParams {
        env: Some(env.into()),
        ..say::CommandExecParams::new(vec!["true".to_owned()])
    };
    assert_eq!(sent(&exec), json!({"command": ["true"], "env": {"TOKEN": "key-123", "HOME": null}}));
    let printed = format!("{exec:?}");
    assert!(printed.contains("env: Some(…)") && !printed.contains("key-123"), "{printed}");

    let servers = json!({"docs": {"env": {"TOKEN": "key-123"}}});
    let config = Map::from_iter([("mcp_servers".to_owned(), servers.clone())]);
    let start = say::ThreadStartParams { config: Some(config.into()), ..Default::default() };
    assert_eq!(sent(&start), json!({"config": {"mcp_servers": servers}}));
    assert!(!format!("{start:?}").contains("key-123"), "{start:?}");
}

#[test]
fn a_call_ties_method_params_and_answer_together() {
    fn request<C: Call>(params: &C::Params) -> Value {
        json!({"method": C::METHOD, "params": params})
    }
    fn answer<C: ServerCall>(answer: &C::Answer) -> Value {
        json!({"to": C::METHOD, "result": answer})
    }
    let interrupt = say::TurnInterruptParams::new("t", "u");
    let expected = json!({"method": "turn/interrupt", "params": {"threadId": "t", "turnId": "u"}});
    assert_eq!(request::<calls::TurnInterrupt>(&interrupt), expected);
    assert_eq!(request::<calls::AccountLogout>(&()), json!({"method": "account/logout", "params": null}));
    let decline = say::FileChangeRequestApprovalResponse::new(say::FileChangeApprovalDecision::Decline);
    let expected = json!({"to": "item/fileChange/requestApproval", "result": {"decision": "decline"}});
    assert_eq!(answer::<asks::ItemFileChangeRequestApproval>(&decline), expected);
}
