//! A speaker on a stage: short words for what happens, and what a browser is told of it.

use selvedge_dialects::{
    Numbered,
    companion::{Message, Speaker},
};
use selvedge_session::Event;
use serde_json::{Value, json};

/// The session everything happens in.
pub(crate) const SESSION: &str = "01a1e353-0000-7000-8000-000000000001";
/// When event 0 would have been; each next one is a second later.
const BEGAN: i64 = 1_794_815_247_000;

#[derive(Default)]
pub(crate) struct Stage {
    pub(crate) events: Vec<Event>,
    pub(crate) speaker: Speaker,
    pub(crate) told: Vec<Numbered<Message>>,
}

impl Stage {
    /// With a session that was made and runs a turn; none of that is told again.
    pub(crate) fn running() -> Self {
        let mut stage = Self::default();
        stage.happens("session.created", json!({"cwd": "/w", "model": "m", "permission_mode": "default"}));
        stage.state("idle", "starting");
        stage.happens("message.accepted", message(1));
        stage.state("running", "idle");
        stage.in_turn("turn.started", json!({"message_ids": [id(1)]}));
        stage
    }

    pub(crate) fn state(&mut self, state: &str, previous: &str) -> Vec<Value> {
        self.happens("session.state", json!({"state": state, "previous": previous}))
    }

    /// An event of the session as a whole.
    pub(crate) fn happens(&mut self, kind: &str, data: Value) -> Vec<Value> {
        self.event(json!({"type": kind, "data": data}))
    }

    /// An event of turn `t`.
    pub(crate) fn in_turn(&mut self, kind: &str, data: Value) -> Vec<Value> {
        self.event(json!({"type": kind, "data": data, "turn_id": "t"}))
    }

    pub(crate) fn started(&mut self, item: Value) -> Vec<Value> {
        self.of_item("item.started", item)
    }

    pub(crate) fn completed(&mut self, item: Value) -> Vec<Value> {
        self.of_item("item.completed", item)
    }

    fn of_item(&mut self, kind: &str, item: Value) -> Vec<Value> {
        let id = item["id"].clone();
        self.event(json!({"type": kind, "data": {"item": item}, "turn_id": "t", "item_id": id}))
    }

    pub(crate) fn delta(&mut self, item: &str, kind: &str, delta: &str) -> Vec<Value> {
        let data = json!({"kind": kind, "delta": delta});
        self.event(json!({"type": "item.delta", "data": data, "turn_id": "t", "item_id": item}))
    }

    /// An event with these fields beside those that each has; what is told of it.
    pub(crate) fn event(&mut self, mut fields: Value) -> Vec<Value> {
        let seq = self.events.len() + 1;
        fields["seq"] = json!(seq);
        fields["session_id"] = json!(SESSION);
        fields["at"] = serde_json::to_value(selvedge_session::Timestamp(at(seq))).unwrap();
        let event: Event = serde_json::from_value(fields).unwrap();
        let told = self.speaker.hear(&event);
        self.events.push(event);
        self.told.extend(told.iter().cloned());
        told.iter().map(|told| serde_json::to_value(&told.message).unwrap()).collect()
    }
}

/// When an event happened.
pub(crate) fn at(seq: usize) -> i64 {
    BEGAN + 1000 * i64::try_from(seq).unwrap()
}

pub(crate) fn id(n: u32) -> String {
    format!("01a1e353-0000-7000-8000-0000000001{n:02}")
}

pub(crate) fn message(n: u32) -> Value {
    let input = json!([{"type": "text", "text": "Do it"}]);
    json!({"message_id": id(n), "input": input, "busy_policy": "queue", "position": 0})
}

/// A stream event, as it is told.
pub(crate) fn stream(event: Value) -> Value {
    json!({"type": "stream_event", "event": event, "parent_tool_use_id": null})
}

/// An assistant's message with one block, told at an event.
pub(crate) fn assistant(id: &str, block: Value, stop: Option<&str>, seq: usize) -> Value {
    let mut message = begun(id);
    message["content"] = json!([block]);
    message["stop_reason"] = json!(stop);
    json!({"type": "assistant", "message": message, "parent_tool_use_id": null, "timestamp": at(seq)})
}

/// A message that has just begun.
pub(crate) fn begun(id: &str) -> Value {
    json!({
        "id": id, "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": null,
        "usage": {
            "input_tokens": 0, "output_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0
        },
    })
}

/// How a tool is shown that begins.
pub(crate) fn tool_start(id: &str, name: &str) -> Value {
    let block = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
    stream(json!({"type": "content_block_start", "index": 0, "content_block": block}))
}

/// What is told of a tool, without what is the same for all.
pub(crate) fn blocks(told: &[Value]) -> Vec<Value> {
    let assistants = told.iter().filter(|told| told["type"] == "assistant");
    assistants.flat_map(|told| told["message"]["content"].as_array().unwrap().clone()).collect()
}
