//! The shape an answer is to have: a JSON schema that somebody asked for, and whether an answer fits it.

use std::fmt;

use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use crate::json::Json;

/// A JSON schema that answers can be held to. A reference leads nowhere but into the schema itself: nothing is fetched.
#[derive(Debug)]
pub struct Shape(Validator);

/// Why it is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongShape(String);

impl Shape {
    /// Of a schema as it was written; without `$schema` it is of draft 2020-12.
    pub fn of(schema: &Json) -> Result<Self, WrongShape> {
        let schema = read(schema).map_err(WrongShape)?;
        let shape = jsonschema::options().offline().build(&schema);
        shape.map(Self).map_err(|error| WrongShape(told(&error)))
    }

    /// What does not fit, and where.
    pub fn check(&self, answer: &Json) -> Result<(), String> {
        let answer = read(answer)?;
        self.0.validate(&answer).map_err(|error| told(&error))
    }
}

impl fmt::Display for WrongShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongShape {}

/// What is wrong, and where; without the value, which may be long.
fn told(error: &ValidationError<'_>) -> String {
    let place = error.instance_path();
    let at = if place.is_empty() { String::new() } else { format!("at `{place}`: ") };
    format!("{at}{}", error.masked())
}

fn read(json: &Json) -> Result<Value, String> {
    serde_json::from_str(json.text()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wrong(schema: Value) -> String {
        Shape::of(&schema.into()).unwrap_err().to_string()
    }

    fn misfit(schema: Value, answer: Value) -> Option<String> {
        Shape::of(&schema.into()).unwrap().check(&answer.into()).err()
    }

    #[test]
    fn an_answer_is_held_to_types_names_and_numbers() {
        let person = || {
            json!({"type": "object", "required": ["name"], "additionalProperties": false,
                "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}}})
        };
        assert_eq!(misfit(person(), json!({"name": "Ada", "age": 36})), None);
        let cases = [
            (json!({"name": 1}), "at `/name`", "string"),
            (json!({"age": 36}), "required", "name"),
            (json!({"name": "Ada", "age": -1}), "at `/age`", "minimum"),
            (json!({"name": "Ada", "more": 1}), "not allowed", "more"),
            (json!([]), "not of type", "object"),
        ];
        for (answer, place, word) in cases {
            let why = misfit(person(), answer.clone()).unwrap();
            assert!(why.contains(place) && why.contains(word), "{answer}: {why}");
        }
    }

    #[test]
    fn what_is_no_schema_is_said_where() {
        let why = wrong(json!({"properties": {"age": {"type": "number of years"}}}));
        assert!(why.contains("`/properties/age/type`"), "{why}");
        assert!(wrong(json!({"pattern": "("})).contains("pattern"));
    }

    #[test]
    fn a_reference_leads_into_the_schema_and_nowhere_else() {
        let own = json!({"$ref": "#/$defs/year", "$defs": {"year": {"type": "integer"}}});
        assert_eq!(misfit(own.clone(), json!(1843)), None);
        assert!(misfit(own, json!("1843")).is_some());
        for elsewhere in ["http://127.0.0.1:9/schema.json", "file:///etc/passwd", "other.json"] {
            assert!(!wrong(json!({"$ref": elsewhere})).is_empty(), "{elsewhere}");
        }
    }
}
