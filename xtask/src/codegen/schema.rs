//! The JSON schema that Codex prints: loading it, and looking up what it names.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Map, Value};

const BUNDLE: &str = "codex_app_server_protocol.schemas.json";

/// Every definition by its bare name, and the three unions that list the methods.
pub(crate) struct Schema {
    pub(crate) definitions: BTreeMap<String, Value>,
}

/// A method and the schema of its parameters.
pub(crate) struct Method {
    pub(crate) name: String,
    pub(crate) params: Value,
    pub(crate) doc: Option<String>,
}

impl Schema {
    /// Reads what `codex app-server generate-json-schema` left in `dir`.
    pub(crate) fn load(dir: &Path) -> Result<Self, String> {
        let root = bundle(dir)?;
        let mut definitions = BTreeMap::new();
        let outer = object(&root, "definitions").ok_or("the schema has no definitions")?;
        for (name, definition) in outer {
            // Newer definitions live in a namespace of their own; a name in both is checked to mean the same.
            match definition.as_object().filter(|_| name == "v2") {
                Some(inner) => {
                    for (name, definition) in inner {
                        insert(&mut definitions, name, definition)?;
                    }
                }
                None => insert(&mut definitions, name, definition)?,
            }
        }
        Ok(Self { definitions })
    }

    /// The methods of `ServerNotification`, `ServerRequest` or `ClientRequest`.
    pub(crate) fn methods(&self, union: &str) -> Result<Vec<Method>, String> {
        let arms = self.definitions.get(union).and_then(|it| it["oneOf"].as_array());
        let arms = arms.ok_or_else(|| format!("the schema has no union {union}"))?;
        arms.iter()
            .map(|arm| method(arm).ok_or_else(|| format!("an arm of {union} names no method: {arm}")))
            .collect()
    }
}

/// The one file that holds all definitions.
pub(crate) fn bundle(dir: &Path) -> Result<Value, String> {
    let path = dir.join(BUNDLE);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{BUNDLE}: {error}"))
}

fn method(arm: &Value) -> Option<Method> {
    let properties = &arm["properties"];
    let name = properties["method"]["enum"][0].as_str()?.to_owned();
    Some(Method { name, params: properties["params"].clone(), doc: super::names::first_sentence(arm) })
}

fn insert(into: &mut BTreeMap<String, Value>, name: &str, definition: &Value) -> Result<(), String> {
    match into.insert(name.to_owned(), definition.clone()) {
        Some(before) if shape(&before) != shape(definition) => {
            Err(format!("two different definitions of {name}"))
        }
        _ => Ok(()),
    }
}

/// A definition without its words.
pub(crate) fn shape(definition: &Value) -> Value {
    match definition {
        Value::Object(map) => map
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "description" | "title" | "$schema"))
            .map(|(key, value)| (key.clone(), shape(value)))
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// The object under `key`, if there is one.
pub(crate) fn object<'v>(value: &'v Value, key: &str) -> Option<&'v Map<String, Value>> {
    value.get(key).and_then(Value::as_object)
}

/// The definition a `$ref` names, without its namespace.
pub(crate) fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next())
}

/// The alternatives of a `oneOf` or `anyOf`.
pub(crate) fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array)
}
