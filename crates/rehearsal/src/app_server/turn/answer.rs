//! A structured answer: the scenario's, or one made to fit the turn's schema.

use serde_json::{Map, Value, json};

use super::{Played, Playing};
use crate::scenario::{Answer, Say};

impl Playing {
    pub(super) async fn answer(&mut self, answer: &Answer) -> Played {
        let made = || self.output_schema.as_ref().map_or_else(|| json!({}), example);
        let value = answer.json.clone().unwrap_or_else(made);
        self.say(&Say { text: value.to_string(), ..Say::default() }).await
    }
}

/// The plainest value that fits a schema: first enum value, empty list, 0, "".
fn example(schema: &Value) -> Value {
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(first) = ["anyOf", "oneOf"].iter().find_map(|kind| schema[*kind].get(0)) {
        return example(first);
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"].get(0).and_then(Value::as_str));
    match kind {
        Some("array") => json!([]),
        Some("string") => json!(""),
        Some("integer" | "number") => json!(0),
        Some("boolean") => json!(false),
        Some("null") => Value::Null,
        _ => example_object(schema),
    }
}

fn example_object(schema: &Value) -> Value {
    let Some(properties) = schema["properties"].as_object() else { return json!({}) };
    let fields = properties.iter().map(|(name, schema)| (name.clone(), example(schema)));
    Value::Object(fields.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_fits_its_schema() {
        let schema = json!({ "type": "object", "properties": {
            "kind": { "enum": ["a", "b"] }, "list": { "type": "array" }, "maybe": { "type": ["string", "null"] },
            "ok": { "type": "boolean" }, "many": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
        } });
        assert_eq!(example(&schema), json!({ "kind": "a", "list": [], "maybe": "", "ok": false, "many": 0 }));
    }
}
