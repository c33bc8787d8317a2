//! Changes to a JSON message, at any depth, such as another version of Codex might bring.

use proptest::{
    collection::vec,
    prelude::{Strategy, any},
    prop_oneof,
};
use serde_json::{Map, Value, json};

/// One change. `at` picks the place, `what` what is put there.
#[derive(Debug, Clone)]
pub(crate) enum Mutation {
    /// A field nobody knows.
    Add { at: usize, what: usize },
    /// A field or element that is gone.
    Remove { at: usize },
    /// A value of any other type.
    Retype { at: usize, what: usize },
    /// A text that no enum knows: also a tag, so that an item becomes one of an unknown kind.
    NewWord { at: usize },
    /// A key that is written with an escape.
    EscapeKey { at: usize },
    /// A key that is there twice.
    Repeat { at: usize, what: usize },
}

/// A few changes at once.
pub(crate) fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    let (at, what) = (any::<usize>(), any::<usize>());
    let one = prop_oneof![
        (at, what).prop_map(|(at, what)| Mutation::Add { at, what }),
        at.prop_map(|at| Mutation::Remove { at }),
        (at, what).prop_map(|(at, what)| Mutation::Retype { at, what }),
        at.prop_map(|at| Mutation::NewWord { at }),
        at.prop_map(|at| Mutation::EscapeKey { at }),
        (at, what).prop_map(|(at, what)| Mutation::Repeat { at, what }),
    ];
    vec(one, 1..6)
}

/// The changed text. `salt` makes the same changes hit other places in every message.
pub(crate) fn apply(text: &str, changes: &[Mutation], salt: usize) -> String {
    let mut value: Value = serde_json::from_str(text).unwrap_or_default();
    let mix = |at: usize| at.wrapping_add(salt.wrapping_mul(7919));
    for change in changes {
        match *change {
            Mutation::Add { at, what } => {
                if let Some(object) =
                    pick(&mut value, mix(at), Value::is_object).and_then(Value::as_object_mut)
                {
                    object.insert("brandNew".to_owned(), odd(what));
                }
            }
            Mutation::Remove { at } => remove(&mut value, mix(at)),
            Mutation::Retype { at, what } => replace(&mut value, (mix(at), |_| true), odd(what)),
            Mutation::NewWord { at } => {
                replace(&mut value, (mix(at), Value::is_string), json!("brandNewWord"));
            }
            Mutation::EscapeKey { .. } | Mutation::Repeat { .. } => {}
        }
    }
    let text = value.to_string();
    changes.iter().fold(text, |text, change| match *change {
        Mutation::EscapeKey { at } => escape_key(&text, mix(at)),
        Mutation::Repeat { at, what } => repeat_key(&text, mix(at), &odd(what)),
        _ => text,
    })
}

/// Values to be surprised by.
fn odd(what: usize) -> Value {
    let all = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("brandNewWord"),
        json!("quote \" backslash \\ nul \u{0} é 𝄞"),
        json!([]),
        json!([null, 1, "x", [], {}]),
        json!({}),
        json!({"id": 7, "type": {}}),
        json!({"type": "brandNewKind", "id": "x", "threadId": []}),
        json!([{"type": "agentMessage"}, {"type": "agentMessage", "id": "y", "text": 3}]),
    ];
    all[what % all.len()].clone()
}

fn replace(value: &mut Value, (at, fits): (usize, fn(&Value) -> bool), new: Value) {
    if let Some(place) = pick(value, at, fits) {
        *place = new;
    }
}

fn remove(value: &mut Value, at: usize) {
    let has_inside = |it: &Value| {
        it.as_object().is_some_and(|it| !it.is_empty()) || it.as_array().is_some_and(|it| !it.is_empty())
    };
    match pick(value, at, has_inside) {
        Some(Value::Array(list)) => drop(list.remove(at % list.len())),
        Some(Value::Object(object)) => {
            let key = object.keys().nth(at % object.len()).cloned().unwrap_or_default();
            object.remove(&key);
        }
        _ => {}
    }
}

/// One of the values inside that fit, the outermost included.
fn pick(value: &mut Value, at: usize, fits: fn(&Value) -> bool) -> Option<&mut Value> {
    let total = count(value, fits);
    if total == 0 {
        return None;
    }
    nth(value, &mut (at % total), fits)
}

fn count(value: &Value, fits: fn(&Value) -> bool) -> usize {
    usize::from(fits(value)) + inside(value).map(|it| count(it, fits)).sum::<usize>()
}

fn inside(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Array(list) => Box::new(list.iter()),
        Value::Object(object) => Box::new(object.values()),
        _ => Box::new(std::iter::empty()),
    }
}

fn nth<'v>(value: &'v mut Value, left: &mut usize, fits: fn(&Value) -> bool) -> Option<&'v mut Value> {
    if fits(value) {
        if *left == 0 {
            return Some(value);
        }
        *left -= 1;
    }
    match value {
        Value::Array(list) => list.iter_mut().find_map(|it| nth(it, left, fits)),
        Value::Object(object) => Map::values_mut(object).find_map(|it| nth(it, left, fits)),
        _ => None,
    }
}

/// The places in the text where a key starts, right behind its quote.
fn keys(text: &str) -> Vec<usize> {
    let starts =
        text.match_indices(['{', ',']).map(|(at, _)| at + 1).filter(|at| text[*at..].starts_with('"'));
    let is_key = |at: &usize| {
        let rest = &text[at + 1..];
        rest.find('"').is_some_and(|end| end > 0 && rest[end..].starts_with("\":") && is_plain(&rest[..end]))
    };
    starts.filter(is_key).map(|at| at + 1).collect()
}

/// A comma inside a text is followed by a key only if that text looks like JSON; then there would be backslashes.
fn is_plain(key: &str) -> bool {
    key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn escape_key(text: &str, at: usize) -> String {
    let all = keys(text);
    let Some(start) = all.get(at % all.len().max(1)) else { return text.to_owned() };
    let first = text.as_bytes()[*start];
    format!("{}\\u{first:04x}{}", &text[..*start], &text[start + 1..])
}

fn repeat_key(text: &str, at: usize, value: &Value) -> String {
    let all = keys(text);
    let Some(start) = all.get(at % all.len().max(1)) else { return text.to_owned() };
    let key = text[*start..].split('"').next().unwrap_or_default();
    format!("{}\"{key}\":{value},{}", &text[..start - 1], &text[start - 1..])
}
