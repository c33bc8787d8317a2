//! The second generation, from today's wire.

use selvedge_dialects::caic::{Generation, Parser, Speaker};
use serde_json::{Value, json};

use crate::{parse, support::Script};

fn item(method: &str, item: Value) -> Vec<Value> {
    let line = json!({"method": method, "params": {"item": item, "threadId": "t", "turnId": "u"}});
    parse(Generation::B, line).into_iter().map(|(_, said)| said).collect()
}

fn notification(method: &str, params: Value) -> Vec<Value> {
    parse(Generation::B, json!({"method": method, "params": params}))
        .into_iter()
        .map(|(_, said)| said)
        .collect()
}

#[test]
fn a_session_begins_and_its_status_changes() {
    let begun =
        notification("thread/started", json!({"thread": {"id": "T", "cwd": "/w", "cliVersion": "0.166.0"}}));
    assert_eq!(
        begun,
        [
            json!({"type": "init", "session_id": "T", "cwd": "/w", "tools": [], "model": "", "claude_code_version": "0.166.0"})
        ]
    );
    assert_eq!(notification("turn/started", json!({})), Vec::<Value>::new());
    let status =
        notification("thread/status/changed", json!({"status": {"type": "active", "activeFlags": []}}));
    assert_eq!(status, [json!({"type": "system", "subtype": "active", "session_id": "", "uuid": ""})]);
    let rerouted =
        notification("model/rerouted", json!({"fromModel": "a", "toModel": "b", "reason": "busy"}));
    assert_eq!((&rerouted[0]["detail"], &rerouted[0]["model"]), (&json!("a → b (busy)"), &json!("b")));
}

#[test]
fn each_item_begins_as_its_tool() {
    for (fields, name, input) in [
        (
            json!({"type": "commandExecution", "command": "ls", "cwd": "/w"}),
            "Bash",
            json!({"command": "ls", "cwd": "/w"}),
        ),
        (
            json!({"type": "fileChange", "changes": [{"path": "a", "kind": {"type": "add"}}]}),
            "Write",
            json!([{"path": "a", "kind": {"type": "add"}}]),
        ),
        (
            json!({"type": "fileChange", "changes": [{"path": "a", "kind": {"type": "update"}}]}),
            "Edit",
            json!([{"path": "a", "kind": {"type": "update"}}]),
        ),
        (json!({"type": "mcpToolCall", "tool": "echo", "arguments": {"t": 1}}), "echo", json!({"t": 1})),
        (json!({"type": "dynamicToolCall", "tool": "look", "arguments": {"t": 1}}), "look", json!({"t": 1})),
        (
            json!({"type": "collabAgentToolCall", "tool": "spawnAgent", "prompt": "p"}),
            "spawnAgent",
            json!({"prompt": "p"}),
        ),
        (
            json!({"type": "collabAgentToolCall", "tool": "", "prompt": "p"}),
            "collabAgent",
            json!({"prompt": "p"}),
        ),
        (
            json!({"type": "imageGeneration", "revisedPrompt": "cat"}),
            "ImageGeneration",
            json!({"revisedPrompt": "cat"}),
        ),
    ] {
        let mut fields = fields;
        fields["id"] = json!("i");
        let used = item("item/started", fields.clone());
        assert_eq!(used, [json!({"type": "tool_use", "id": "i", "name": name, "input": input})], "{fields}");
    }
}

#[test]
fn each_item_ends_with_what_went_wrong_if_anything_did() {
    for (fields, error) in [
        (json!({"type": "commandExecution", "exitCode": 2, "status": "failed"}), None),
        (json!({"type": "fileChange", "changes": [], "status": "completed"}), None),
        (json!({"type": "mcpToolCall", "error": {"message": "no"}}), Some("no")),
        (json!({"type": "mcpToolCall", "error": null}), None),
        (json!({"type": "dynamicToolCall", "success": false}), Some("tool call failed")),
        (json!({"type": "dynamicToolCall", "success": true}), None),
        (json!({"type": "collabAgentToolCall", "status": "failed"}), Some("collab agent tool call failed")),
        (json!({"type": "imageGeneration", "status": "failed"}), Some("image generation failed")),
    ] {
        let mut fields = fields;
        fields["id"] = json!("i");
        let mut expected = json!({"type": "tool_result", "tool_use_id": "i"});
        if let Some(error) = error {
            expected["error"] = json!(error);
        }
        assert_eq!(item("item/completed", fields.clone()), [expected], "{fields}");
    }
}

#[test]
fn words_and_what_is_no_tool() {
    let said = item(
        "item/completed",
        json!({"type": "agentMessage", "id": "i", "text": "Done.", "phase": "final_answer"}),
    );
    assert_eq!(said, [json!({"type": "text", "text": "Done.", "phase": "final_answer"})]);
    let thought = item(
        "item/completed",
        json!({"type": "reasoning", "id": "i", "summary": ["a", "b"], "content": ["raw"]}),
    );
    assert_eq!(thought, [json!({"type": "thinking", "text": "a\nb"})]);
    assert_eq!(
        item("item/completed", json!({"type": "plan", "id": "i", "text": "p"})),
        [json!({"type": "text", "text": "p"})]
    );
    let compacted = item("item/completed", json!({"type": "contextCompaction", "id": "i"}));
    assert_eq!(compacted[0]["subtype"], "context_compaction");
    let searched = item("item/completed", json!({"type": "webSearch", "id": "i", "query": "q"}));
    assert_eq!(
        (searched.len(), &searched[0]["name"], &searched[1]["tool_use_id"]),
        (2, &json!("WebSearch"), &json!("i"))
    );
    let kept = parse(
        Generation::B,
        json!({"method": "item/started", "params": {"item": {"type": "userMessage", "id": "i"}}}),
    );
    assert_eq!(kept[0].0, "item/started");
}

