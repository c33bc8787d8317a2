//! What a schema says about one value: its properties, its items, its types, whichever of several schemas it fits.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// What is said about one value.
#[derive(Default)]
pub(crate) struct Shape<'a> {
    pub(crate) properties: BTreeMap<&'a str, &'a Value>,
    pub(crate) required: BTreeSet<&'a str>,
    /// What properties beyond those named are; `None`: there may be none.
    pub(crate) others: Option<&'a Value>,
    pub(crate) items: Option<&'a Value>,
    pub(crate) prefix: &'a [Value],
    pub(crate) types: BTreeSet<&'a str>,
    /// Nothing is known, so nothing can be wrong.
    pub(crate) open: bool,
}

const ANYTHING: &Value = &Value::Bool(true);

impl<'a> Shape<'a> {
    /// What `schema`, a part of `root`, says about `value`.
    pub(crate) fn of(root: &'a Value, schema: &'a Value, value: &Value) -> Self {
        let Value::Object(node) = resolve(root, schema) else {
            return Self { open: true, ..Self::default() };
        };
        let mut shape = Self::own(node);
        for part in several(node, "allOf") {
            shape.join(Self::of(root, part, value));
        }
        for keyword in ["anyOf", "oneOf"] {
            let choices = several(node, keyword);
            if !choices.is_empty() {
                shape.join(Self::either(root, choices, value));
            }
        }
        shape.open |=
            node.keys().all(|keyword| matches!(keyword.as_str(), "title" | "description" | "default"));
        shape
    }

    fn own(node: &'a Map<String, Value>) -> Self {
        let names = |list: &'a Value| list.as_array().into_iter().flatten().filter_map(Value::as_str);
        let types = match node.get("type") {
            Some(Value::String(one)) => BTreeSet::from([one.as_str()]),
            Some(list) => names(list).collect(),
            None => BTreeSet::new(),
        };
        let properties = node.get("properties").and_then(Value::as_object);
        Self {
            properties: properties
                .into_iter()
                .flatten()
                .map(|(name, inner)| (name.as_str(), inner))
                .collect(),
            required: node.get("required").into_iter().flat_map(names).collect(),
            others: node.get("additionalProperties").filter(|it| **it != Value::Bool(false)),
            items: node.get("items"),
            prefix: several(node, "prefixItems"),
            types,
            open: false,
        }
    }

    /// Of several schemas those that the value may be meant for. If it is meant for none, serde says so best.
    fn either(root: &'a Value, choices: &'a [Value], value: &Value) -> Self {
        let meant = choices.iter().filter(|choice| may_be_meant(resolve(root, choice), value));
        let shapes: Vec<Self> = meant.map(|choice| Self::of(root, choice, value)).collect();
        let types = choices.iter().flat_map(|choice| match resolve(root, choice) {
            Value::Object(node) => Self::own(node).types,
            _ => BTreeSet::new(),
        });
        let types = types.collect();
        let mut shapes = shapes.into_iter();
        let Some(mut shape) = shapes.next() else { return Self { open: true, types, ..Self::default() } };
        for other in shapes {
            shape.required.retain(|name| other.required.contains(name));
            let required = std::mem::take(&mut shape.required);
            shape.join(other);
            shape.required = required;
        }
        shape.types = types;
        shape
    }

    fn join(&mut self, other: Self) {
        self.properties.extend(other.properties);
        self.required.extend(other.required);
        self.others = self.others.or(other.others);
        self.items = self.items.or(other.items);
        self.prefix = if self.prefix.is_empty() { other.prefix } else { self.prefix };
        self.types.extend(other.types);
        self.open |= other.open;
    }

    /// The schema of a property, if there may be one of that name.
    pub(crate) fn property(&self, name: &str) -> Option<&'a Value> {
        self.properties.get(name).copied().or(self.others).or(self.open.then_some(ANYTHING))
    }

    /// The schema of an item.
    pub(crate) fn item(&self, index: usize) -> &'a Value {
        self.prefix.get(index).or(self.items).unwrap_or(ANYTHING)
    }
}

/// Whether the kind of the value, and its tag if there is one, are those of the schema.
fn may_be_meant(schema: &Value, value: &Value) -> bool {
    let Value::Object(node) = schema else { return true };
    let shape = Shape::own(node);
    if !shape.types.is_empty() && !shape.types.iter().any(|name| is_of_type(value, name)) {
        return false;
    }
    let Value::Object(fields) = value else { return true };
    shape.properties.iter().all(|(name, inner)| match (inner.get("const"), fields.get(*name)) {
        (Some(tag), Some(given)) => tag == given,
        (Some(_), None) => false,
        // Of a choice by name, the name alone is the tag.
        (None, given) => given.is_some() || shape.properties.len() > 1 || !shape.required.contains(name),
    })
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => name == "number" || (name == "integer" && !number.is_f64()),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

fn several<'a>(node: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    node.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Follows a reference; only a type that contains itself has one.
fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix('#'));
    target.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}
