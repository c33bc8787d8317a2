//! The places in a message, as JSON pointers, in their order.

use serde_json::Value;

/// One place: its pointer, the name of the field it stands in, and what stands there.
pub(super) struct Spot<'a> {
    pub(super) path: String,
    pub(super) key: &'a str,
    pub(super) value: &'a Value,
}

/// Whose inside is not Codex's: what a model gave to a tool.
const NOT_OURS: &str = "arguments";

/// Everything in a message's parameters or result.
pub(super) fn spots(message: &Value) -> Vec<Spot<'_>> {
    let mut found = Vec::new();
    for key in ["params", "result"] {
        if let Some(value) = message.get(key) {
            visit(Spot { path: format!("/{key}"), key, value }, &mut found);
        }
    }
    found
}

fn visit<'a>(spot: Spot<'a>, found: &mut Vec<Spot<'a>>) {
    let (path, key, value) = (spot.path.clone(), spot.key, spot.value);
    found.push(spot);
    match value {
        Value::Object(fields) if key != NOT_OURS => {
            for (key, value) in fields {
                let name = key.replace('~', "~0").replace('/', "~1");
                visit(Spot { path: format!("{path}/{name}"), key, value }, found);
            }
        }
        Value::Array(list) => {
            for (number, value) in list.iter().enumerate() {
                visit(Spot { path: format!("{path}/{number}"), key, value }, found);
            }
        }
        _ => {}
    }
}
