//! A browser's answers: what each wants done.

use selvedge_dialects::{Wish, companion::Heard};
use selvedge_session::{ApprovalId, Json, PermissionMode, ToolCallId, data::Decision};
use serde_json::{Value, json};

use crate::stage::{Stage, id};

fn asked(kind: &str, request: Value) -> Stage {
    let mut stage = Stage::running();
    let data = json!({"approval_id": id(9), "kind": kind, "request": request});
    stage.event(json!({"type": "approval.requested", "data": data, "turn_id": "t", "item_id": "c"}));
    stage
}

fn called(stage: &mut Stage, tool: &str) {
    let data = json!({"tool_call_id": id(8), "tool": tool, "arguments": {}});
    stage.event(json!({"type": "tool.requested", "data": data, "turn_id": "t", "item_id": "d"}));
}

/// What the answer to the only open question wants done.
fn answer(stage: &Stage, mut fields: Value) -> Vec<Wish> {
    let asked = serde_json::to_value(stage.speaker.pending().next().unwrap()).unwrap();
    fields["type"] = json!("permission_response");
    fields["request_id"] = asked["request"]["request_id"].clone();
    match stage.speaker.understand(&fields.to_string()) {
        Heard::Wishes { wishes, .. } => wishes,
        other => panic!("{other:?}"),
    }
}

