//! What Codex did with tools of its own: commands, file changes, calls of MCP servers, searches of the web.

use selvedge_runtime::session::data::ItemData;
use serde_json::{Value, json};

use crate::events::{ToolFailure, ToolOutcome};

/// A call of one of Codex's own tools that has ended.
#[derive(Debug, PartialEq)]
pub(super) struct Native {
    pub(super) name: String,
    pub(super) params: Value,
    pub(super) result: ToolOutcome,
    pub(super) output: String,
    pub(super) call_id: Option<String>,
}

impl Native {
    /// What an item tells; nothing, if it is no call of a tool of Codex's.
    pub(super) fn of(data: &ItemData) -> Option<Self> {
        let item: Value = serde_json::from_str(data.item.text()).ok()?;
        let (name, params, output) = match item["type"].as_str()? {
            "commandExecution" => command(&item),
            "fileChange" => file_change(&item),
            "mcpToolCall" => mcp_call(&item),
            "webSearch" => ("codex:web_search".to_owned(), json!({"query": item["query"]}), String::new()),
            _ => return None,
        };
        let result = outcome(&item, data.closed.is_some());
        let output = if output.is_empty() && !result.success { unsaid(&item, data) } else { output };
        Some(Self { name, params, result, output, call_id: item["id"].as_str().map(str::to_owned) })
    }
}

fn command(item: &Value) -> (String, Value, String) {
    let params = json!({"command": item["command"], "cwd": item["cwd"]});
    ("codex:command".to_owned(), params, text(&item["aggregatedOutput"]))
}

fn file_change(item: &Value) -> (String, Value, String) {
    let changes = item["changes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let paths: Vec<&str> = changes.iter().filter_map(|change| change["path"].as_str()).collect();
    ("codex:file_change".to_owned(), json!({"paths": paths}), paths.join("\n"))
}

fn mcp_call(item: &Value) -> (String, Value, String) {
    let params = json!({"server": item["server"], "tool": item["tool"], "arguments": item["arguments"]});
    let parts = item["result"]["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let said: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
    let output = if said.is_empty() { text(&item["error"]["message"]) } else { said.join("\n") };
    (format!("codex:mcp:{}", text(&item["tool"])), params, output)
}

/// A command succeeds with the exit code 0 only, everything else with its status; what we had to close did not.
fn outcome(item: &Value, closed: bool) -> ToolOutcome {
    let status = item["status"].as_str().unwrap_or("completed");
    let exit_code = item["exitCode"].as_i64();
    let is_command = item["type"] == "commandExecution";
    let success = !closed && status == "completed" && (!is_command || exit_code == Some(0));
    let failure = match status {
        _ if success => None,
        "declined" => Some(ToolFailure::Denied),
        _ if closed => Some(ToolFailure::Cancelled),
        _ => Some(ToolFailure::Failed),
    };
    ToolOutcome { success, value: exit_code.map(|code| json!({"exit_code": code})), failure }
}

/// What is said of a call that failed without words.
fn unsaid(item: &Value, data: &ItemData) -> String {
    let status = data.closed.as_deref().or(item["status"].as_str());
    format!("Item {}", status.unwrap_or("failed"))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn native(item: Value) -> Native {
        Native::of(&ItemData { item: item.into(), closed: None }).unwrap()
    }

    fn ended(item: Value) -> (String, bool, Option<ToolFailure>, String) {
        let native = native(item);
        (native.name, native.result.success, native.result.failure, native.output)
    }

    #[test]
    fn a_command_succeeds_with_the_exit_code_0_only() {
        let command = |status: &str, exit_code: Value| {
            json!({"type": "commandExecution", "id": "c1", "command": "ls", "cwd": "/srv", "status": status,
                   "exitCode": exit_code, "aggregatedOutput": "a\n"})
        };
        let done = native(command("completed", json!(0)));
        assert_eq!((done.result.success, done.call_id.as_deref()), (true, Some("c1")));
        assert_eq!(done.params, json!({"command": "ls", "cwd": "/srv"}));
        assert_eq!(done.result.value, Some(json!({"exit_code": 0})));
        for (status, code, why) in [
            ("completed", json!(1), ToolFailure::Failed),
            ("completed", json!(null), ToolFailure::Failed),
            ("failed", json!(0), ToolFailure::Failed),
            ("declined", json!(null), ToolFailure::Denied),
        ] {
            assert_eq!(native(command(status, code)).result.failure, Some(why), "{status}");
        }
    }

    #[test]
    fn file_changes_mcp_calls_and_searches_are_told_too() {
        let change = json!({"type": "fileChange", "id": "f", "status": "completed",
                            "changes": [{"path": "a.rs", "kind": {"type": "add"}}, {"path": "b.rs"}]});
        assert_eq!(native(change.clone()).params, json!({"paths": ["a.rs", "b.rs"]}));
        assert_eq!(ended(change), ("codex:file_change".into(), true, None, "a.rs\nb.rs".into()));
        let call = json!({"type": "mcpToolCall", "id": "m", "server": "demo", "tool": "echo", "status": "completed",
                          "arguments": {"text": "hi"}, "result": {"content": [{"type": "text", "text": "hi"}, 7]}});
        assert_eq!(ended(call), ("codex:mcp:echo".into(), true, None, "hi".into()));
        let failed = json!({"type": "mcpToolCall", "id": "m", "server": "demo", "tool": "echo", "status": "failed",
                            "error": {"message": "no such tool"}});
        assert_eq!(
            ended(failed),
            ("codex:mcp:echo".into(), false, Some(ToolFailure::Failed), "no such tool".into())
        );
        let search = json!({"type": "webSearch", "id": "w", "query": "tokio"});
        assert_eq!(native(search.clone()).params, json!({"query": "tokio"}));
        assert_eq!(ended(search), ("codex:web_search".into(), true, None, String::new()));
    }

    #[test]
    fn what_says_nothing_and_fails_says_its_status() {
        let declined = json!({"type": "fileChange", "id": "f", "status": "declined", "changes": []});
        assert_eq!(ended(declined).3, "Item declined");
        let cut = ItemData {
            item: json!({"type": "commandExecution", "id": "c", "status": "inProgress"}).into(),
            closed: Some("interrupted".into()),
        };
        let cut = Native::of(&cut).unwrap();
        assert_eq!(
            (cut.result.failure, cut.output.as_str()),
            (Some(ToolFailure::Cancelled), "Item interrupted")
        );
    }

    #[test]
    fn words_and_calls_of_the_prompt_s_own_tools_are_told_elsewhere() {
        for kind in ["agentMessage", "reasoning", "dynamicToolCall", "somethingNew"] {
            assert_eq!(
                Native::of(&ItemData { item: json!({"type": kind, "id": "x"}).into(), closed: None }),
                None
            );
        }
    }
}
