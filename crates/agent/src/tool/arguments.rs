//! Reading what the model gave a tool: strictly, and with errors that it can act on.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::schema::{self, Leniency, fit, is_nothing};

/// Reads parameters. Unknown and missing fields are told all at once; a string is never taken for a number.
pub(super) fn parse<P: DeserializeOwned>(wanted: &Value, arguments: Value) -> Result<P, String> {
    let mut arguments = object(arguments)?;
    if is_nothing(wanted) {
        let unknown = arguments.as_object().into_iter().flat_map(|fields| fields.keys().map(String::as_str));
        let unknown: Vec<&str> = unknown.collect();
        if !unknown.is_empty() {
            return Err(format!("unknown field `{}` (the tool takes no arguments)", unknown.join("`, `")));
        }
        arguments = Value::Null;
    }
    fit(wanted, &mut arguments, Leniency { containers_as_text: true, ..Leniency::default() })?;
    schema::read(arguments)
}

/// The arguments as an object: Codex may hand over the text of one, and nothing for an empty one.
pub(crate) fn object(arguments: Value) -> Result<Value, String> {
    let none = || Value::Object(Map::new());
    let arguments = match arguments {
        Value::Null => none(),
        Value::String(text) if text.trim().is_empty() => none(),
        Value::String(text) => {
            serde_json::from_str(&text).map_err(|error| format!("the arguments are not JSON: {error}"))?
        }
        other => other,
    };
    if arguments.is_object() {
        Ok(arguments)
    } else {
        Err(format!("the arguments are {}, and have to be an object", kind(&arguments)))
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Look {
        path: String,
        depth: Option<u32>,
        #[serde(default)]
        order: Order,
    }

    #[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Order {
        #[default]
        Name,
        Size,
    }

    fn look(arguments: Value) -> Result<Look, String> {
        parse(&schema::of::<Look>(), arguments)
    }

    #[test]
    fn an_object_or_the_text_of_one_is_read() {
        let expected = Look { path: "a".into(), depth: Some(2), order: Order::Size };
        let arguments = json!({"path": "a", "depth": 2, "order": "size"});
        assert_eq!(look(arguments.clone()).as_ref(), Ok(&expected));
        assert_eq!(look(Value::String(arguments.to_string())), Ok(expected));
        assert_eq!(
            look(json!({"path": "a"})),
            Ok(Look { path: "a".into(), depth: None, order: Order::Name })
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let cases = [
            (json!({"path": 1}), "path: invalid type: integer `1`, expected a string"),
            (json!({"path": "a", "depth": "2"}), "depth: invalid type: string \"2\", expected u32"),
            (json!({"path": "a", "depth": -2}), "depth: invalid value: integer `-2`, expected u32"),
            (
                json!({"path": "a", "order": "colour"}),
                "order: unknown variant `colour`, expected `name` or `size`",
            ),
            (json!({"pth": "a"}), "unknown field `pth` (known: depth, order, path); missing field `path`"),
            (json!([1]), "the arguments are a list, and have to be an object"),
            (json!("nonsense"), "the arguments are not JSON: expected ident at line 1 column 2"),
            (json!("[1]"), "the arguments are a list, and have to be an object"),
        ];
        for (arguments, expected) in cases {
            assert_eq!(look(arguments.clone()), Err(expected.to_owned()), "{arguments}");
        }
    }

    #[test]
    fn a_tool_without_parameters_takes_none() {
        let nothing = schema::of::<()>();
        for arguments in [json!({}), json!(null), json!(""), json!("{}")] {
            assert_eq!(parse::<()>(&nothing, arguments), Ok(()));
        }
        let error = parse::<()>(&nothing, json!({"x": 1})).unwrap_err();
        assert_eq!(error, "unknown field `x` (the tool takes no arguments)");
    }
}
