//! What Codex asks, as a browser shows it.

use serde_json::{Value, json};

use crate::stage::{Stage, at, id};

fn asks(stage: &mut Stage, kind: &str, item: &str, request: Value) -> Value {
    let data = json!({"approval_id": id(9), "kind": kind, "request": request});
    let said =
        stage.event(json!({"type": "approval.requested", "data": data, "turn_id": "t", "item_id": item}));
    assert_eq!((said.len(), &said[0]["type"]), (1, &json!("permission_request")));
    said[0]["request"].clone()
}

fn rule(tool: &str, content: Option<&str>, destination: &str) -> Value {
    let mut rule = json!({"toolName": tool});
    if let Some(content) = content {
        rule["ruleContent"] = json!(content);
    }
    json!({"type": "addRules", "rules": [rule], "behavior": "allow", "destination": destination})
}

#[test]
fn a_command_is_asked_about_as_bash() {
    let request = json!({"command": "touch a", "cwd": "/w", "reason": "May I?", "itemId": "c"});
    let asked = asks(&mut Stage::running(), "command", "c", request);
    let expected = json!({
        "request_id": format!("codex-approval-{}", id(9)), "tool_name": "Bash",
        "input": {"command": "touch a", "cwd": "/w"}, "description": "May I?", "tool_use_id": "c", "timestamp": at(6),
        "permission_suggestions": [rule("Bash", Some("touch a"), "session")],
    });
    assert_eq!(asked, expected);
}

#[test]
fn a_commands_words_and_what_it_lacks_are_found_where_they_are() {
    let asked = asks(
        &mut Stage::running(),
        "command",
        "c",
        json!({"command": ["touch", "a"], "conversationId": "x"}),
    );
    assert_eq!(
        (&asked["input"]["command"], &asked["description"]),
        (&json!("touch a"), &json!("Execute: touch a"))
    );
    let mut stage = Stage::running();
    stage.started(json!({"type": "commandExecution", "id": "c", "command": "curl example.com"}));
    let network = json!({"networkApprovalContext": {"host": "example.com", "protocol": "https"}});
    let asked = asks(&mut stage, "command", "c", network);
    assert_eq!(asked["input"]["command"], "curl example.com", "the item that waits has it");
    assert_eq!(asked["input"]["network"]["host"], "example.com");
}

#[test]
fn a_rule_that_codex_would_keep_is_offered_as_one_for_good() {
    let request = json!({"command": "git pull -q", "proposedExecpolicyAmendment": ["git", "pull"]});
    let asked = asks(&mut Stage::running(), "command", "c", request);
    let expected =
        json!([rule("Bash", Some("git pull -q"), "session"), rule("Bash", Some("git pull"), "userSettings")]);
    assert_eq!(asked["permission_suggestions"], expected);
}

#[test]
fn a_file_change_names_its_files_from_the_item_that_waits() {
    let mut stage = Stage::running();
    let changes = json!([{"path": "/w/a", "kind": {"type": "add"}, "diff": "x"}, {"path": "/w/b", "kind": {"type": "update"}, "diff": "y"}]);
    stage.started(json!({"type": "fileChange", "id": "f", "changes": changes}));
    let asked = asks(&mut stage, "file_change", "f", json!({"reason": null, "grantRoot": null}));
    assert_eq!(asked["tool_name"], "Edit");
    assert_eq!(asked["description"], "Codex wants to modify: /w/a, /w/b");
    assert_eq!(asked["input"]["file_paths"], json!(["/w/a", "/w/b"]));
    assert_eq!(asked["input"]["changes"][1], json!({"path": "/w/b", "kind": "update", "diff": "y"}));
}

#[test]
fn a_file_change_of_which_nothing_is_known_is_asked_about_in_general_and_an_older_request_has_its_files() {
    let asked = asks(&mut Stage::running(), "file_change", "f", json!({"reason": "it is needed"}));
    assert_eq!(asked["description"], "Codex wants to modify files (it is needed)");
    let asked = asks(
        &mut Stage::running(),
        "file_change",
        "f",
        json!({"conversationId": "x", "fileChanges": {"/w/a": {"add": {}}}}),
    );
    assert_eq!(asked["input"]["file_paths"], json!(["/w/a"]));
}

#[test]
fn more_permissions_and_questions_are_asked_for_by_name() {
    let request = json!({"reason": "to look", "permissions": {"network": {"enabled": true}}});
    let asked = asks(&mut Stage::running(), "permissions", "p", request);
    assert_eq!(asked["request_id"], format!("codex-permissions-{}", id(9)));
    assert_eq!(asked["tool_name"], "RequestPermissions");
    assert_eq!(asked["input"], json!({"reason": "to look", "permissions": {"network": {"enabled": true}}}));
    let questions = json!([{"id": "q1", "header": "H", "question": "Go on?", "isOther": true, "options": [{"label": "Yes", "description": "y"}]}]);
    let asked = asks(&mut Stage::running(), "user_input", "q", json!({ "questions": questions }));
    let shown =
        json!([{"header": "H", "question": "Go on?", "options": [{"label": "Yes", "description": "y"}]}]);
    assert_eq!((&asked["tool_name"], &asked["input"]["questions"]), (&json!("AskUserQuestion"), &shown));
}

