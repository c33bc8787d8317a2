//! Every item a turn shows, each made in one place so that its shape is in one place.

use serde_json::{Value, json};

use super::params::UserInput;

/// Milliseconds since 1970.
pub(super) fn now_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// An id as Codex makes them: unique, and in the order of time.
pub(super) fn new_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// An item that has begun; `completed` turns it into one that has ended.
#[derive(Debug, Clone)]
pub(super) struct Item(Value);

impl Item {
    fn new(kind: &str, id: &str, mut fields: Value) -> Self {
        fields["type"] = json!(kind);
        fields["id"] = json!(id);
        fields["startedAtMs"] = json!(now_ms());
        fields["completedAtMs"] = Value::Null;
        Self(fields)
    }

    pub(super) fn id(&self) -> &str {
        self.0["id"].as_str().unwrap_or_default()
    }

    pub(super) fn started_at_ms(&self) -> i64 {
        self.0["startedAtMs"].as_i64().unwrap_or_default()
    }

    /// Changes one field.
    pub(super) fn set(&mut self, field: &str, value: Value) {
        self.0[field] = value;
    }

    /// The item as it is now.
    pub(super) fn value(&self) -> &Value {
        &self.0
    }

    /// Ends it now.
    pub(super) fn completed(mut self) -> Value {
        self.0["completedAtMs"] = json!(now_ms());
        self.0
    }
}

pub(super) fn user_message(content: &[UserInput], client_id: Option<&str>) -> Item {
    Item::new("userMessage", &new_id(), json!({ "clientId": client_id, "content": content }))
}

pub(super) fn reasoning(id: &str) -> Item {
    Item::new("reasoning", id, json!({ "summary": [], "content": [] }))
}

pub(super) fn web_search(id: &str) -> Item {
    Item::new("webSearch", id, json!({ "query": "", "action": { "type": "other" }, "results": null }))
}

pub(super) fn agent_message(id: &str, phase: Option<&str>) -> Item {
    let fields =
        json!({ "text": "", "phase": phase, "memoryCitation": null, "delivery": null, "questions": null });
    Item::new("agentMessage", id, fields)
}

pub(super) fn command_execution(id: &str, command: &str, cwd: &str) -> Item {
    let fields = json!({
        "pluginId": null, "scriptPath": null, "command": super::command::shown(command), "cwd": cwd,
        "processId": null, "source": "agent", "status": "inProgress", "commandActions": command_actions(command),
        "aggregatedOutput": null, "exitCode": null, "durationMs": null,
    });
    Item::new("commandExecution", id, fields)
}

/// Codex reads commands; the rehearsal does not.
pub(super) fn command_actions(command: &str) -> Value {
    json!([{ "type": "unknown", "command": command }])
}

pub(super) fn file_change(id: &str, changes: &Value) -> Item {
    Item::new("fileChange", id, json!({ "changes": changes, "status": "inProgress" }))
}

pub(super) fn dynamic_tool_call(id: &str, tool: &crate::scenario::Tool) -> Item {
    let fields = json!({
        "namespace": tool.namespace, "tool": tool.name, "arguments": tool.arguments, "status": "inProgress",
        "contentItems": null, "success": null, "durationMs": null,
    });
    Item::new("dynamicToolCall", id, fields)
}

pub(super) fn context_compaction() -> Item {
    Item::new("contextCompaction", &new_id(), json!({}))
}

/// A turn's error.
pub(super) fn turn_error(message: &str, info: &Value) -> Value {
    json!({ "message": message, "codexErrorInfo": info, "additionalDetails": null, "misalignment": null })
}
