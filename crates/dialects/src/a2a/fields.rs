//! Reading ProtoJSON: names in both spellings, `null` as nothing, numbers also as text, unknown fields passed over.

use serde_json::{Map, Value};

use super::fault::Fault;

/// An object of a request, and where it stands.
#[derive(Clone)]
pub struct Fields<'json> {
    fields: &'json Map<String, Value>,
    path: String,
}

impl<'json> Fields<'json> {
    /// The object at this place.
    pub fn of(value: &'json Value, path: &str) -> Result<Self, Fault> {
        let fields = value.as_object().ok_or_else(|| Fault::invalid(path, "it has to be an object"))?;
        Ok(Self { fields, path: path.to_owned() })
    }

    /// The path of a field.
    pub fn place(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// That a field is not as it has to be.
    pub fn wrong(&self, name: &str, why: &str) -> Fault {
        Fault::invalid(&self.place(name), why)
    }

    /// A field by its name in camelCase, in either spelling.
    pub fn get(&self, name: &str) -> Option<&'json Value> {
        let found = self.fields.get(name).or_else(|| self.fields.get(&snake_case(name)));
        found.filter(|value| !value.is_null())
    }

    /// A text; an empty one is none, as everywhere in ProtoJSON.
    pub fn text(&self, name: &str) -> Result<Option<&'json str>, Fault> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str()).filter(|text| !text.is_empty())),
            Some(_) => Err(self.wrong(name, "it has to be a text")),
        }
    }

    /// A text that has to be there.
    pub fn needed(&self, name: &str) -> Result<&'json str, Fault> {
        self.text(name)?.ok_or_else(|| self.wrong(name, "it is missing"))
    }

    /// A whole number.
    pub fn number(&self, name: &str) -> Result<Option<i64>, Fault> {
        let number = match self.get(name) {
            None => return Ok(None),
            Some(Value::String(text)) => text.parse().ok(),
            #[expect(clippy::cast_possible_truncation, reason = "what has no fraction here is small")]
            Some(value) => value.as_i64().or_else(|| {
                value.as_f64().filter(|it| it.fract() == 0.0 && it.abs() < 1e15).map(|it| it as i64)
            }),
        };
        number.map(Some).ok_or_else(|| self.wrong(name, "it has to be a whole number"))
    }

    /// Yes or no; no, unless given.
    pub fn flag(&self, name: &str) -> Result<bool, Fault> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.wrong(name, "it has to be true or false")),
        }
    }

    /// A list; empty, unless given.
    pub fn list(&self, name: &str) -> Result<&'json [Value], Fault> {
        match self.get(name) {
            None => Ok(&[]),
            Some(Value::Array(values)) => Ok(values),
            Some(_) => Err(self.wrong(name, "it has to be a list")),
        }
    }

    /// A list of texts.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, Fault> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let texts: Option<Vec<String>> = self.list(name)?.iter().map(text).collect();
        texts.ok_or_else(|| self.wrong(name, "it has to be a list of texts"))
    }

    /// An object within this one.
    pub fn object(&self, name: &str) -> Result<Option<Self>, Fault> {
        self.get(name).map(|value| Fields::of(value, &self.place(name))).transpose()
    }

    /// An object that is not looked into.
    pub fn map(&self, name: &str) -> Result<Option<Map<String, Value>>, Fault> {
        Ok(self.object(name)?.map(|object| object.fields.clone()))
    }
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_spellings_are_read_and_what_is_wrong_is_named_by_its_place() {
        let value = json!({"context_id": "c", "historyLength": "7", "pageSize": 3.0, "tenant": "", "task": null, "flag": 1, "in": {"n": "x"}});
        let fields = Fields::of(&value, "").unwrap();
        assert_eq!(fields.text("contextId").unwrap(), Some("c"));
        assert_eq!(
            (fields.number("historyLength").unwrap(), fields.number("pageSize").unwrap()),
            (Some(7), Some(3))
        );
        assert_eq!((fields.text("tenant").unwrap(), fields.object("task").unwrap().is_none()), (None, true));
        assert_eq!(fields.flag("flag").unwrap_err().field.as_deref(), Some("flag"));
        let inner = fields.object("in").unwrap().unwrap();
        assert_eq!(inner.number("n").unwrap_err().field.as_deref(), Some("in.n"));
        assert_eq!(inner.needed("id").unwrap_err().field.as_deref(), Some("in.id"));
    }
}
