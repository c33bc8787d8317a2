//! What YAAR is told.

use selvedge_dialects::yaar::{Speaker, Telling};
use selvedge_session::Event;
use serde_json::{Value, json};

use crate::support::{Script, id};

fn hear(speaker: &mut Speaker, event: &Event) -> Vec<Value> {
    speaker.hear(event).iter().map(|said| serde_json::to_value(&said.message).unwrap()).collect()
}

fn told(telling: Telling, script: &Script) -> Vec<Value> {
    let mut speaker = Speaker::telling(telling);
    script.0.iter().flat_map(|event| hear(&mut speaker, event)).collect()
}

#[test]
fn a_turn_is_text_thoughts_tools_and_its_end() {
    let told = told(Telling::Head, &Script::of_everything());
    let file = json!([{"path": "/w/a", "kind": "add", "diff": "x"}]);
    assert_eq!(
        told,
        [
            json!({"type": "text", "content": "", "sessionId": id(0)}),
            json!({"type": "thinking", "content": "Hm"}),
            json!({"type": "tool_use", "toolName": "command", "toolInput": {"command": "ls"}, "toolUseId": "c"}),
            json!({"type": "tool_result", "toolName": "command", "content": "$ ls\na", "toolUseId": "c"}),
            json!({"type": "tool_use", "toolName": "file_change", "toolInput": {"changes": file}, "toolUseId": "f"}),
            json!({"type": "tool_result", "toolName": "file_change", "content": "add: /w/a", "toolUseId": "f"}),
            json!({"type": "tool_result", "toolName": "web_search", "content": "rust → rust", "toolUseId": "w"}),
            json!({"type": "text", "content": "Do"}),
            json!({"type": "text", "content": "ne."}),
            json!({"type": "complete", "sessionId": id(0)}),
        ]
    );
}

#[test]
fn the_first_guides_telling_has_calls_and_commands_alone_and_no_ids() {
    let told = told(Telling::Seed, &Script::of_everything());
    let tools: Vec<_> = told.iter().filter(|told| told.get("toolName").is_some()).collect();
    assert_eq!(
        tools,
        [
            &json!({"type": "tool_use", "toolName": "command", "toolInput": {"command": "ls"}}),
            &json!({"type": "tool_result", "toolName": "command", "content": "$ ls\na"}),
        ]
    );
}

/// What is told of an item that began and ended.
fn item(item: Value) -> (Option<Value>, Value) {
    let (mut speaker, mut script) = (Speaker::default(), Script::default());
    let used = hear(&mut speaker, script.started(item.clone()));
    let gave = hear(&mut speaker, script.completed(item));
    (used.first().cloned(), gave[0].clone())
}

