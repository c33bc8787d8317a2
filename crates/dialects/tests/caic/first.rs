//! The first generation, from the snake_case lines of its specification and from today's wire.

use selvedge_dialects::caic::{Generation, Parser};
use serde_json::{Value, json};

use crate::parse;

fn one(line: Value) -> Value {
    let mut messages = parse(Generation::A, line);
    assert_eq!(messages.len(), 1);
    messages.remove(0).1
}

fn item(method: &str, item: Value) -> Value {
    one(json!({"jsonrpc": "2.0", "method": method, "params": {"item": item}}))
}

#[test]
fn threads_and_turns() {
    let begun = one(json!({"method": "thread/started", "params": {"thread": {"id": "0199"}}}));
    assert_eq!(
        begun,
        json!({"type": "system", "subtype": "init", "cwd": "", "session_id": "0199", "tools": [], "model": "",
        "claude_code_version": "", "uuid": ""})
    );
    let started = one(json!({"method": "turn/started", "params": {}}));
    assert_eq!(started, json!({"type": "system", "subtype": "turn_started", "session_id": "", "uuid": ""}));
    let usage = json!({"input_tokens": 24763, "cached_input_tokens": 24448, "output_tokens": 122});
    let ended =
        one(json!({"method": "turn/completed", "params": {"turn": {"status": "completed", "usage": usage}}}));
    let tokens = json!({"input_tokens": 24763, "output_tokens": 122, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 24448, "service_tier": ""});
    assert_eq!(
        (&ended["type"], &ended["subtype"], &ended["is_error"], &ended["usage"]),
        (&json!("result"), &json!("result"), &json!(false), &tokens)
    );
    let failed =
        one(json!({"method": "turn/completed", "params": {"turn": {"status": "failed", "error": "boom"}}}));
    assert_eq!((&failed["is_error"], &failed["result"]), (&json!(true), &json!("boom")));
    let failed = one(
        json!({"method": "turn/completed", "params": {"turn": {"status": "failed", "error": {"message": "boom"}}}}),
    );
    assert_eq!(failed["result"], "boom", "as today's wire says it");
}

#[test]
fn a_command_is_used_and_gives() {
    for (kind, output) in
        [("command_execution", "aggregated_output"), ("commandExecution", "aggregatedOutput")]
    {
        let used = item("item/started", json!({"id": "i1", "type": kind, "command": "bash -lc ls"}));
        let content =
            json!([{"type": "tool_use", "id": "i1", "name": "Bash", "input": {"command": "bash -lc ls"}}]);
        assert_eq!(
            (&used["type"], &used["message"]["role"], &used["message"]["content"]),
            (&json!("assistant"), &json!("assistant"), &content)
        );
        let mut done = json!({"id": "i1", "type": kind, "command": "ls"});
        done[output] = json!("docs\nsrc\n");
        let gave = item("item/completed", done);
        let expected = json!({"type": "user", "message": "docs\nsrc\n", "parent_tool_use_id": "i1", "session_id": "", "uuid": ""});
        assert_eq!(gave, expected);
    }
}

#[test]
fn words_thoughts_files_searches_and_lists() {
    let content = |message: Value| message["message"]["content"][0].clone();
    let said = content(item("item/completed", json!({"id": "i", "type": "agent_message", "text": "Done."})));
    assert_eq!(said, json!({"type": "text", "text": "Done."}));
    let thought =
        content(item("item/completed", json!({"id": "i", "type": "reasoning", "text": "**Scanning...**"})));
    assert_eq!(thought, json!({"type": "text", "text": "**Scanning...**"}));
    for (kind, name) in [("add", "Write"), ("update", "Edit")] {
        let changes = json!([{"path": "docs/foo.md", "kind": kind}]);
        let wrote =
            content(item("item/completed", json!({"id": "i", "type": "file_change", "changes": changes})));
        assert_eq!(wrote, json!({"type": "tool_use", "id": "i", "name": name, "input": changes}));
    }
    let searched = content(item("item/completed", json!({"id": "i", "type": "web_search", "query": "rust"})));
    assert_eq!((&searched["name"], &searched["input"]), (&json!("WebSearch"), &json!({"query": "rust"})));
    let items = json!([{"text": "look", "completed": true}]);
    let listed = content(item("item/completed", json!({"id": "i", "type": "todo_list", "items": items})));
    assert_eq!((&listed["name"], &listed["input"]), (&json!("TodoWrite"), &items));
}

