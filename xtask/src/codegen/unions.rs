//! Unions: told by a word, by a tag, by a key, or not at all.

use serde_json::{Value, json};

use super::{
    classify::{Classifier, arm},
    model::{Arm, Field, Named, Shape, Type},
    names,
    schema::{alternatives, object},
};

/// How the alternatives of a union are told apart.
pub(crate) enum Kind {
    Words,
    Tag(String),
    Key,
}

/// How this union's alternatives are told apart; `None` if only by guessing at their shape.
pub(crate) fn kind(definition: &Value) -> Option<Kind> {
    let known = known_alternatives(definition);
    if known.is_empty() {
        return None;
    }
    if known.iter().all(|it| word_list(it).is_some()) {
        return Some(Kind::Words);
    }
    if let Some(tag) = tag(&known) {
        return Some(Kind::Tag(tag));
    }
    known.iter().all(|it| word_list(it).is_some() || single_key(it).is_some()).then_some(Kind::Key)
}

/// The alternatives without the one that only says "or any other", which our own arm for the unknown stands for.
fn known_alternatives(definition: &Value) -> Vec<&Value> {
    alternatives(definition).into_iter().flatten().filter(|it| !is_any_other(it)).collect()
}

/// Any string or object at all, which is how the schema leaves a union open.
fn is_any_other(alternative: &Value) -> bool {
    let open = |kind: &Value| kind == "string" || kind == "object";
    let says_more = ["enum", "const", "properties", "additionalProperties"];
    let is_open = match &alternative["type"] {
        Value::Array(kinds) => kinds.iter().all(open),
        kind => open(kind),
    };
    is_open && says_more.iter().all(|key| alternative.get(key).is_none())
}

/// The shape of a union.
pub(crate) fn shape(to: &mut Classifier<'_>, name: &str, definition: &Value) -> Result<Shape, String> {
    let all = known_alternatives(definition);
    match kind(definition) {
        Some(Kind::Words) => Ok(Shape::Words(all.into_iter().flat_map(word_arms).collect())),
        Some(Kind::Tag(tag)) => {
            let common = to.fields(name, definition)?;
            let mut arms: Vec<Arm> = Vec::new();
            for it in all {
                let word = tag_word(it, &tag).unwrap_or_default();
                // Two spellings of one word (`openai/form`, `openaiForm`) are two kinds all the same.
                let again = arms.iter().filter(|arm| arm.name == names::pascal(word)).count();
                let arm_name = if again == 0 {
                    names::pascal(word)
                } else {
                    format!("{}{}", names::pascal(word), again + 1)
                };
                let payload = tagged_payload(to, (&format!("{arm_name}{name}"), &tag), (it, &common))?;
                arms.push(Arm { name: arm_name, ..arm(word, payload, it) });
            }
            Ok(Shape::Tagged { tag, arms })
        }
        Some(Kind::Key) => {
            let mut arms = Vec::new();
            for it in all {
                arms.extend(word_arms(it));
                arms.extend(keyed_arm(to, name, it)?);
            }
            Ok(Shape::Choice(arms))
        }
        None => Ok(Shape::Alias(to.ty(name, definition)?)),
    }
}

/// The arms of a plain string enum.
pub(crate) fn words(definition: &Value) -> Option<Vec<Arm>> {
    word_list(definition).map(|_| word_arms(definition))
}

fn word_list(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("enum").and_then(Value::as_array).filter(|_| schema["type"] == "string")
}

fn word_arms(schema: &Value) -> Vec<Arm> {
    let list = word_list(schema).map(Vec::as_slice).unwrap_or_default();
    // A description stands for the one word it describes, not for each of many.
    let described = if list.len() == 1 { schema } else { &Value::Null };
    list.iter().filter_map(Value::as_str).map(|word| arm(word, None, described)).collect()
}

/// The property that every alternative requires with one fixed word.
fn tag(all: &[&Value]) -> Option<String> {
    let candidates = object(all.first()?, "properties")?;
    let is_tag = |wire: &str| all.iter().all(|it| tag_word(it, wire).is_some());
    candidates.keys().find(|wire| is_tag(wire)).cloned()
}

fn tag_word<'v>(alternative: &'v Value, tag: &str) -> Option<&'v str> {
    let required = alternative["required"].as_array()?.iter().any(|it| it == tag);
    match word_list(&alternative["properties"][tag]).map(Vec::as_slice) {
        Some([word]) if required => word.as_str(),
        _ => None,
    }
}

fn single_key(alternative: &Value) -> Option<(&String, &Value)> {
    let properties = object(alternative, "properties")?;
    let required = alternative["required"].as_array().is_some_and(|all| all.len() == 1);
    properties.iter().next().filter(|_| required && properties.len() == 1)
}

fn tagged_payload(
    to: &mut Classifier<'_>,
    (name, tag): (&str, &str),
    (alternative, common): (&Value, &[Field]),
) -> Result<Option<Type>, String> {
    let mut fields = to.fields(name, alternative)?;
    // "One of these sets of properties as well": the sender picks, so each of them is optional.
    for set in alternatives(alternative).into_iter().flatten() {
        let mut optional = set.clone();
        optional["required"] = json!([]);
        fields.extend(to.fields(name, &optional)?);
    }
    fields.extend(common.iter().cloned());
    fields.retain(|field| field.wire != tag);
    if fields.is_empty() {
        return Ok(None);
    }
    to.add(name, Named { doc: names::first_sentence(alternative), shape: Shape::Fields(fields) })?;
    Ok(Some(Type::Named(name.to_owned())))
}

fn keyed_arm(to: &mut Classifier<'_>, union: &str, alternative: &Value) -> Result<Option<Arm>, String> {
    let Some((key, inner)) = single_key(alternative) else { return Ok(None) };
    let payload = to.ty(&format!("{}{union}", names::pascal(key)), inner)?;
    Ok(Some(arm(key, Some(payload), alternative)))
}
