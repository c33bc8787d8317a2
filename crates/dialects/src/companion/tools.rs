//! Items as tools that a browser knows: a name, what it was used with, what it gave.

use serde_json::{Value, json};

use crate::item::Item;

/// A tool that was used.
pub(super) struct Use {
    pub(super) name: String,
    pub(super) input: Value,
}

/// What a tool gave.
pub(super) struct Given {
    pub(super) text: String,
    pub(super) is_error: bool,
}

/// The tool that an item is; nothing of items that are told otherwise.
pub(super) fn used(item: &Item) -> Option<Use> {
    let (name, input) = match item.kind.as_str() {
        "agentMessage" | "reasoning" | "userMessage" | "plan" | "contextCompaction" | "enteredReviewMode"
        | "exitedReviewMode" | "" => return None,
        "commandExecution" => ("Bash".to_owned(), json!({"command": item.command()})),
        "fileChange" => return Some(file_change(item)),
        "mcpToolCall" => {
            (format!("mcp:{}:{}", item.text("server"), item.text("tool")), object(item.value("arguments")))
        }
        "dynamicToolCall" => (dynamic(item.text("tool")), object(item.value("arguments"))),
        "webSearch" => ("WebSearch".to_owned(), json!({"query": query(item)})),
        "collabAgentToolCall" => ("Task".to_owned(), task(item)),
        "imageView" => ("ViewImage".to_owned(), json!({"file_path": item.text("path")})),
        "imageGeneration" => ("ImageGeneration".to_owned(), json!({"prompt": item.text("revisedPrompt")})),
        // One of a later Codex is shown as what it is.
        other => (format!("codex:{other}"), item.rest()),
    };
    Some(Use { name, input })
}

/// The name of one of the session's own tools. Leaving the plan mode is one that the browser knows.
pub(super) fn dynamic(tool: &str) -> String {
    if tool == "ExitPlanMode" { tool.to_owned() } else { format!("dynamic:{tool}") }
}

/// What the tool gave; nothing of one that worked and has nothing to show.
pub(super) fn given(item: &Item) -> Option<Given> {
    let failed = item.has_failed();
    let (text, is_error) = match item.kind.as_str() {
        "commandExecution" => return command(item),
        "fileChange" => (changed(item), failed),
        "mcpToolCall" => {
            let text = item.error().map_or_else(|| item.mcp_result(), str::to_owned);
            (or(text, "MCP tool call completed"), failed || item.error().is_some())
        }
        "dynamicToolCall" => {
            let refused = item.value("success") == &Value::Bool(false);
            (or(item.tool_result(), "Tool call completed"), failed || refused)
        }
        "webSearch" => {
            let url = item.value("action")["url"].as_str().unwrap_or_default().to_owned();
            (or(or(url, &query(item)), "Web search completed"), failed)
        }
        "collabAgentToolCall" => (collab(item), failed),
        "imageView" => (or(item.text("path").to_owned(), "Image viewed"), failed),
        "imageGeneration" => (or(item.text("savedPath").to_owned(), "Image generated"), failed),
        _ => (or(item.text("status").to_owned(), "completed"), failed),
    };
    Some(Given { text, is_error })
}

fn file_change(item: &Item) -> Use {
    let changes = item.changes();
    let first = changes.first();
    let is_new = first.is_some_and(|change| change.kind == "add");
    let path = first.map(|change| change.path.clone()).unwrap_or_default();
    Use {
        name: if is_new { "Write" } else { "Edit" }.to_owned(),
        input: json!({"file_path": path, "changes": changes}),
    }
}

fn changed(item: &Item) -> String {
    let lines: Vec<_> =
        item.changes().iter().map(|change| format!("{}: {}", change.kind, change.path)).collect();
    or(lines.join("\n"), "File changes applied")
}

/// What a command wrote, how it ended if that is not plain, and how long it took if that was noticeable.
fn command(item: &Item) -> Option<Given> {
    let output = item.text("aggregatedOutput").trim_end();
    let failing = item.exit_code().filter(|code| *code != 0);
    let is_error = item.has_failed() || failing.is_some();
    if output.is_empty() && !is_error {
        return None;
    }
    let mut text = match (output.is_empty(), item.exit_code()) {
        (true, Some(code)) => format!("Exit code: {code}"),
        (true, None) => or(item.text("status").to_owned(), "failed"),
        (false, _) => output.to_owned(),
    };
    if let Some(code) = failing.filter(|_| !output.is_empty()) {
        text.push_str(&format!("\nExit code: {code}"));
    }
    if let Some(took) = item.value("durationMs").as_u64().and_then(took) {
        text.push_str(&format!("\n({took})"));
    }
    Some(Given { text, is_error })
}

/// How long it took; nothing if nobody noticed.
fn took(milliseconds: u64) -> Option<String> {
    match milliseconds {
        0..100 => None,
        100..1000 => Some(format!("{milliseconds}ms")),
        more => Some(format!("{}.{}s", more / 1000, more % 1000 / 100)),
    }
}

fn query(item: &Item) -> String {
    let action = item.value("action")["query"].as_str().unwrap_or_default();
    or(item.text("query").to_owned(), action)
}

fn task(item: &Item) -> Value {
    json!({
        "description": or(item.text("prompt").to_owned(), item.text("tool")),
        "subagent_type": or(item.text("tool").to_owned(), "codex-collab"),
        "codex_status": item.text("status"),
        "sender_thread_id": item.text("senderThreadId"),
        "receiver_thread_ids": item.receivers(),
    })
}

fn collab(item: &Item) -> String {
    let state = match item.text("status") {
        "failed" => "failed",
        "inProgress" => "running",
        _ => "completed",
    };
    let tool = or(item.text("tool").to_owned(), "codex-collab");
    format!("{tool} {state} for {} agent(s)", item.receivers().len())
}

/// A tool is used with an object; anything else is put into one.
fn object(arguments: &Value) -> Value {
    match arguments {
        Value::Object(_) => arguments.clone(),
        Value::Null => json!({}),
        other => json!({"arguments": other}),
    }
}

fn or(text: String, otherwise: &str) -> String {
    if text.is_empty() { otherwise.to_owned() } else { text }
}
