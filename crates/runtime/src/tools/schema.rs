//! Which schemas of arguments Codex cannot read. It reads what it knows of a schema, strictly, and passes over the rest.

use serde_json::Value;

/// A place in a schema, and what should stand there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// Below the schema, with a dot before each step: `.properties.id`; empty for the schema itself.
    pub(super) place: String,
    pub(super) why: &'static str,
}

/// The first such place, if there is any. The rules are those of Codex 0.166.0 and 0.120.0; what it would pass over is not
/// looked at.
pub(super) fn unreadable(schema: &Value) -> Option<Unreadable> {
    if schema["type"] == "null" {
        return Some(Unreadable { place: ".type".to_owned(), why: "arguments are never null" });
    }
    within(schema, &mut String::new())
}

fn within(schema: &Value, place: &mut String) -> Option<Unreadable> {
    let fields = match schema {
        Value::Object(fields) => fields,
        // Anything, or nothing at all.
        Value::Bool(_) => return None,
        _ => return at(place, "a schema is an object, `true` or `false`"),
    };
    fields.iter().find_map(|(name, value)| below(place, name, |place| field(name, value, place)))
}

fn field(name: &str, value: &Value, place: &mut String) -> Option<Unreadable> {
    match (name, value) {
        ("description", Value::String(_)) | ("enum", Value::Array(_)) => None,
        ("description", _) => at(place, "it is a text"),
        ("enum", _) => at(place, "it is a list of values"),
        ("required", Value::Array(names)) if names.iter().all(Value::is_string) => None,
        ("required", _) => at(place, "it is a list of names"),
        ("properties", Value::Object(all)) => {
            all.iter().find_map(|(name, schema)| below(place, name, |place| within(schema, place)))
        }
        ("properties", _) => at(place, "it has a schema for each name"),
        ("anyOf" | "oneOf" | "allOf", Value::Array(all)) => all
            .iter()
            .enumerate()
            .find_map(|(index, schema)| below(place, &index.to_string(), |place| within(schema, place))),
        ("anyOf" | "oneOf" | "allOf", _) => at(place, "it is a list of schemas"),
        ("items" | "additionalProperties", schema) => within(schema, place),
        _ => None,
    }
}

fn below<T>(place: &mut String, name: &str, look: impl FnOnce(&mut String) -> T) -> T {
    let here = place.len();
    place.push('.');
    place.push_str(name);
    let found = look(place);
    place.truncate(here);
    found
}

fn at(place: &str, why: &'static str) -> Option<Unreadable> {
    Some(Unreadable { place: place.to_owned(), why })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn place(schema: &Value) -> Option<String> {
        unreadable(schema).map(|found| found.place)
    }

    // The same cases are asked of Codex itself: `judge::schemas`.
    #[test]
    fn what_codex_reads_is_taken() {
        for schema in [
            json!({}),
            json!({"type": "object"}),
            json!({"type": 5}),
            json!({"type": "string"}),
            json!({"type": "array"}),
            json!({"type": ["object", "null"]}),
            json!({"type": "object", "properties": {"a": true, "b": {"enum": [1, "x"]}, "c": {"const": 1}}}),
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}, "required": ["zz"]}),
            json!({"oneOf": [{"type": "string"}], "$defs": 3, "title": 3}),
        ] {
            assert_eq!(place(&schema), None, "{schema}");
        }
    }

    #[test]
    fn what_codex_cannot_read_is_found_with_its_place() {
        for (schema, expected) in [
            (json!({"type": "null"}), ".type"),
            (json!({"properties": 3}), ".properties"),
            (json!({"properties": {"a": {"type": "array", "items": 3}}}), ".properties.a.items"),
            (json!({"properties": {"a": null}}), ".properties.a"),
            (json!({"properties": {"a": []}}), ".properties.a"),
            (json!({"required": 3}), ".required"),
            (json!({"required": [1]}), ".required"),
            (json!({"additionalProperties": 3}), ".additionalProperties"),
            (json!({"description": 3}), ".description"),
            (json!({"anyOf": 3}), ".anyOf"),
            (json!({"anyOf": [{}, 3]}), ".anyOf.1"),
            (json!({"enum": 3}), ".enum"),
            (json!({"type": "array", "items": [{"type": "string"}]}), ".items"),
        ] {
            assert_eq!(place(&schema).as_deref(), Some(expected), "{schema}");
        }
    }
}
