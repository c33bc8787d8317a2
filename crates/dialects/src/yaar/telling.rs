//! Items and questions in YAAR's words.

use selvedge_session::data::{ApprovalKind, ApprovalRequested};
use serde_json::{Value, json};

use super::speaker::{StreamMessage, Telling, said};
use crate::item::{Item, words};

/// The tool that an item is, and what it is used with.
fn tool(telling: Telling, item: &Item) -> Option<(String, Value)> {
    let (server, name) = (item.text("server"), item.text("tool"));
    Some(match (item.kind.as_str(), telling) {
        ("mcpToolCall", _) => (format!("{server}:{name}"), item.value("arguments").clone()),
        ("commandExecution", _) => ("command".to_owned(), json!({"command": item.command()})),
        (_, Telling::Seed) => return None,
        ("webSearch", _) => ("web_search".to_owned(), json!({"query": item.text("query")})),
        ("collabAgentToolCall", _) => {
            (format!("collab:{name}"), json!({"prompt": item.text("prompt"), "agents": item.receivers()}))
        }
        ("fileChange", _) => ("file_change".to_owned(), json!({"changes": item.changes()})),
        ("dynamicToolCall", _) => (name.to_owned(), item.value("arguments").clone()),
        _ => return None,
    })
}

pub(super) fn used(telling: Telling, item: &Item) -> Option<StreamMessage> {
    let (name, input) = tool(telling, item)?;
    Some(StreamMessage {
        kind: "tool_use",
        tool_name: Some(name),
        tool_input: Some(input),
        tool_use_id: id(telling, item),
        ..StreamMessage::default()
    })
}

/// In its first guide's telling tools have no ids.
fn id(telling: Telling, item: &Item) -> Option<String> {
    (telling == Telling::Head).then(|| item.id.clone())
}

pub(super) fn given(telling: Telling, item: &Item) -> Vec<StreamMessage> {
    let Some((name, _)) = tool(telling, item) else { return Vec::new() };
    let (content, is_error) = match item.kind.as_str() {
        "mcpToolCall" => match item.error() {
            Some(error) => (format!("Error: {error}"), true),
            None => (or(item.mcp_result(), "Tool completed"), item.has_failed()),
        },
        "commandExecution" => {
            (command(item), item.has_failed() || item.exit_code().is_some_and(|code| code != 0))
        }
        "webSearch" => (search(item), item.has_failed()),
        "collabAgentToolCall" => (agents(item), item.has_failed()),
        "fileChange" => (changed(item), item.has_failed()),
        _ => {
            let refused = item.value("success") == &Value::Bool(false);
            (or(item.tool_result(), "Tool completed"), refused || item.has_failed())
        }
    };
    vec![StreamMessage {
        tool_name: Some(name),
        tool_use_id: id(telling, item),
        is_error: is_error.then_some(true),
        ..said("tool_result", &content)
    }]
}

fn command(item: &Item) -> String {
    let output = item.text("aggregatedOutput").trim_end();
    let code = item.exit_code().filter(|code| *code != 0).map(|code| format!("[exit code: {code}]"));
    let parts = [format!("$ {}", item.command()), output.to_owned(), code.unwrap_or_default()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

fn search(item: &Item) -> String {
    let action = item.value("action");
    let found = action["url"].as_str().or(action["query"].as_str()).unwrap_or("done");
    format!("{} → {found}", item.text("query"))
}

fn agents(item: &Item) -> String {
    let states = item.value("agentsStates").as_object().into_iter().flatten();
    let told = states.map(|(agent, state)| {
        let message = state["message"].as_str().map(|message| format!(": {message}")).unwrap_or_default();
        format!("{agent} {}{message}", state["status"].as_str().unwrap_or("unknown"))
    });
    or(told.collect::<Vec<_>>().join("\n"), "Tool completed")
}

fn changed(item: &Item) -> String {
    let lines = item.changes().into_iter().map(|change| format!("{}: {}", change.kind, change.path));
    or(lines.collect::<Vec<_>>().join("\n"), "Tool completed")
}

/// A question. YAAR's head asks about commands and file changes alone and fails the rest; here each waits for somebody.
pub(super) fn asked(it: &ApprovalRequested) -> StreamMessage {
    let request: Value = serde_json::from_str(it.request.text()).unwrap_or_default();
    let title = match it.kind {
        ApprovalKind::Command => "Command Execution",
        ApprovalKind::FileChange => "File Change",
        ApprovalKind::Permissions => "Permissions",
        ApprovalKind::UserInput => "Questions",
        ApprovalKind::Elicitation => "MCP Server",
    };
    let text = |key: &str| request[key].as_str().unwrap_or_default().to_owned();
    let about = [words(&request["command"]), text("reason"), text("message")];
    let about = about.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    StreamMessage {
        tool_name: Some(title.to_owned()),
        tool_input: Some(request),
        dialog_id: Some(it.approval_id.to_string()),
        ..said("approval_request", &about)
    }
}

fn or(text: String, otherwise: &str) -> String {
    if text.is_empty() { otherwise.to_owned() } else { text }
}
