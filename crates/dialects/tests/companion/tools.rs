//! Tools: how each item is used and what it gave.

use serde_json::{Value, json};

use crate::stage::{Stage, assistant, blocks, tool_start};

#[test]
fn a_command_is_bash() {
    let mut stage = Stage::running();
    let said = stage
        .started(json!({"type": "commandExecution", "id": "c1", "command": "ls -l", "status": "inProgress"}));
    let used = json!({"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "ls -l"}});
    assert_eq!(said, [tool_start("c1", "Bash"), assistant("codex-tool_use-c1", used, None, 6)]);
    let said = stage.delta("c1", "output", "a\n");
    assert_eq!(
        said,
        [
            json!({"type": "tool_progress", "tool_use_id": "c1", "tool_name": "Bash", "elapsed_time_seconds": 1})
        ]
    );
    let item = json!({"type": "commandExecution", "id": "c1", "command": "ls -l", "status": "completed",
        "aggregatedOutput": "a\nb\n", "exitCode": 0, "durationMs": 5});
    let gave = json!({"type": "tool_result", "tool_use_id": "c1", "content": "a\nb", "is_error": false});
    assert_eq!(stage.completed(item), [assistant("codex-tool_result-c1", gave, None, 8)]);
}

/// What is told of an item that is only heard to end: its use, and what it gave.
fn whole(item: Value) -> Vec<Value> {
    blocks(&Stage::running().completed(item))
}

#[test]
fn a_commands_result_is_its_output_how_it_ended_and_how_long_it_took() {
    let command = |fields: Value| {
        let mut item = json!({"type": "commandExecution", "id": "c", "command": "x", "status": "completed"});
        item.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        whole(item).get(1).map(|gave| (gave["content"].clone(), gave["is_error"].clone()))
    };
    for (fields, expected) in [
        (json!({"aggregatedOutput": "out\n", "exitCode": 0}), Some(("out", false))),
        (json!({"aggregatedOutput": "", "exitCode": 0}), None),
        (json!({"aggregatedOutput": null, "exitCode": null}), None),
        (json!({"aggregatedOutput": "", "exitCode": 2, "status": "failed"}), Some(("Exit code: 2", true))),
        (json!({"aggregatedOutput": "no\n", "exitCode": 2}), Some(("no\nExit code: 2", true))),
        (json!({"status": "declined"}), Some(("declined", true))),
        (json!({"aggregatedOutput": "o", "exitCode": 0, "durationMs": 99}), Some(("o", false))),
        (json!({"aggregatedOutput": "o", "exitCode": 0, "durationMs": 450}), Some(("o\n(450ms)", false))),
        (json!({"aggregatedOutput": "o", "exitCode": 0, "durationMs": 1234}), Some(("o\n(1.2s)", false))),
    ] {
        let expected = expected.map(|(content, is_error)| (json!(content), json!(is_error)));
        assert_eq!(command(fields.clone()), expected, "{fields}");
    }
}

#[test]
fn words_of_a_command_are_joined() {
    let used = whole(json!({"type": "commandExecution", "id": "c", "command": ["git", "status"]}));
    assert_eq!(used[0]["input"]["command"], "git status");
}

#[test]
fn a_new_file_is_written_and_an_old_one_edited_with_its_diff() {
    let changes = json!([{"path": "/w/a", "kind": {"type": "add"}, "diff": "x\n"}, {"path": "/w/b", "kind": {"type": "delete"}, "diff": ""}]);
    let told = whole(json!({"type": "fileChange", "id": "f", "changes": changes, "status": "completed"}));
    let input = json!({"file_path": "/w/a", "changes": [
        {"path": "/w/a", "kind": "add", "diff": "x\n"}, {"path": "/w/b", "kind": "delete"}]});
    assert_eq!(told[0], json!({"type": "tool_use", "id": "f", "name": "Write", "input": input}));
    let gave = json!({"type": "tool_result", "tool_use_id": "f", "content": "add: /w/a\ndelete: /w/b", "is_error": false});
    assert_eq!(told[1], gave);
    let update = json!([{"path": "/w/a", "kind": {"type": "update", "move_path": null}, "diff": "@@"}]);
    let told = whole(json!({"type": "fileChange", "id": "f", "changes": update, "status": "declined"}));
    assert_eq!((&told[0]["name"], &told[1]["is_error"]), (&json!("Edit"), &json!(true)));
    let told = whole(json!({"type": "fileChange", "id": "f", "changes": [], "status": "completed"}));
    assert_eq!(told[1]["content"], "File changes applied");
}

#[test]
fn each_kind_of_item_has_its_tool_and_what_it_gave() {
    let cases = [
        (
            json!({"type": "mcpToolCall", "server": "s", "tool": "t", "arguments": {"a": 1}, "status": "completed",
                "result": {"content": [{"type": "text", "text": "got"}]}}),
            ("mcp:s:t", json!({"a": 1}), "got", false),
        ),
        (
            json!({"type": "mcpToolCall", "server": "s", "tool": "t", "arguments": null, "status": "failed",
                "error": {"message": "broken"}}),
            ("mcp:s:t", json!({}), "broken", true),
        ),
        (
            json!({"type": "mcpToolCall", "server": "s", "tool": "t", "arguments": [1], "status": "completed"}),
            ("mcp:s:t", json!({"arguments": [1]}), "MCP tool call completed", false),
        ),
        (
            json!({"type": "dynamicToolCall", "tool": "look", "arguments": {"id": 1}, "success": true,
                "contentItems": [{"type": "inputText", "text": "seen"}]}),
            ("dynamic:look", json!({"id": 1}), "seen", false),
        ),
        (
            json!({"type": "dynamicToolCall", "tool": "look", "arguments": {}, "success": false, "contentItems": null}),
            ("dynamic:look", json!({}), "Tool call completed", true),
        ),
        (
            json!({"type": "webSearch", "query": "rust", "action": {"type": "open", "url": "https://e.example"}}),
            ("WebSearch", json!({"query": "rust"}), "https://e.example", false),
        ),
        (
            json!({"type": "webSearch", "query": "", "action": {"type": "search", "query": "rust"}}),
            ("WebSearch", json!({"query": "rust"}), "rust", false),
        ),
        (json!({"type": "webSearch"}), ("WebSearch", json!({"query": ""}), "Web search completed", false)),
        (
            json!({"type": "imageView", "path": "/w/a.png"}),
            ("ViewImage", json!({"file_path": "/w/a.png"}), "/w/a.png", false),
        ),
        (
            json!({"type": "imageGeneration", "revisedPrompt": "a cat", "status": "failed", "savedPath": null}),
            ("ImageGeneration", json!({"prompt": "a cat"}), "Image generated", true),
        ),
        (
            json!({"type": "ofTomorrow", "depth": 3, "status": "completed", "none": null}),
            ("codex:ofTomorrow", json!({"depth": 3}), "completed", false),
        ),
    ];
    for (mut item, (name, input, content, is_error)) in cases {
        item["id"] = json!("i");
        let told = whole(item.clone());
        assert_eq!(told[0], json!({"type": "tool_use", "id": "i", "name": name, "input": input}), "{item}");
        let gave =
            json!({"type": "tool_result", "tool_use_id": "i", "content": content, "is_error": is_error});
        assert_eq!(told[1], gave, "{item}");
    }
}

#[test]
fn a_tool_is_told_once_however_its_item_comes() {
    let item = json!({"type": "mcpToolCall", "id": "x", "server": "s", "tool": "t", "arguments": {}, "status": "completed"});
    let mut both = Stage::running();
    let started = both.started(item.clone());
    let ended = both.completed(item.clone());
    let mut end_only = Stage::running();
    let backfilled = end_only.completed(item);
    assert_eq!(blocks(&started).len() + blocks(&ended).len(), 2);
    assert_eq!(blocks(&[started, ended].concat()), blocks(&backfilled), "the same, told at once");
    assert_eq!(backfilled[0], tool_start("x", "mcp:s:t"), "and with its beginning");
}

#[test]
fn a_search_is_told_when_it_is_known_what_for() {
    let mut stage = Stage::running();
    assert_eq!(stage.started(json!({"type": "webSearch", "id": "w", "query": ""})), Vec::<Value>::new());
    let told = blocks(&stage.completed(json!({"type": "webSearch", "id": "w", "query": "rust"})));
    assert_eq!(told[0]["input"]["query"], "rust");
    let told = blocks(&stage.started(json!({"type": "webSearch", "id": "v", "query": "go"})));
    assert_eq!(told[0]["input"]["query"], "go");
}

#[test]
fn an_mcp_call_that_is_at_work_and_a_terminal_that_is_used_are_progress() {
    let mut stage = Stage::running();
    stage.started(json!({"type": "mcpToolCall", "id": "x", "server": "s", "tool": "t", "arguments": {}}));
    for method in ["item/mcpToolCall/progress", "item/commandExecution/terminalInteraction"] {
        let said = stage.in_turn("codex.notice", json!({"method": method, "params": {"itemId": "x"}}));
        assert_eq!((&said[0]["type"], &said[0]["tool_name"]), (&json!("tool_progress"), &json!("mcp:s:t")));
    }
}