#[test]
fn pieces() {
    let piece =
        |method: &str, field: &str| notification(method, json!({"itemId": "i", field: "x"})).remove(0);
    assert_eq!(piece("item/agentMessage/delta", "delta"), json!({"type": "text_delta", "text": "x"}));
    assert_eq!(
        piece("item/reasoning/summaryTextDelta", "delta"),
        json!({"type": "thinking_delta", "text": "x"})
    );
    let output = json!({"type": "tool_output_delta", "tool_use_id": "i", "delta": "x"});
    assert_eq!(piece("item/commandExecution/outputDelta", "delta"), output);
    assert_eq!(piece("item/mcpToolCall/progress", "message"), output);
}

#[test]
fn a_widget_is_shown_and_one_that_is_too_large_is_not() {
    let widget = |code: &str| {
        let arguments = json!({"title": "T", "widget_code": code});
        item(
            "item/started",
            json!({"type": "mcpToolCall", "id": "i", "tool": "show_widget", "arguments": arguments}),
        )
        .remove(0)
    };
    assert_eq!(widget("<b>"), json!({"type": "widget", "id": "i", "title": "T", "html": "<b>"}));
    assert!(widget(&"x".repeat((256 << 10) + 1))["html"].as_str().unwrap().starts_with("<p>"));
}

#[test]
fn a_turn_ends_with_the_sum_of_what_its_responses_used_and_the_next_begins_anew() {
    let mut parser = Parser::of(Generation::B);
    let mut line = |line: Value| {
        let said = parser.line(&line.to_string()).unwrap();
        said.iter().map(|it| serde_json::to_value(it).unwrap()).collect::<Vec<_>>()
    };
    let used = |n: u64| json!({"method": "thread/tokenUsage/updated", "params": {"tokenUsage": {"last": {"inputTokens": n, "cachedInputTokens": 1, "outputTokens": 2, "reasoningOutputTokens": 3}, "modelContextWindow": 1000}}});
    let ended = json!({"method": "turn/completed", "params": {"turn": {"status": "completed"}}});
    let usage = line(used(10)).remove(0);
    let tokens = json!({"input_tokens": 10, "output_tokens": 2, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 1, "reasoning_output_tokens": 3});
    assert_eq!(usage, json!({"type": "usage", "usage": tokens, "context_window": 1000}));
    line(used(5));
    let result = line(ended.clone()).remove(0);
    assert_eq!(
        (&result["usage"]["input_tokens"], &result["usage"]["reasoning_output_tokens"]),
        (&json!(15), &json!(6))
    );
    assert_eq!(line(ended).remove(0)["usage"]["input_tokens"], 0);
}

#[test]
fn errors_that_are_tried_again_are_not_told_and_others_end_the_turn() {
    assert_eq!(
        notification("error", json!({"error": {"message": "x"}, "willRetry": true})),
        Vec::<Value>::new()
    );
    let fatal = notification("error", json!({"error": {"message": "x"}, "willRetry": false}));
    assert_eq!((&fatal[0]["is_error"], &fatal[0]["result"]), (&json!(true), &json!("x")));
    for status in ["failed", "interrupted"] {
        let ended = notification("turn/completed", json!({"turn": {"status": status, "error": null}}));
        assert_eq!((&ended[0]["is_error"], &ended[0]["result"]), (&json!(true), &json!("")));
    }
}

#[test]
fn a_session_of_ours_has_the_kinds_of_a_stream_of_theirs() {
    let mut speaker = Speaker::of(Generation::B);
    let script = Script::of_everything();
    let said: Vec<_> = script.0.iter().flat_map(|event| speaker.hear(event)).collect();
    let kinds: Vec<_> = said
        .iter()
        .map(|it| it.message.kind.to_string())
        .filter(|kind| kind != "system" && !kind.starts_with("item/"))
        .collect();
    assert_eq!(
        kinds,
        [
            "init",
            "thinking_delta",
            "thinking",
            "tool_use",
            "tool_output_delta",
            "tool_result",
            "tool_use",
            "tool_result",
            "caic_diff_stat",
            "tool_use",
            "tool_result",
            "text_delta",
            "text_delta",
            "text",
            "usage",
            "result",
        ]
    );
    let result = said.iter().find(|it| it.message.kind == "result").unwrap();
    let result = serde_json::to_value(&result.message).unwrap();
    assert_eq!((&result["usage"]["input_tokens"], &result["is_error"]), (&json!(100), &json!(false)));
}

#[test]
fn one_that_hears_on_says_what_one_says_that_heard_everything() {
    let script = Script::of_everything();
    for generation in [Generation::A, Generation::B] {
        let mut whole = Speaker::of(generation);
        let all: Vec<_> = script.0.iter().flat_map(|event| whole.hear(event)).collect();
        for at in 0..=script.0.len() {
            let mut speaker = Speaker::of(generation);
            let (before, after) = script.0.split_at(at);
            before.iter().for_each(|event| drop(speaker.hear(event)));
            let said: Vec<_> = after.iter().flat_map(|event| speaker.hear(event)).collect();
            let rest = all.iter().filter(|said| selvedge_dialects::event_of(said.seq) > at as u64);
            assert_eq!(said, rest.cloned().collect::<Vec<_>>(), "from {at}");
        }
    }
}