#[test]
fn a_call_of_an_mcp_tool_is_asked_about_as_that_tool() {
    let request = json!({"serverName": "demo", "mode": "form", "message": "Allow the demo MCP server to run tool \"ask\"?",
        "_meta": {"codex_approval_kind": "mcp_tool_call", "persist": ["session", "always"], "tool_params": {"text": "hi"}},
        "requestedSchema": {"type": "object", "properties": {}}});
    let asked = asks(&mut Stage::running(), "elicitation", "", request);
    assert_eq!(asked["request_id"], format!("codex-mcp-elicitation-{}", id(9)));
    assert_eq!((&asked["tool_name"], &asked["input"]), (&json!("mcp:demo:ask"), &json!({"text": "hi"})));
    assert_eq!(asked["permission_suggestions"], json!([rule("mcp:demo:ask", None, "session")]));
}

#[test]
fn a_form_is_asked_field_by_field_and_a_link_by_yes_or_no() {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string", "title": "Your name"},
        "size": {"type": "string", "enum": ["S", "L"]}, "sure": {"type": "boolean"}}});
    let asked = asks(
        &mut Stage::running(),
        "elicitation",
        "",
        json!({"serverName": "demo", "message": "Fill in", "requestedSchema": schema}),
    );
    let questions = asked["input"]["questions"].as_array().unwrap();
    let shown: Vec<_> = questions
        .iter()
        .map(|it| (it["header"].as_str().unwrap(), it["options"].as_array().unwrap().len()))
        .collect();
    assert_eq!(shown, [("name", 0), ("size", 2), ("sure", 2)]);
    assert_eq!(questions[0]["question"], "Your name");
    let asked = asks(
        &mut Stage::running(),
        "elicitation",
        "",
        json!({"serverName": "demo", "mode": "url", "message": "Open it", "url": "https://e.example"}),
    );
    let options = &asked["input"]["questions"][0]["options"];
    assert_eq!(
        *options,
        json!([{"label": "Accept", "description": "https://e.example"}, {"label": "Decline", "description": "https://e.example"}])
    );
}

fn calls(stage: &mut Stage, tool: &str, arguments: Value) -> Value {
    let data = json!({"tool_call_id": id(8), "tool": tool, "arguments": arguments});
    let said = stage.event(json!({"type": "tool.requested", "data": data, "turn_id": "t", "item_id": "d"}));
    said[0]["request"].clone()
}

#[test]
fn a_call_of_the_sessions_own_tool_waits_for_the_browser_too() {
    let asked = calls(&mut Stage::running(), "look", json!({"at": "sky"}));
    assert_eq!(asked["request_id"], format!("codex-dynamic-{}", id(8)));
    assert_eq!(
        (&asked["tool_name"], &asked["input"]),
        (&json!("dynamic:look"), &json!({"at": "sky", "call_id": "d"}))
    );
    let asked = calls(&mut Stage::running(), "ExitPlanMode", json!({"plan": "p"}));
    assert_eq!(asked["request_id"], format!("codex-exitplan-{}", id(8)));
    assert_eq!((&asked["tool_name"], &asked["input"]), (&json!("ExitPlanMode"), &json!({"plan": "p"})));
}

#[test]
fn what_is_answered_is_asked_no_longer_in_any_browser() {
    let mut stage = Stage::running();
    asks(&mut stage, "command", "c", json!({"command": "x"}));
    assert_eq!(stage.speaker.pending().count(), 1);
    let resolved = json!({"approval_id": id(9), "decision": "accept", "by": "laptop/http"});
    let said = stage.in_turn("approval.resolved", resolved.clone());
    assert_eq!(
        said,
        [json!({"type": "permission_cancelled", "request_id": format!("codex-approval-{}", id(9))})]
    );
    assert_eq!(stage.speaker.pending().count(), 0);
    assert_eq!(stage.in_turn("approval.resolved", resolved), Vec::<Value>::new());
    calls(&mut stage, "look", json!({}));
    let said = stage
        .in_turn("tool.resolved", json!({"tool_call_id": id(8), "success": false, "content": "too late"}));
    assert_eq!(said[0]["type"], "permission_cancelled");
}

#[test]
fn what_the_policy_answered_is_told_as_that() {
    for (decision, behavior) in [("accept", "allow"), ("decline", "deny")] {
        let mut stage = Stage::running();
        asks(&mut stage, "command", "c", json!({"command": "x"}));
        let said = stage.in_turn(
            "approval.resolved",
            json!({"approval_id": id(9), "decision": decision, "by": "policy"}),
        );
        assert_eq!(
            (&said[1]["type"], &said[1]["behavior"]),
            (&json!("permission_auto_resolved"), &json!(behavior))
        );
    }
}

#[test]
fn a_sub_agent_that_asks_is_named() {
    let mut stage = Stage::running();
    let data = json!({"approval_id": id(9), "kind": "command", "request": {"command": "x"}});
    let said = stage
        .event(json!({"type": "approval.requested", "data": data, "thread_id": "child", "turn_id": "ct"}));
    assert_eq!(said[0]["request"]["agent_id"], "child");
}
