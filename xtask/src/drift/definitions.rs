//! The definitions of a schema under one name each, also where old and new ones share a name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::codegen::schema::{object, shape};

/// Put before the name of an old definition that a newer one has taken (0.72 and 0.98 have some twenty).
const OLD: &str = "Legacy";

/// Every definition by its bare name, the newer ones' namespace left aside.
pub(super) fn merged(root: &Value) -> Result<BTreeMap<String, Value>, String> {
    let outer = object(root, "definitions").ok_or("the schema has no definitions")?;
    let nothing = Map::new();
    let newer = outer.get("v2").and_then(Value::as_object).unwrap_or(&nothing);
    let differs =
        |(name, old): &(&String, &Value)| newer.get(*name).is_some_and(|new| shape(new) != shape(old));
    let taken: BTreeSet<&str> = outer.iter().filter(differs).map(|(name, _)| name.as_str()).collect();
    let mut all: BTreeMap<String, Value> = newer.clone().into_iter().collect();
    for (name, definition) in outer.iter().filter(|(name, _)| *name != "v2") {
        let name = if taken.contains(name.as_str()) { format!("{OLD}{name}") } else { name.clone() };
        all.insert(name, renamed(definition, &taken));
    }
    Ok(all)
}

/// The same definition, with references to what was renamed following it.
fn renamed(value: &Value, taken: &BTreeSet<&str>) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| {
                let name = value.as_str().and_then(|path| path.strip_prefix("#/definitions/"));
                match name.filter(|name| key == "$ref" && taken.contains(name)) {
                    Some(name) => (key.clone(), format!("#/definitions/{OLD}{name}").into()),
                    None => (key.clone(), renamed(value, taken)),
                }
            })
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(list) => list.iter().map(|value| renamed(value, taken)).collect(),
        other => other.clone(),
    }
}
