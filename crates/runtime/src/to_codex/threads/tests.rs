//! What a session's settings say to Codex, whole.

use selvedge_session::{ApprovalPolicy, Code, Json, Sandbox, ToolSpec};
use serde_json::{json, to_value};

use super::*;

fn settings() -> Settings {
    Settings {
        cwd: "/work".to_owned(),
        model: Some("gpt-5.5".to_owned()),
        effort: Some("high".to_owned()),
        approval_policy: Some(ApprovalPolicy::Never),
        sandbox: Some(Sandbox::ReadOnly),
        base_instructions: Some("be brief".to_owned()),
        developer_instructions: Some("be kind".to_owned()),
        personality: Some("new".to_owned()),
        config: json!({"approval_policy": "on-request", "mcp_servers": {"one": {"command": "a"}}})
            .as_object()
            .cloned()
            .unwrap(),
        tools: vec![ToolSpec {
            name: "lookup".to_owned(),
            description: "Looks something up.".to_owned(),
            input_schema: Json::from(json!({"type": "object"})),
            timeout_seconds: None,
        }],
        ..Settings::default()
    }
}

fn extras() -> ThreadExtras {
    let servers = json!({"two": {"url": "http://localhost", "bearer_token": "secret"}});
    ThreadExtras { mcp_servers: servers.as_object().cloned().unwrap(), ..ThreadExtras::default() }
}

fn common() -> Value {
    json!({
        "cwd": "/work",
        "model": "gpt-5.5",
        "approvalPolicy": "never",
        "sandbox": "read-only",
        "baseInstructions": "be brief",
        "developerInstructions": "be kind",
        "config": {
            "model_reasoning_effort": "high",
            "mcp_servers": {
                "one": {"command": "a", "default_tools_approval_mode": "approve"},
                "two": {
                    "url": "http://localhost",
                    "bearer_token": "secret",
                    "default_tools_approval_mode": "approve",
                },
            },
        },
    })
}

fn with(mut base: Value, more: &Value) -> Value {
    base.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    base
}

#[test]
fn a_new_thread_is_told_everything_and_when_to_ask_only_once() {
    let said = thread_start(&settings(), &extras());
    let tools = json!([{
        "type": "function", "name": "lookup", "description": "Looks something up.", "inputSchema": {"type": "object"},
    }]);
    let expected = with(common(), &json!({"personality": "new", "dynamicTools": tools}));
    assert_eq!(to_value(&said.params).unwrap(), expected);
    assert_eq!(said.warnings, []);
    assert!(!format!("{:?}", said.params).contains("secret"), "what may hold a secret is not printed");
}

#[test]
fn a_loaded_or_copied_thread_is_told_everything_again_but_its_tools() {
    let said = thread_resume("t", &settings(), &extras());
    let more = json!({"personality": "new", "threadId": "t", "excludeTurns": true});
    assert_eq!(to_value(said.params).unwrap(), with(common(), &more));
    let from = ForkOf { thread_id: "t", turn_id: Some("u") };
    let said = thread_fork(from, &settings(), &extras());
    let more = json!({"threadId": "t", "lastTurnId": "u", "excludeTurns": true});
    assert_eq!(to_value(said.params).unwrap(), with(common(), &more));
}

#[test]
fn nothing_is_said_that_was_not_set() {
    let said = thread_start(&Settings::default(), &ThreadExtras::default());
    assert_eq!(to_value(said.params).unwrap(), json!({}));
}

#[test]
fn a_replaced_policy_is_told_to_people_by_all_three() {
    let settings = Settings { approval_policy: Some(ApprovalPolicy::OnFailure), ..Settings::default() };
    let extras = ThreadExtras::default();
    let fork = ForkOf { thread_id: "t", turn_id: None };
    let all = [
        thread_start(&settings, &extras).warnings,
        thread_resume("t", &settings, &extras).warnings,
        thread_fork(fork, &settings, &extras).warnings,
    ];
    for warnings in all {
        assert_eq!(warnings[0].code, Code::PolicyReplaced);
    }
}
