//! The words of caic's first generation, told in Codex's.

use serde_json::{Map, Value, json};

/// Item types that have another name there.
const ITEMS: [(&str, &str); 6] = [
    ("agent_message", "agentMessage"),
    ("command_execution", "commandExecution"),
    ("file_change", "fileChange"),
    ("mcp_tool_call", "mcpToolCall"),
    ("web_search", "webSearch"),
    ("reasoning", "reasoning"),
];
/// Fields of items that have another name there.
const FIELDS: [(&str, &str); 2] = [("aggregated_output", "aggregatedOutput"), ("exit_code", "exitCode")];
/// What counts the same in both.
const COUNTS: [(&str, &str); 3] = [
    ("input_tokens", "inputTokens"),
    ("cached_input_tokens", "cachedInputTokens"),
    ("output_tokens", "outputTokens"),
];

/// Where in the conversation a line stands: its notifications name neither thread nor turn.
#[derive(Default)]
pub(super) struct Early {
    thread: String,
    turns: u64,
    running: bool,
    used: u64,
}

impl Early {
    /// A line in Codex's own words; as it is, if those are what it has. Why not, if there are none.
    pub(super) fn in_codex_words(&mut self, message: Value, received: bool) -> Result<Vec<Value>, String> {
        if let Some(id) =
            message["params"]["thread"]["id"].as_str().or(message["result"]["thread"]["id"].as_str())
        {
            id.clone_into(&mut self.thread);
        }
        if !received || !is_early(&message) {
            return Ok(vec![message]);
        }
        match message["method"].as_str().unwrap_or_default() {
            "turn/started" => Ok(vec![self.started()]),
            "turn/completed" => Ok(self.completed(&message["params"]["turn"])),
            "item/agentMessage/delta" => Ok(vec![self.delta(&message["params"])]),
            method @ ("item/started" | "item/completed") => self.item(method, &message["params"]["item"]),
            other => Err(format!("`{other}` has no words in Codex")),
        }
    }

    fn started(&mut self) -> Value {
        self.turns += 1;
        self.running = true;
        let turn = json!({ "id": self.turn(), "items": [], "status": "inProgress", "error": null });
        json!({ "method": "turn/started", "params": { "threadId": self.thread, "turn": turn } })
    }

    fn completed(&mut self, turn: &Value) -> Vec<Value> {
        self.running = false;
        let error = turn["error"].as_str().map(|message| json!({ "message": message }));
        let ended = json!({ "id": self.turn(), "items": [], "status": turn["status"], "error": error });
        let completed =
            json!({ "method": "turn/completed", "params": { "threadId": self.thread, "turn": ended } });
        let usage = turn.get("usage").filter(|usage| usage.is_object()).map(|usage| self.usage(usage));
        usage.into_iter().chain([completed]).collect()
    }

    /// It is told once a turn, and not as a total.
    fn usage(&mut self, usage: &Value) -> Value {
        let mut last = Map::new();
        for (theirs, ours) in COUNTS {
            last.insert(ours.into(), json!(usage[theirs].as_u64().unwrap_or(0)));
        }
        let used =
            ["input_tokens", "output_tokens"].iter().filter_map(|key| usage[*key].as_u64()).sum::<u64>();
        self.used += used;
        last.insert("reasoningOutputTokens".into(), json!(0));
        last.insert("totalTokens".into(), json!(used));
        let mut total = last.clone();
        total.insert("totalTokens".into(), json!(self.used));
        let counted = json!({ "last": last, "total": total, "modelContextWindow": null });
        let params = json!({ "threadId": self.thread, "turnId": self.turn(), "tokenUsage": counted });
        json!({ "method": "thread/tokenUsage/updated", "params": params })
    }

    fn delta(&self, params: &Value) -> Value {
        let params = json!({
            "threadId": self.thread, "turnId": self.turn(),
            "itemId": params["item_id"], "delta": params["delta"],
        });
        json!({ "method": "item/agentMessage/delta", "params": params })
    }

    fn item(&self, method: &str, item: &Value) -> Result<Vec<Value>, String> {
        let kind = item["type"].as_str().unwrap_or_default();
        let Some((_, name)) = ITEMS.iter().find(|(theirs, _)| *theirs == kind) else {
            return Err(format!("an item `{kind}` has no words in Codex"));
        };
        let mut item = item.as_object().cloned().unwrap_or_default();
        item.insert("type".into(), json!(name));
        for (theirs, ours) in FIELDS {
            if let Some(value) = item.remove(theirs) {
                item.insert(ours.into(), value);
            }
        }
        if item.get("status").is_some_and(|status| status == "in_progress") {
            item.insert("status".into(), json!("inProgress"));
        }
        match *name {
            "reasoning" => {
                let text = item.remove("text").unwrap_or_default();
                item.insert("summary".into(), json!([text]));
            }
            "fileChange" => changes(&mut item),
            _ => {}
        }
        let params = json!({ "threadId": self.thread, "turnId": self.turn(), "item": item });
        Ok(vec![json!({ "method": method, "params": params })])
    }

    fn turn(&self) -> String {
        format!("{}-turn-{}", self.thread, self.turns)
    }
}

/// A change's kind is a word there, and an object in Codex; its diff was not told.
fn changes(item: &mut Map<String, Value>) {
    let changes = item.get_mut("changes").and_then(Value::as_array_mut);
    for change in changes.into_iter().flatten().filter_map(Value::as_object_mut) {
        if let Some(kind) = change.get("kind").and_then(Value::as_str).map(str::to_owned) {
            change.insert("kind".into(), json!({ "type": kind }));
            change.entry("diff").or_insert_with(|| json!(""));
        }
    }
}

/// Codex names the thread of everything; the early words never do.
fn is_early(message: &Value) -> bool {
    let method = message["method"].as_str().unwrap_or_default();
    let about_a_turn = method.starts_with("item/") || method.starts_with("turn/");
    about_a_turn && message.get("id").is_none() && message["params"].get("threadId").is_none()
}
