//! Whether a value fits a schema: what serde would pass over, with every misfit's place.

use serde_json::{Map, Number, Value};

use super::shape::Shape;

/// What is forgiven.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Leniency {
    /// Fields that nobody knows are passed over.
    pub(crate) extra_fields: bool,
    /// A number or a boolean may be written as a string.
    pub(crate) scalars_as_text: bool,
    /// An object or a list may be written as a string: Codex 0.98 tells the model that a choice of objects is one.
    pub(crate) containers_as_text: bool,
    /// A null where the type has a default stands for the default: a strict schema has no other way to leave a field out.
    pub(crate) null_for_default: bool,
}

/// Prepares a value for serde. What is wrong is told all at once, each with its place.
pub(crate) fn fit(schema: &Value, value: &mut Value, leniency: Leniency) -> Result<(), String> {
    let mut fitting = Fitting { root: schema, leniency, misfits: Vec::new() };
    fitting.value(schema, value, "");
    if fitting.misfits.is_empty() { Ok(()) } else { Err(fitting.misfits.join("; ")) }
}

struct Fitting<'a> {
    root: &'a Value,
    leniency: Leniency,
    misfits: Vec<String>,
}

impl Fitting<'_> {
    fn value(&mut self, schema: &Value, value: &mut Value, path: &str) {
        let mut shape = Shape::of(self.root, schema, value);
        if let Some(read) = self.read_text(&shape, value) {
            *value = read;
            shape = Shape::of(self.root, schema, value);
        }
        match value {
            Value::Object(fields) => self.object(&shape, fields, path),
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.value(shape.item(index), item, &format!("{path}[{index}]"));
                }
            }
            _ => {}
        }
    }

    /// What a string says, where no string is wanted.
    fn read_text(&self, shape: &Shape<'_>, value: &Value) -> Option<Value> {
        let text = value.as_str().filter(|_| !shape.types.contains("string"))?;
        let scalar = || self.leniency.scalars_as_text.then(|| scalar(shape, text)).flatten();
        let container = || self.leniency.containers_as_text.then(|| container(shape, text)).flatten();
        scalar().or_else(container)
    }

    fn object(&mut self, shape: &Shape<'_>, fields: &mut Map<String, Value>, path: &str) {
        if self.leniency.null_for_default {
            fields.retain(|name, value| {
                !value.is_null()
                    || !shape.properties.contains_key(name.as_str())
                    || shape.required.contains(name.as_str())
            });
        }
        for (name, value) in fields.iter_mut() {
            match shape.property(name) {
                Some(inner) => self.value(inner, value, &join(path, name)),
                None if self.leniency.extra_fields => {}
                None => self.unknown(shape, &join(path, name)),
            }
        }
        let missing = shape.required.iter().filter(|name| !fields.contains_key(**name));
        self.misfits.extend(missing.map(|name| format!("missing field `{}`", join(path, name))));
    }

    fn unknown(&mut self, shape: &Shape<'_>, path: &str) {
        let known: Vec<&str> = shape.properties.keys().copied().collect();
        let known = if known.is_empty() { "there are none".to_owned() } else { known.join(", ") };
        self.misfits.push(format!("unknown field `{path}` (known: {known})"));
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn scalar(shape: &Shape<'_>, text: &str) -> Option<Value> {
    let text = text.trim();
    let integer =
        || text.parse::<i64>().map(Number::from).or_else(|_| text.parse::<u64>().map(Number::from)).ok();
    let number = || text.parse::<f64>().ok().and_then(Number::from_f64);
    match &shape.types {
        types if types.contains("integer") => integer().map(Value::Number),
        types if types.contains("number") => integer().or_else(number).map(Value::Number),
        types if types.contains("boolean") => text.parse().map(Value::Bool).ok(),
        _ => None,
    }
}

fn container(shape: &Shape<'_>, text: &str) -> Option<Value> {
    let wanted = |value: &Value| match value {
        Value::Object(_) => shape.types.contains("object"),
        Value::Array(_) => shape.types.contains("array"),
        _ => false,
    };
    serde_json::from_str(text).ok().filter(wanted)
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Order {
        id: u32,
        #[serde(default)]
        amount: u32,
        note: Option<String>,
        lines: Vec<Line>,
        pay: Pay,
        any: serde_json::Value,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Line {
        name: String,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Pay {
        Cash,
        Card { number: String },
    }

    fn told(value: Value, leniency: Leniency) -> Result<Value, String> {
        let mut value = value;
        fit(&crate::schema::of::<Order>(), &mut value, leniency).map(|()| value)
    }

    #[test]
    fn everything_that_does_not_fit_is_told_with_its_place() {
        let order = json!({
            "id": 1, "colour": "red", "lines": [{"name": "a"}, {"nme": "b"}],
            "pay": {"kind": "card", "pin": 1}, "any": {"thing": 1},
        });
        let expected = "unknown field `colour` (known: amount, any, id, lines, note, pay); \
                        unknown field `lines[1].nme` (known: name); missing field `lines[1].name`; \
                        unknown field `pay.pin` (known: kind, number); missing field `pay.number`";
        assert_eq!(told(order, Leniency::default()), Err(expected.to_owned()));
    }

    #[test]
    fn a_choice_is_known_by_its_tag() {
        let order = |pay: Value| json!({"id": 1, "lines": [], "pay": pay, "any": null});
        assert!(told(order(json!({"kind": "cash"})), Leniency::default()).is_ok());
        let error = told(order(json!({"kind": "cash", "number": "1"})), Leniency::default()).unwrap_err();
        assert_eq!(error, "unknown field `pay.number` (known: kind)");
    }

    #[test]
    fn text_becomes_a_number_and_null_a_default_where_that_is_forgiven() {
        let lenient = Leniency {
            extra_fields: true,
            scalars_as_text: true,
            null_for_default: true,
            ..Leniency::default()
        };
        let order = json!({
            "id": "7", "amount": null, "note": null, "lines": [{"name": "8", "more": 1}], "pay": {"kind": "cash"}, "any": null,
        });
        let expected =
            json!({"id": 7, "lines": [{"name": "8", "more": 1}], "pay": {"kind": "cash"}, "any": null});
        assert_eq!(told(order, lenient), Ok(expected));
    }

    #[test]
    fn text_becomes_an_object_or_a_list_where_that_is_forgiven_and_no_text_is_wanted() {
        let lenient = Leniency { containers_as_text: true, ..Leniency::default() };
        let order =
            json!({"id": 1, "lines": "[{\"name\": \"{}\"}]", "pay": "{\"kind\": \"cash\"}", "any": "{}"});
        let expected = json!({"id": 1, "lines": [{"name": "{}"}], "pay": {"kind": "cash"}, "any": "{}"});
        assert_eq!(told(order, lenient), Ok(expected));
        let order = json!({"id": "1", "lines": "{}", "pay": "{\"kind\": \"cash\", \"tip\": 1}", "any": 1});
        assert_eq!(told(order, lenient), Err("unknown field `pay.tip` (known: kind)".to_owned()));
    }
}
