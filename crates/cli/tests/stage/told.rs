//! What events tell, without what is different each time: ids, times, and how deltas were joined.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// What differs between a run and its replay by right.
const PASSING: [&str; 6] =
    ["message_id", "message_ids", "approval_id", "tool_call_id", "duration_ms", "sender"];

/// From the first message on to the end of the last, in order; deltas joined by item, notices apart.
#[derive(Debug, PartialEq)]
pub struct Told {
    pub events: Vec<(String, Value)>,
    pub deltas: BTreeMap<String, String>,
    pub notices: Vec<String>,
}

impl Told {
    pub fn by(events: &[Value]) -> Self {
        let mut told = Self { events: Vec::new(), deltas: BTreeMap::new(), notices: Vec::new() };
        let first = events.iter().position(|event| event["type"] == "message.accepted").unwrap();
        let last = events.iter().rposition(|event| event["type"] == "message.finished").unwrap();
        for event in &events[first..=last] {
            let kind = event["type"].as_str().unwrap();
            let data = &event["data"];
            match kind {
                "item.delta" => {
                    let piece = data["delta"].as_str().unwrap();
                    told.deltas
                        .entry(format!("{} {}", event["item_id"], data["kind"]))
                        .or_default()
                        .push_str(piece);
                }
                // What is said of a whole process reaches the sessions that sit there in that moment.
                "codex.notice" if data["params"].get("threadId").is_none() => {}
                "codex.notice" => told.notices.push(data["method"].as_str().unwrap().to_owned()),
                _ => told.events.push((kind.to_owned(), clean(data))),
            }
        }
        told.notices.sort();
        told
    }
}

fn clean(data: &Value) -> Value {
    match data {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !PASSING.contains(&name.as_str()));
            // A user message in Codex's history has our id of it.
            let kept = kept.filter(|(name, _)| *name != "clientId");
            kept.map(|(name, value)| (name.clone(), clean(value))).collect()
        }
        Value::Array(values) => values.iter().map(clean).collect(),
        other => json!(other),
    }
}