fn decided(wishes: &[Wish]) -> (Decision, Option<Value>, Option<String>) {
    match wishes {
        [Wish::Answer { approval_id, decision, message, content }] => {
            assert_eq!(*approval_id, ApprovalId(id(9).parse().unwrap()));
            let content = content.as_ref().map(|content| serde_json::from_str(content.text()).unwrap());
            (*decision, content, message.clone())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn yes_is_yes_no_is_no_and_what_is_said_with_it_is_kept() {
    for kind in ["command", "file_change", "permissions"] {
        let stage = asked(kind, json!({"command": "x"}));
        assert_eq!(decided(&answer(&stage, json!({"behavior": "allow"}))).0, Decision::Accept, "{kind}");
        let no = decided(&answer(&stage, json!({"behavior": "deny", "message": "not there"})));
        assert_eq!((no.0, no.2.as_deref()), (Decision::Decline, Some("not there")), "{kind}");
        let rule = json!([{"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "allow", "destination": "session"}]);
        let longer = answer(&stage, json!({"behavior": "allow", "updated_permissions": rule}));
        assert_eq!(decided(&longer).0, Decision::AcceptForSession, "{kind}");
    }
}

/// A browser could name any rule; Codex is told only the one that it offered itself.
#[test]
fn a_rule_for_good_is_the_one_that_codex_offered() {
    let rule = json!([{"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "rm"}], "behavior": "allow", "destination": "userSettings"}]);
    let stage =
        asked("command", json!({"command": "git pull", "proposedExecpolicyAmendment": ["git", "pull"]}));
    let (decision, content, _) =
        decided(&answer(&stage, json!({"behavior": "allow", "updated_permissions": rule})));
    assert_eq!((decision, content), (Decision::Accept, Some(json!({"amendment": ["git", "pull"]}))));
    let stage = asked("command", json!({"command": "git pull"}));
    let (decision, content, _) =
        decided(&answer(&stage, json!({"behavior": "allow", "updated_permissions": rule})));
    assert_eq!((decision, content), (Decision::Accept, None), "none was offered, so it is for this once");
}

#[test]
fn answers_find_their_questions_by_place_words_or_id() {
    let questions = json!([{"id": "q1", "question": "Go on?"}, {"id": "q2", "question": "How far?"}, {"id": "q3", "question": "Why?"}]);
    let stage = asked("user_input", json!({ "questions": questions }));
    let answers = json!({"0": "Yes", "How far?": "To the end", "q3": "Because"});
    let (decision, content, _) =
        decided(&answer(&stage, json!({"behavior": "allow", "updated_input": {"answers": answers}})));
    let expected = json!({"answers": {"q1": ["Yes"], "q2": ["To the end"], "q3": ["Because"]}});
    assert_eq!((decision, content), (Decision::Accept, Some(expected)));
    assert_eq!(decided(&answer(&stage, json!({"behavior": "deny"}))).0, Decision::Decline);
}

#[test]
fn a_call_of_an_mcp_tool_is_allowed_once_or_for_the_session() {
    let request = json!({"_meta": {"codex_approval_kind": "mcp_tool_call", "persist": ["session"]}, "message": "run tool \"x\"?"});
    let stage = asked("elicitation", request);
    assert_eq!(decided(&answer(&stage, json!({"behavior": "allow"}))).0, Decision::Accept);
    let rule = json!([{"type": "addRules", "rules": [], "behavior": "allow", "destination": "session"}]);
    let longer = answer(&stage, json!({"behavior": "allow", "updated_permissions": rule}));
    assert_eq!(decided(&longer).0, Decision::AcceptForSession);
}

#[test]
fn a_form_is_filled_with_values_of_its_types_and_a_link_can_be_declined() {
    let schema = json!({"properties": {"name": {"type": "string"}, "sure": {"type": "boolean"}, "count": {"type": "integer"}}});
    let stage = asked("elicitation", json!({"message": "Fill in", "requestedSchema": schema}));
    // The fields of a form are in the order of their names.
    let answers = json!({"0": "3", "1": "Ada", "2": "true"});
    let (decision, content, _) =
        decided(&answer(&stage, json!({"behavior": "allow", "updated_input": {"answers": answers}})));
    let expected = json!({"content": {"count": 3, "name": "Ada", "sure": true}});
    assert_eq!((decision, content), (Decision::Accept, Some(expected)));
    let stage = asked("elicitation", json!({"mode": "url", "message": "Open", "url": "https://e.example"}));
    let declined =
        answer(&stage, json!({"behavior": "allow", "updated_input": {"answers": {"0": "Decline"}}}));
    assert_eq!(decided(&declined).0, Decision::Decline);
}

fn tool_answer(stage: &Stage, fields: Value) -> (bool, Value) {
    match answer(stage, fields).first() {
        Some(Wish::AnswerTool { tool_call_id, success, content }) => {
            assert_eq!(*tool_call_id, ToolCallId(id(8).parse().unwrap()));
            (*success, serde_json::from_str(Json::text(content)).unwrap())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_tool_call_is_answered_with_what_the_browser_gives() {
    let mut stage = Stage::running();
    called(&mut stage, "look");
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let items = json!([{"type": "inputText", "text": "blue"}]);
    for (fields, expected) in [
        (json!({"behavior": "allow"}), (true, text("Dynamic tool call completed"))),
        (json!({"behavior": "allow", "updated_input": {"text": "blue"}}), (true, text("blue"))),
        (
            json!({"behavior": "allow", "updated_input": {"contentItems": items, "success": false}}),
            (false, items),
        ),
        (
            json!({"behavior": "deny", "message": "No."}),
            (false, text("The tool call was denied by the user. No.")),
        ),
    ] {
        assert_eq!(tool_answer(&stage, fields.clone()), expected, "{fields}");
    }
}

#[test]
fn leaving_the_plan_mode_changes_the_mode_back_and_staying_does_not() {
    let mut stage = Stage::running();
    stage.happens(
        "session.updated",
        json!({"cwd": "/w", "model": "m", "permission_mode": "bypassPermissions"}),
    );
    stage.happens("session.updated", json!({"cwd": "/w", "model": "m", "permission_mode": "plan"}));
    called(&mut stage, "ExitPlanMode");
    let wishes = answer(&stage, json!({"behavior": "allow"}));
    let [Wish::AnswerTool { success: true, .. }, Wish::Update(patch)] = wishes.as_slice() else {
        panic!("{wishes:?}")
    };
    assert_eq!(patch.permission_mode, Some(PermissionMode::BypassPermissions));
    let wishes = answer(&stage, json!({"behavior": "deny"}));
    assert!(matches!(wishes.as_slice(), [Wish::AnswerTool { success: false, .. }]), "{wishes:?}");
}

#[test]
fn an_answer_to_nothing_is_refused() {
    let said = json!({"type": "permission_response", "request_id": "codex-approval-x", "behavior": "allow"});
    assert!(matches!(Stage::running().speaker.understand(&said.to_string()), Heard::Refused { .. }));
    let said = json!({"type": "permission_response", "behavior": "perhaps"});
    assert!(matches!(Stage::running().speaker.understand(&said.to_string()), Heard::Refused { .. }));
}
