//! WINK's golden cases for answers, and what strictness adds to them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct O {
    a: i64,
    #[serde(default = "x")]
    b: String,
}

fn x() -> String {
    "x".to_owned()
}

fn o(a: i64) -> O {
    O { a, b: x() }
}

fn parse<T: Output>(answer: &str) -> Result<T, String> {
    OutputForm::of::<T>(false).unwrap().parse(answer).map(value).map_err(|error| error.why)
}

/// Without the JSON that it was read from.
fn value<T>((value, _): (T, Option<Value>)) -> T {
    value
}

#[test]
fn an_object_is_read_from_wherever_it_stands() {
    let answers = [
        r#"{"a":1}"#,
        "  {\"a\": 1}\n",
        "```json\n{\"a\":1}\n```",
        "Here it is:\n```JSON\n{\"a\":1}\n```\nand {\"a\": 2} is not it",
        "prefix {\"a\":1} suffix",
        "not {this}, nor [1], but {\"a\":1}",
        r#"{"a":"1"}"#,
        r#"{"a":1,"b":null}"#,
    ];
    for answer in answers {
        assert_eq!(parse::<O>(answer), Ok(o(1)), "{answer}");
    }
}

#[test]
fn an_object_that_is_none_is_told() {
    let cases = [
        (r#"[{"a":1}]"#, "a JSON object is wanted, and it is a list"),
        (r#"{"a":1,"z":2}"#, "unknown field `z` (known: a, b)"),
        ("nope", "there is no JSON object or list in it"),
        ("4", "there is no JSON object or list in it"),
        ("  \n", "it is empty"),
        (r#"{"b":"x"}"#, "missing field `a`"),
        (r#"{"a":null}"#, "a: invalid type: null, expected i64"),
        (r#"{"a":"four"}"#, "a: invalid type: string \"four\", expected i64"),
        ("```json\n{\"a\":}\n```", "the fenced block is not JSON: expected value at line 1 column 6"),
    ];
    for (answer, expected) in cases {
        assert_eq!(parse::<O>(answer), Err(expected.to_owned()), "{answer}");
    }
}

#[test]
fn a_list_is_read_bare_or_in_its_envelope() {
    for answer in [r#"[{"a":1}]"#, r#"{"items":[{"a":1}]}"#] {
        assert_eq!(parse::<Vec<O>>(answer), Ok(vec![o(1)]), "{answer}");
    }
    let cases = [
        (r#"{"items":[1]}"#, "item 0 of the list is not an object"),
        (r#"{"rows":[]}"#, "a JSON list is wanted, or an object with a list as `items`"),
        (r#"{"items":{}}"#, "a JSON list is wanted, or an object with a list as `items`"),
        (r#"[{"a":1},{}]"#, "missing field `[1].a`"),
        (r#"[{"a":1},{"a":true}]"#, "[1].a: invalid type: boolean `true`, expected i64"),
    ];
    for (answer, expected) in cases {
        assert_eq!(parse::<Vec<O>>(answer), Err(expected.to_owned()), "{answer}");
    }
}

#[test]
fn parse_structured_output_allows_extra_keys_when_configured() {
    let form = OutputForm::of::<O>(true).unwrap();
    assert_eq!(form.parse::<O>(r#"{"a":1,"z":2}"#).map(value), Ok(o(1)));
}

#[test]
fn an_error_has_the_beginning_of_the_answer() {
    let error = OutputForm::of::<O>(false).unwrap().parse::<O>(&"ä".repeat(3000)).unwrap_err();
    assert_eq!(error.text, "ä".repeat(2000));
    assert!(error.to_string().starts_with("the answer is not what was asked for: "));
}

#[test]
fn array_container_wraps_schema() {
    let form = OutputForm::of::<Vec<O>>(false).unwrap();
    let schema = form.schema().unwrap();
    assert_eq!(schema["required"], json!(["items"]));
    assert_eq!(schema["additionalProperties"], json!(false));
    let item = &schema["properties"]["items"]["items"];
    assert_eq!(item["required"], json!(["a", "b"]));
    assert_eq!(item["properties"]["b"]["type"], json!(["string", "null"]));
}

#[test]
fn what_a_list_refers_to_stands_at_the_top() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Part {
        parts: Vec<Part>,
    }
    let form = OutputForm::of::<Vec<Part>>(false).unwrap();
    let schema = form.schema().unwrap();
    assert!(schema["$defs"]["Part"].is_object(), "{schema}");
    assert_eq!(schema["$defs"]["Part"]["properties"]["parts"]["items"], json!({"$ref": "#/$defs/Part"}));
}

#[test]
fn plain_text_is_no_value() {
    let form = OutputForm::of::<()>(false).unwrap();
    assert_eq!((form.schema(), form.parse::<()>("anything")), (None, Ok(((), None))));
}

#[test]
fn a_type_that_cannot_be_asked_for_is_refused() {
    let refused = [
        OutputForm::of::<String>(false).err(),
        OutputForm::of::<Vec<String>>(false).err(),
        OutputForm::of::<Option<O>>(false).err(),
        OutputForm::of::<std::collections::BTreeMap<String, u32>>(false).err(),
    ];
    assert!(refused.iter().all(Option::is_some), "{refused:?}");
}

#[test]
fn a_field_that_is_skipped_is_neither_asked_for_nor_read() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Partly {
        a: i64,
        #[serde(skip)]
        own: u32,
    }
    let form = OutputForm::of::<Partly>(false).unwrap();
    assert_eq!(form.schema().unwrap()["required"], json!(["a"]));
    assert_eq!(form.parse::<Partly>(r#"{"a":1}"#).map(value), Ok(Partly { a: 1, own: 0 }));
    assert!(form.parse::<Partly>(r#"{"a":1,"own":2}"#).is_err());
}

#[test]
fn choices_and_deep_defaults_are_read_as_they_were_asked_for() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Report {
        findings: Vec<Finding>,
        next: Option<Box<Report>>,
    }
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Finding {
        Clean,
        Bug {
            line: u32,
            #[serde(default)]
            severe: bool,
        },
    }
    let form = OutputForm::of::<Report>(false).unwrap();
    let answer = r#"{"findings": [{"kind": "clean"}, {"kind": "bug", "line": "7", "severe": null}], "next": {"findings": [], "next": null}}"#;
    let bug = Finding::Bug { line: 7, severe: false };
    let next = Some(Box::new(Report { findings: Vec::new(), next: None }));
    assert_eq!(
        form.parse::<Report>(answer).map(value),
        Ok(Report { findings: vec![Finding::Clean, bug], next })
    );
    let wrong =
        form.parse::<Report>(r#"{"findings": [{"kind": "bug", "row": 7}], "next": null}"#).unwrap_err();
    assert_eq!(
        wrong.why,
        "unknown field `findings[0].row` (known: kind, line, severe); missing field `findings[0].line`"
    );
}