#[test]
fn each_tool_is_told_with_what_it_gave() {
    let (used, gave) = item(
        json!({"type": "mcpToolCall", "id": "i", "server": "s", "tool": "t", "arguments": {"a": 1},
        "result": {"content": [{"type": "text", "text": "one"}, {"type": "image"}, {"type": "text", "text": "two"}]}}),
    );
    assert_eq!(used.unwrap()["toolName"], "s:t");
    assert_eq!(gave["content"], "one\ntwo");
    let (_, gave) = item(
        json!({"type": "mcpToolCall", "id": "i", "server": "s", "tool": "t", "result": {"content": [], "structuredContent": {"n": 1}}}),
    );
    assert_eq!(gave["content"], r#"{"n":1}"#);
    let (_, gave) =
        item(json!({"type": "mcpToolCall", "id": "i", "server": "s", "tool": "t", "result": null}));
    assert_eq!(gave["content"], "Tool completed");
    let (_, gave) = item(
        json!({"type": "mcpToolCall", "id": "i", "server": "s", "tool": "t", "error": {"message": "no"}}),
    );
    assert_eq!((&gave["content"], &gave["isError"]), (&json!("Error: no"), &json!(true)));
    let (_, gave) = item(
        json!({"type": "commandExecution", "id": "i", "command": "x", "aggregatedOutput": "o\n", "exitCode": 3}),
    );
    assert_eq!((&gave["content"], &gave["isError"]), (&json!("$ x\no\n[exit code: 3]"), &json!(true)));
    let (used, gave) = item(
        json!({"type": "collabAgentToolCall", "id": "i", "tool": "wait", "prompt": "p", "receiverThreadIds": ["k"],
        "agentsStates": {"k": {"status": "completed", "message": "One."}}}),
    );
    assert_eq!(used.unwrap()["toolInput"], json!({"prompt": "p", "agents": ["k"]}));
    assert_eq!(gave["content"], "k completed: One.");
    let (used, gave) = item(
        json!({"type": "dynamicToolCall", "id": "i", "tool": "look", "arguments": {}, "success": false, "contentItems": [{"type": "inputText", "text": "dark"}]}),
    );
    assert_eq!(used.unwrap()["toolName"], "look");
    assert_eq!((&gave["content"], &gave["isError"]), (&json!("dark"), &json!(true)));
}

#[test]
fn what_was_not_told_in_pieces_is_told_whole_and_the_rest_once() {
    let (mut speaker, mut script) = (Speaker::default(), Script::default());
    let whole =
        hear(&mut speaker, script.completed(json!({"type": "agentMessage", "id": "m", "text": "All."})));
    assert_eq!(whole, [json!({"type": "text", "content": "All."})]);
    let whole =
        hear(&mut speaker, script.completed(json!({"type": "reasoning", "id": "r", "summary": ["So."]})));
    assert_eq!(whole, [json!({"type": "thinking", "content": "So."})]);
    hear(&mut speaker, script.delta("n", "text", "Al"));
    assert_eq!(
        hear(&mut speaker, script.completed(json!({"type": "agentMessage", "id": "n", "text": "All."})))
            .len(),
        0
    );
}

#[test]
fn a_turn_that_did_not_complete_is_an_error() {
    for (status, error, expected) in [
        ("interrupted", Value::Null, "Turn was interrupted"),
        ("failed", json!({"phase": "response", "code": "x", "message": "away"}), "away"),
        ("failed", Value::Null, "Turn failed"),
        ("lost", Value::Null, "Nobody knows how the turn ended"),
    ] {
        let mut data = json!({"message_ids": [id(1)], "status": status, "duration_ms": 0});
        if !error.is_null() {
            data["error"] = error;
        }
        let told = hear(&mut Speaker::default(), Script::default().in_turn("turn.completed", data));
        assert_eq!(told, [json!({"type": "error", "error": expected})], "{status}");
    }
}

#[test]
fn a_message_that_never_ran_and_what_is_asked_are_told() {
    let (mut speaker, mut script) = (Speaker::default(), Script::default());
    let error = json!({"phase": "request", "code": "x", "message": "too late"});
    let finished = json!({"message_id": id(1), "status": "failed", "text": "", "usage": {}, "error": error});
    let told = hear(&mut speaker, script.happens("message.finished", finished));
    assert_eq!(told, [json!({"type": "error", "error": "too late"})]);
    let asked =
        json!({"approval_id": id(9), "kind": "command", "request": {"command": "rm x", "reason": "May I?"}});
    let told = hear(&mut speaker, script.in_turn("approval.requested", asked));
    let expected = json!({"type": "approval_request", "dialogId": id(9), "toolName": "Command Execution",
        "content": "rm x\nMay I?", "toolInput": {"command": "rm x", "reason": "May I?"}});
    assert_eq!(told, [expected]);
    let resolved = json!({"approval_id": id(9), "decision": "accept", "by": "desk/yaar"});
    let told = hear(&mut speaker, script.in_turn("approval.resolved", resolved));
    assert_eq!(told, [json!({"type": "approval_resolved", "dialogId": id(9), "content": "desk/yaar"})]);
}

#[test]
fn what_a_sub_agent_does_is_not_mixed_into_its_parents_words() {
    let data = json!({"kind": "text", "delta": "child"});
    let mut script = Script::default();
    let event = script.event(
        json!({"type": "item.delta", "data": data, "thread_id": "k", "turn_id": "kt", "item_id": "i"}),
    );
    assert_eq!(hear(&mut Speaker::default(), event), Vec::<Value>::new());
}

#[test]
fn one_that_hears_on_says_what_one_says_that_heard_everything() {
    let script = Script::of_everything();
    for telling in [Telling::Head, Telling::Seed] {
        let mut whole = Speaker::telling(telling);
        let all: Vec<_> = script.0.iter().flat_map(|event| whole.hear(event)).collect();
        for at in 0..=script.0.len() {
            let mut speaker = Speaker::telling(telling);
            let (before, after) = script.0.split_at(at);
            before.iter().for_each(|event| drop(speaker.hear(event)));
            let said: Vec<_> = after.iter().flat_map(|event| speaker.hear(event)).collect();
            let rest: Vec<_> = all
                .iter()
                .filter(|said| selvedge_dialects::event_of(said.seq) > at as u64)
                .cloned()
                .collect();
            assert_eq!(said, rest, "from {at}");
        }
    }
}
