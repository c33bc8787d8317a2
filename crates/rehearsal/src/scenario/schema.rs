//! A value that fits a JSON schema, for structured answers nobody wrote down.

use serde_json::{Map, Value, json};

/// Deep enough for any real schema, and an end for one that refers to itself.
const MAX_DEPTH: usize = 24;

/// The plainest value that fits: the first enum value, the first alternative, empty texts and lists, zero.
pub fn value_for(schema: &Value) -> Value {
    build(schema, schema, 0)
}

fn build(schema: &Value, root: &Value, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return Value::Null;
    }
    if let Some(value) = given(schema) {
        return value;
    }
    if let Some(other) = referred(schema, root) {
        return build(other, root, depth + 1);
    }
    match kind(schema) {
        "object" => object(schema, root, depth),
        "array" => array(schema, root, depth),
        "string" => text(schema),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or(json!(0)),
        "boolean" => json!(false),
        _ => Value::Null,
    }
}

fn given(schema: &Value) -> Option<Value> {
    schema.get("const").or_else(|| schema.get("default")).or_else(|| schema.get("enum")?.get(0)).cloned()
}

fn referred<'s>(schema: &'s Value, root: &'s Value) -> Option<&'s Value> {
    if let Some(pointer) = schema.get("$ref").and_then(Value::as_str) {
        return root.pointer(pointer.strip_prefix('#')?);
    }
    ["anyOf", "oneOf", "allOf"].iter().find_map(|key| schema.get(key)?.get(0))
}

/// The type's name; the first of several; told by its keywords where it is not given.
fn kind(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => names.first().and_then(Value::as_str).unwrap_or("null"),
        _ if schema.get("properties").is_some() => "object",
        _ if schema.get("items").is_some() => "array",
        _ => "null",
    }
}

fn object(schema: &Value, root: &Value, depth: usize) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object);
    let fields = properties.into_iter().flatten();
    Value::Object(fields.map(|(name, of)| (name.clone(), build(of, root, depth + 1))).collect::<Map<_, _>>())
}

fn array(schema: &Value, root: &Value, depth: usize) -> Value {
    let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0).min(16);
    let of = schema.get("items").unwrap_or(&Value::Null);
    (0..least).map(|_| build(of, root, depth + 1)).collect()
}

fn text(schema: &Value) -> Value {
    let least = schema.get("minLength").and_then(Value::as_u64).unwrap_or(0).min(1024);
    json!("x".repeat(usize::try_from(least).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::value_for;

    #[test]
    fn the_plainest_value_that_fits() {
        for (schema, value) in [
            (
                json!({"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}}}),
                json!({"n": 0, "s": ""}),
            ),
            (json!({"enum": ["red", "blue"]}), json!("red")),
            (json!({"type": ["string", "null"]}), json!("")),
            (json!({"type": "array", "items": {"type": "boolean"}, "minItems": 2}), json!([false, false])),
            (json!({"$ref": "#/$defs/a", "$defs": {"a": {"const": 7}}}), json!(7)),
            (json!({"anyOf": [{"type": "number", "minimum": 3}, {"type": "null"}]}), json!(3)),
            (json!({"properties": {}}), json!({})),
        ] {
            assert_eq!(value_for(&schema), value, "{schema}");
        }
    }

    #[test]
    fn a_schema_of_itself_has_an_end() {
        let endless = json!({"$ref": "#"});
        assert_eq!(value_for(&endless), json!(null));
    }
}
