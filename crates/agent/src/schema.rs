//! JSON schemas of Rust types: for what a tool takes, for what an answer is, and for telling what does not fit.

mod fit;
mod shape;
mod strict;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

pub(crate) use fit::{Leniency, fit};
pub(crate) use strict::strict;

/// Formats that say something to a model. schemars has others, for the width of a number.
const FORMATS: [&str; 9] =
    ["date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// The schema of a type, in one piece: Codex 0.98 passes on no references in the parameters of a tool. A type that contains itself keeps one.
pub(crate) fn of<T: JsonSchema + ?Sized>() -> Value {
    with::<T>(SchemaSettings::draft2020_12())
}

/// The same for how a type is written, where that is not how it is read.
pub(crate) fn of_written<T: JsonSchema + ?Sized>() -> Value {
    with::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn with<T: JsonSchema + ?Sized>(mut settings: SchemaSettings) -> Value {
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    visit(&mut schema, &mut |node| {
        without_number_formats(node);
        join_names(node);
    });
    schema
}

/// The schema of what a tool takes: every object is closed, as the parser closes it, and choices are `anyOf`, which more versions of Codex pass on. `()` takes nothing.
pub(crate) fn of_arguments<P: JsonSchema>() -> Value {
    let mut schema = of::<P>();
    if is_nothing(&schema) {
        return json!({"type": "object", "properties": {}, "additionalProperties": false});
    }
    visit(&mut schema, &mut |node| {
        if has_type(node, "object") {
            node.entry("properties").or_insert_with(|| json!({}));
            node.entry("additionalProperties").or_insert(Value::Bool(false));
        }
        if !node.contains_key("anyOf")
            && let Some(choices) = node.remove("oneOf")
        {
            node.insert("anyOf".to_owned(), choices);
        }
    });
    schema
}

/// Whether this is the schema of `()`.
pub(crate) fn is_nothing(schema: &Value) -> bool {
    schema.get("type").is_some_and(|it| it == "null")
}

fn has_type(node: &Map<String, Value>, name: &str) -> bool {
    match node.get("type") {
        Some(Value::Array(several)) => several.iter().any(|it| it == name),
        Some(one) => one == name,
        None => false,
    }
}

/// Makes one list of names out of names that are described one by one: Codex 0.98 passes on no choices, and a list is shorter everywhere.
fn join_names(node: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = node.get("oneOf") else { return };
    let Some(names) = choices.iter().map(names_of).collect::<Option<Vec<_>>>() else { return };
    let described = choices.iter().zip(&names).filter_map(|(choice, names)| {
        let words = choice.get("description")?.as_str()?;
        Some(format!("{}: {words}", names.first()?.as_str()?))
    });
    let own = node.get("description").and_then(Value::as_str).map(str::to_owned);
    let description = own.into_iter().chain(described).collect::<Vec<_>>().join("\n");
    node.remove("oneOf");
    node.insert("type".to_owned(), json!("string"));
    node.insert("enum".to_owned(), names.into_iter().flatten().collect());
    if !description.is_empty() {
        node.insert("description".to_owned(), Value::String(description));
    }
}

fn names_of(choice: &Value) -> Option<Vec<Value>> {
    choice.get("type").filter(|it| *it == "string")?;
    match (choice.get("const"), choice.get("enum")) {
        (Some(one), None) => Some(vec![one.clone()]),
        (None, Some(Value::Array(several))) => Some(several.clone()),
        _ => None,
    }
}

fn without_number_formats(node: &mut Map<String, Value>) {
    let known = |format: &Value| format.as_str().is_some_and(|it| FORMATS.contains(&it));
    if node.get("format").is_some_and(|format| !known(format)) {
        node.remove("format");
    }
}

/// Calls `change` for every schema within a schema, the outer one first.
fn visit(schema: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    let Value::Object(node) = schema else { return };
    change(node);
    for (keyword, value) in node.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "$defs" | "patternProperties", Value::Object(named)) => {
                named.values_mut().for_each(|inner| visit(inner, change));
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(several)) => {
                several.iter_mut().for_each(|inner| visit(inner, change));
            }
            ("items" | "additionalProperties" | "not", inner) => visit(inner, change),
            _ => {}
        }
    }
}

/// Reads a value, and says where it is not of its type.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let what = error.into_inner();
        if path == "." { what.to_string() } else { format!("{path}: {what}") }
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct AddParams {
        /// The first one.
        #[schemars(range(min = 0))]
        x: i64,
        #[serde(default = "one")]
        y: i64,
    }

    fn one() -> i64 {
        1
    }

    #[test]
    fn generates_input_schema() {
        let expected = json!({
            "title": "AddParams",
            "type": "object",
            "properties": {
                "x": {"type": "integer", "minimum": 0, "description": "The first one."},
                "y": {"type": "integer", "default": 1},
            },
            "required": ["x"],
            // Open in WINK, whose parser refuses what its schema allows.
            "additionalProperties": false,
        });
        assert_eq!(of_arguments::<AddParams>(), expected);
    }

    #[test]
    fn handles_none_params_type() {
        let expected = json!({"type": "object", "properties": {}, "additionalProperties": false});
        assert_eq!(of_arguments::<()>(), expected);
    }

    #[test]
    fn a_schema_has_no_references() {
        #[derive(Deserialize, JsonSchema)]
        #[expect(dead_code, reason = "only its schema is looked at")]
        struct Outer {
            inner: AddParams,
            more: Vec<AddParams>,
            maybe: Option<AddParams>,
        }
        let schema = of_arguments::<Outer>().to_string();
        assert!(!schema.contains("$ref") && !schema.contains("$defs"), "{schema}");
        assert_eq!(schema.matches("\"additionalProperties\":false").count(), 4);
    }

    #[test]
    fn choices_are_any_of() {
        #[derive(Deserialize, JsonSchema)]
        #[serde(tag = "kind")]
        #[expect(dead_code, reason = "only its schema is looked at")]
        enum Pay {
            Cash,
            Card { number: String },
        }
        #[derive(Deserialize, JsonSchema)]
        #[expect(dead_code, reason = "only its schema is looked at")]
        struct Order {
            pay: Pay,
        }
        let pay = of_arguments::<Order>()["properties"]["pay"].take();
        let card = json!({
            "type": "object", "additionalProperties": false, "required": ["kind", "number"],
            "properties": {"kind": {"type": "string", "const": "Card"}, "number": {"type": "string"}},
        });
        assert_eq!((&pay["oneOf"], &pay["anyOf"][1]), (&Value::Null, &card));
    }

    #[test]
    fn names_are_one_list_also_if_each_is_described() {
        #[derive(Deserialize, JsonSchema)]
        #[serde(rename_all = "lowercase")]
        enum Order {
            Name,
            Date,
            /// The largest first.
            Size,
        }
        let expected = json!({"title": "Order", "type": "string", "enum": ["name", "date", "size"], "description": "size: The largest first."});
        assert_eq!(of::<Order>(), expected);
        let optional = of::<Option<Order>>();
        assert_eq!(optional["anyOf"][0]["enum"], json!(["name", "date", "size"]), "{optional}");
    }
}
