//! WINK's cases for strict schemas, and what it got wrong.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::*;
use crate::schema::of;

#[expect(clippy::needless_pass_by_value, reason = "a schema is written where it is used")]
fn strict_of(schema: Value) -> Value {
    strict(&schema).unwrap()
}

#[test]
fn sets_additional_properties_false_and_all_properties_required() {
    let made = strict_of(
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]}),
    );
    assert_eq!(
        made,
        json!({
            "type": "object", "additionalProperties": false, "required": ["a", "b"],
            "properties": {"a": {"type": "string"}, "b": {"type": ["integer", "null"]}},
        })
    );
}

#[test]
fn nested_objects_array_items_and_choices_are_strict_too() {
    let inner = json!({"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]});
    let closed = strict_of(inner.clone());
    let wrapped = |schema: Value| {
        strict_of(json!({"type": "object", "properties": {"in": schema}, "required": ["in"]}))["properties"]["in"].take()
    };
    assert_eq!(wrapped(inner.clone()), closed);
    assert_eq!(wrapped(json!({"type": "array", "items": inner}))["items"], closed);
    assert_eq!(
        wrapped(json!({"type": "array", "items": {"type": "array", "items": inner}}))["items"]["items"],
        closed
    );
    assert_eq!(wrapped(json!({"anyOf": [inner, {"type": "null"}]}))["anyOf"][0], closed);
    // A model's side knows no `oneOf`.
    assert_eq!(wrapped(json!({"oneOf": [inner]})), json!({"anyOf": [closed]}));
    let with_definitions = strict_of(
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "required": ["a"], "$defs": {"A": inner}}),
    );
    assert_eq!(with_definitions["$defs"]["A"], closed);
}

#[test]
fn non_object_unchanged_and_object_without_properties_closed() {
    assert_eq!(strict_of(json!({"type": "string"})), json!({"type": "string"}));
    assert_eq!(
        strict_of(json!({"type": "object"})),
        json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false})
    );
}

#[test]
fn preserves_what_a_model_is_told_and_drops_what_is_not_known_there() {
    let made = strict_of(json!({
        "type": "string", "title": "T", "description": "d", "pattern": "^a", "format": "uuid",
        "minLength": 1, "default": "x", "$schema": "s", "examples": [],
    }));
    assert_eq!(
        made,
        json!({"type": "string", "title": "T", "description": "d", "pattern": "^a", "format": "uuid"})
    );
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Optional {
    number: Option<u32>,
    #[serde(default)]
    flag: bool,
    choice: Option<Colour>,
    next: Option<Box<Optional>>,
}

#[derive(Deserialize, JsonSchema)]
enum Colour {
    Red,
    Green,
}

#[test]
fn what_may_be_missing_is_nullable() {
    let made = strict_of(of::<Optional>());
    let properties = &made["properties"];
    assert_eq!(made["required"], json!(["choice", "flag", "next", "number"]));
    assert_eq!(properties["number"]["type"], json!(["integer", "null"]));
    assert_eq!(properties["flag"]["type"], json!(["boolean", "null"]));
    assert_eq!(properties["choice"], json!({"type": ["string", "null"], "enum": ["Red", "Green", null]}));
    assert_eq!(properties["next"], json!({"anyOf": [{"$ref": "#"}, {"type": "null"}]}));
}

#[test]
fn what_cannot_be_strict_is_refused_with_its_place() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Holds<T> {
        inner: Vec<T>,
    }
    let refused = |schema: Value| strict(&schema).unwrap_err().to_string();
    assert!(refused(of::<Holds<BTreeMap<String, u32>>>()).starts_with("inner[] is a map\nhint: "));
    assert!(refused(of::<Holds<Value>>()).starts_with("inner[] is any value at all\n"));
    assert!(refused(of::<Holds<(u32, String)>>()).starts_with("inner[] is a tuple\n"));
    assert!(refused(of::<BTreeMap<String, u32>>()).starts_with("the output type is a map\n"));
}
