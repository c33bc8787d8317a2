//! Finding the JSON in an answer.

use serde_json::{Deserializer, Value};

/// What opens a fenced block of JSON.
const FENCE: &str = "```json";

/// The value in the first fenced block of JSON; else the whole text; else the first object or list in it, rather one that is wanted.
pub(super) fn json(answer: &str, is_wanted: impl Fn(&Value) -> bool) -> Result<Value, String> {
    if answer.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    if let Some(block) = fenced(answer) {
        return serde_json::from_str(block).map_err(|error| format!("the fenced block is not JSON: {error}"));
    }
    if let Ok(whole) = serde_json::from_str::<Value>(answer.trim())
        && is_container(&whole)
    {
        return Ok(whole);
    }
    let mut found = embedded(answer).peekable();
    let first = found.peek().cloned();
    found.find(is_wanted).or(first).ok_or_else(|| "there is no JSON object or list in it".to_owned())
}

fn is_container(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

fn fenced(answer: &str) -> Option<&str> {
    let start = answer.to_ascii_lowercase().find(FENCE)? + FENCE.len();
    let inner = &answer[start..];
    Some(inner.split_once("```").map_or(inner, |(inside, _)| inside).trim())
}

/// Every object and list that can be read, none within another.
fn embedded(answer: &str) -> impl Iterator<Item = Value> {
    let mut rest = answer;
    std::iter::from_fn(move || {
        while let Some(start) = rest.find(['{', '[']) {
            let mut values = Deserializer::from_str(&rest[start..]).into_iter::<Value>();
            let read = values.next();
            match read {
                Some(Ok(value)) => {
                    rest = &rest[start + values.byte_offset()..];
                    return Some(value);
                }
                _ => rest = &rest[start + 1..],
            }
        }
        None
    })
}
