//! A schema that a model can be held to: every object closed, every property required, and only keywords that are known there.

use serde_json::{Map, Value, json};

use super::{FORMATS, has_type};

/// A part of a type that no strict schema can say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is {what}\nhint: {hint}", if path.is_empty() { "the output type" } else { path })]
pub(crate) struct NotStrict {
    path: String,
    what: &'static str,
    hint: &'static str,
}

/// Keywords that strict schemas know, those for structure aside. Others say what a value of the type is checked for anyway.
const KEPT: [&str; 12] = [
    "const",
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "multipleOf",
    "pattern",
    "title",
];

/// Makes a schema strict.
pub(crate) fn strict(schema: &Value) -> Result<Value, NotStrict> {
    at(schema, "")
}

fn at(schema: &Value, path: &str) -> Result<Value, NotStrict> {
    let refuse = |what, hint| Err(NotStrict { path: path.to_owned(), what, hint });
    let Value::Object(node) = schema else {
        return refuse("any value at all", "give it a type whose fields are known");
    };
    if let Some(target) = node.get("$ref") {
        // Beside a reference nothing else may stand.
        return Ok(json!({"$ref": target}));
    }
    if node.contains_key("prefixItems") {
        return refuse("a tuple", "use a struct with named fields");
    }
    if node.contains_key("allOf") {
        return refuse("several types at once", "use one struct with all the fields");
    }
    let choices = node.get("anyOf").or_else(|| node.get("oneOf")).and_then(Value::as_array);
    if choices.is_some() && node.contains_key("properties") {
        return refuse("fields with a flattened choice", "give the choice a field of its own");
    }
    let kept = node.iter().filter(|(keyword, _)| KEPT.contains(&keyword.as_str()));
    let mut made: Map<String, Value> =
        kept.map(|(keyword, value)| (keyword.clone(), value.clone())).collect();
    if let Some(choices) = choices {
        let choices: Result<Vec<Value>, _> = choices.iter().map(|choice| at(choice, path)).collect();
        made.insert("anyOf".to_owned(), Value::Array(choices?));
    } else if node.contains_key("type") {
        typed(node, &mut made, path)?;
    } else if !made.contains_key("enum") && !made.contains_key("const") {
        return refuse("any value at all", "give it a type whose fields are known");
    }
    if let Some(Value::Object(definitions)) = node.get("$defs") {
        made.insert("$defs".to_owned(), Value::Object(each(definitions, path)?));
    }
    Ok(Value::Object(made))
}

fn typed(node: &Map<String, Value>, made: &mut Map<String, Value>, path: &str) -> Result<(), NotStrict> {
    let kind = node.get("type").unwrap_or(&Value::Null);
    made.insert("type".to_owned(), kind.clone());
    if let Some(format) = node.get("format").filter(|it| it.as_str().is_some_and(|it| FORMATS.contains(&it)))
    {
        made.insert("format".to_owned(), format.clone());
    }
    if has_type(node, "array") {
        let items = node.get("items").unwrap_or(&Value::Bool(true));
        made.insert("items".to_owned(), at(items, &format!("{path}[]"))?);
    }
    if has_type(node, "object") {
        object(node, made, path)?;
    }
    Ok(())
}

fn object(node: &Map<String, Value>, made: &mut Map<String, Value>, path: &str) -> Result<(), NotStrict> {
    if node.get("additionalProperties").is_some_and(|it| *it != Value::Bool(false)) {
        let hint = "use a list of structs that have the key as a field";
        return Err(NotStrict { path: path.to_owned(), what: "a map", hint });
    }
    let none = Map::new();
    let properties = node.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let required = node.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut strict = each(properties, path)?;
    for (name, property) in &mut strict {
        if !required.iter().any(|it| it == name) {
            make_nullable(property);
        }
    }
    made.insert("required".to_owned(), strict.keys().cloned().collect());
    made.insert("properties".to_owned(), Value::Object(strict));
    made.insert("additionalProperties".to_owned(), Value::Bool(false));
    Ok(())
}

fn each(named: &Map<String, Value>, path: &str) -> Result<Map<String, Value>, NotStrict> {
    let place = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    named.iter().map(|(name, inner)| Ok((name.clone(), at(inner, &place(name))?))).collect()
}

/// What may be left out has to be there in a strict schema, and is null instead.
fn make_nullable(schema: &mut Value) {
    let null = json!({"type": "null"});
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        return add(choices, null);
    }
    if schema.get("const").is_some() || schema.get("type").is_none() {
        let whole = schema.take();
        *schema = json!({"anyOf": [whole, null]});
        return;
    }
    match &mut schema["type"] {
        Value::Array(types) => add(types, json!("null")),
        one if *one == "null" => {}
        one => *one = json!([one.take(), "null"]),
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        add(values, Value::Null);
    }
}

fn add(values: &mut Vec<Value>, value: Value) {
    if !values.contains(&value) {
        values.push(value);
    }
}

#[cfg(test)]
mod tests;