#[test]
fn a_call_of_an_mcp_tool_is_used_and_gives_its_result_or_its_error() {
    let used = item(
        "item/started",
        json!({"id": "i", "type": "mcp_tool_call", "server": "s", "tool": "echo", "arguments": {"t": 1}}),
    );
    assert_eq!(
        used["message"]["content"][0],
        json!({"type": "tool_use", "id": "i", "name": "echo", "input": {"t": 1}})
    );
    let gave = item("item/completed", json!({"id": "i", "type": "mcp_tool_call", "result": "ok"}));
    assert_eq!((&gave["message"], &gave["parent_tool_use_id"]), (&json!("ok"), &json!("i")));
    let gave = item(
        "item/completed",
        json!({"id": "i", "type": "mcp_tool_call", "result": "ok", "error": "broken"}),
    );
    assert_eq!(gave["message"], "broken");
}

#[test]
fn what_has_no_message_is_kept_as_it_was() {
    let kinds =
        |line: Value| parse(Generation::A, line).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>();
    let line = json!({"method": "item/updated", "params": {"item": {"id": "i"}}});
    assert_eq!(parse(Generation::A, line.clone()), [("item/updated".to_owned(), line)]);
    assert_eq!(kinds(json!({"id": 1, "result": {}})), ["jsonrpc_response"]);
    assert_eq!(kinds(json!({"id": 1, "error": {"code": -1, "message": "x"}})), ["jsonrpc_response"]);
    assert_eq!(kinds(json!({"method": "of/tomorrow", "params": {}})), ["of/tomorrow"]);
    assert_eq!(kinds(json!({"type": "caic_pr", "forge_pr": 1})), ["caic_pr"]);
    let started = json!({"method": "item/started", "params": {"item": {"id": "i", "type": "agent_message"}}});
    assert_eq!(
        parse(Generation::A, started),
        [("item/started".to_owned(), json!({"item": {"id": "i", "type": "agent_message"}}))]
    );
    assert_eq!(
        kinds(
            json!({"method": "item/completed", "params": {"item": {"id": "i", "type": "error", "message": "m"}}})
        ),
        ["error"]
    );
    assert_eq!(
        kinds(json!({"type": "caic_diff_stat", "diff_stat": [{"path": "a", "added": 1, "deleted": 0}]})),
        ["caic_diff_stat"]
    );
    let error = Parser::of(Generation::A).line("no JSON").unwrap_err();
    assert!(error.to_string().starts_with("unmarshal probe: "), "{error}");
}

#[test]
fn a_piece_of_text_is_a_stream_event() {
    for id in ["item_id", "itemId"] {
        let piece = one(json!({"method": "item/agentMessage/delta", "params": {id: "i", "delta": "Done."}}));
        let event = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Done."}});
        assert_eq!(piece, json!({"type": "stream_event", "event": event}));
    }
}

/// The example of caic's own specification, line by line.
#[test]
fn a_whole_stream_has_the_kinds_that_it_has_upstream() {
    let lines = [
        r#"{"jsonrpc":"2.0","method":"thread/started","params":{"thread":{"id":"0199a213-81c0-7800-8aa1-bbab2a035a53"}}}"#,
        r#"{"jsonrpc":"2.0","method":"turn/started","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"item/completed","params":{"item":{"id":"item_0","type":"reasoning","text":"**Scanning...**","status":"completed"}}}"#,
        r#"{"jsonrpc":"2.0","method":"item/started","params":{"item":{"id":"item_1","type":"command_execution","command":"bash -lc ls","aggregated_output":"","exit_code":null,"status":"in_progress"}}}"#,
        r#"{"jsonrpc":"2.0","method":"item/completed","params":{"item":{"id":"item_1","type":"command_execution","command":"bash -lc ls","aggregated_output":"docs\nsrc\n","exit_code":0,"status":"completed"}}}"#,
        r#"{"jsonrpc":"2.0","method":"item/agentMessage/delta","params":{"item_id":"item_3","delta":"Done."}}"#,
        r#"{"jsonrpc":"2.0","method":"item/completed","params":{"item":{"id":"item_4","type":"file_change","changes":[{"path":"docs/foo.md","kind":"add"}],"status":"completed"}}}"#,
        r#"{"jsonrpc":"2.0","method":"item/completed","params":{"item":{"id":"item_3","type":"agent_message","text":"Done.","status":"completed"}}}"#,
        r#"{"jsonrpc":"2.0","method":"turn/completed","params":{"turn":{"status":"completed","usage":{"input_tokens":24763,"cached_input_tokens":24448,"output_tokens":122}}}}"#,
    ];
    let kinds = |generation: Generation| {
        let mut parser = Parser::of(generation);
        lines
            .iter()
            .flat_map(|line| parser.line(line).unwrap())
            .map(|it| it.kind.to_string())
            .collect::<Vec<_>>()
    };
    let first = [
        "system",
        "system",
        "assistant",
        "assistant",
        "user",
        "stream_event",
        "assistant",
        "assistant",
        "result",
    ];
    assert_eq!(kinds(Generation::A), first);
    let second =
        ["init", "thinking", "tool_use", "tool_result", "text_delta", "tool_result", "text", "result"];
    assert_eq!(kinds(Generation::B), second, "a file change that was never started has only its end");
}
