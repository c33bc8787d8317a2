//! Changes to a message that there is: new fields, new words, other types.

use std::mem;

use serde_json::{Value, json};

use super::{
    chance::Chance,
    told::{Did, Marks},
    walk::{Spot, spots},
};

/// Fields that hold a word of a list which may grow.
const WORDS: [&str; 14] = [
    "status",
    "type",
    "phase",
    "source",
    "kind",
    "itemsView",
    "historyMode",
    "approvalPolicy",
    "approvalsReviewer",
    "reasoningEffort",
    "serviceTier",
    "threadSource",
    "platformOs",
    "delivery",
];
/// Items without which nobody was heard and nothing was said.
const SPOKEN: [&str; 2] = ["agentMessage", "userMessage"];
/// Fields that a client cannot do without: in another type they would be another protocol.
const NEEDED: [&str; 26] = [
    "params",
    "result",
    "id",
    "type",
    "status",
    "phase",
    "text",
    "delta",
    "thread",
    "turn",
    "item",
    "items",
    "turns",
    "data",
    "error",
    "message",
    "willRetry",
    "tokenUsage",
    "total",
    "last",
    "plan",
    "step",
    "diff",
    "path",
    "tool",
    "completedAt",
];

/// Changes a message as its chances want it, and says how.
pub(super) fn change(name: &str, message: &mut Value, chance: &Chance, marks: &mut Marks) -> Vec<Did> {
    let mut did = Vec::new();
    if chance.strikes("type", 2) {
        did.extend(other_type(message, chance, marks));
    }
    if chance.strikes("word", 2) {
        did.extend(word(name, message, chance, marks));
    }
    if message.get("id").is_some() && message.get("method").is_some() && chance.strikes("method", 2) {
        did.extend(method(message, marks));
    }
    if name == "turn/completed" && chance.strikes("end", 2) {
        did.extend(end(message, marks));
    }
    if name == "answer:thread/turns/list" && chance.strikes("stored", 5) {
        did.extend(stored(message, marks));
    }
    if name == "answer:initialize" && chance.strikes("version", 5) {
        did.extend(version(message, marks));
    }
    // Last, so that nothing happens to what is new.
    if chance.strikes("field", 2) {
        did.extend(field(message, chance, marks));
    }
    did
}

/// A field nobody knows, in any object that is no choice between alternatives.
fn field(message: &mut Value, chance: &Chance, marks: &mut Marks) -> Option<Did> {
    let is_object = |spot: &Spot<'_>| spot.value.as_object().is_some_and(|it| it.len() > 1);
    let mut paths = paths_of(message, is_object);
    paths.retain(|path| !path.ends_with("/arguments"));
    paths.push(String::new());
    let path = paths.swap_remove(chance.pick("field", paths.len()));
    let mark = marks.next();
    let value = [json!(mark), json!({"type": mark, "id": 7}), json!([null, 1.5, {"threadId": [mark]}])];
    let value = value.into_iter().nth(chance.pick("field value", 3))?;
    message.pointer_mut(&path)?.as_object_mut()?.insert("hologram".to_owned(), value.clone());
    Some(Did::new("field", &mark, value).at(&path))
}

/// A word nobody knows.
fn word(name: &str, message: &mut Value, chance: &Chance, marks: &mut Marks) -> Option<Did> {
    let is_word = |spot: &Spot<'_>| {
        let word = spot.value.as_str().unwrap_or_default();
        let is_end = name == "turn/completed" && spot.path == "/params/turn/status";
        WORDS.contains(&spot.key) && !word.is_empty() && !SPOKEN.contains(&word) && !is_end
    };
    let path = one_of(paths_of(message, is_word), chance.pick("word", usize::MAX))?;
    replace(message, &path, "word", marks)
}

/// Something else where nobody looks.
fn other_type(message: &mut Value, chance: &Chance, marks: &mut Marks) -> Option<Did> {
    let is_free = |spot: &Spot<'_>| !is_needed(spot.key) && !WORDS.contains(&spot.key);
    let path = one_of(paths_of(message, is_free), chance.pick("type", usize::MAX))?;
    let place = message.pointer_mut(&path)?;
    let mark = marks.next();
    let mut values =
        vec![json!({"mark": mark}), json!([mark]), json!(mark), json!(-1), json!(true), json!(null)];
    // What may be missing may be anything else; but nothing that has an unknown field.
    values.truncate(if place.is_null() { 1 } else { values.len() });
    values.retain(|value| mem::discriminant(value) != mem::discriminant(place));
    let value = values.swap_remove(chance.pick("type value", values.len()));
    *place = value.clone();
    Some(Did::new("type", &mark, value).at(&path))
}

fn is_needed(key: &str) -> bool {
    let ends = ["Id", "Ids", "Tokens", "Cursor"];
    NEEDED.contains(&key) || ends.iter().any(|end| key.ends_with(end)) || key == "userAgent"
}

/// A message that is called otherwise: nobody knows it any more.
pub(super) fn method(message: &mut Value, marks: &mut Marks) -> Option<Did> {
    let mark = marks.next();
    let was = mem::replace(message.get_mut("method")?, json!(format!("hologram/{mark}")));
    Some(Did::new("method", &mark, was).at("/method"))
}

/// A turn that ends in a way nobody knows.
fn end(message: &mut Value, marks: &mut Marks) -> Option<Did> {
    message.pointer("/params/turn/status")?;
    replace(message, "/params/turn/status", "end", marks)
}

/// A stored turn that stands in a way nobody knows: the newest.
fn stored(message: &mut Value, marks: &mut Marks) -> Option<Did> {
    message.pointer("/result/data/0/status")?;
    replace(message, "/result/data/0/status", "word", marks)
}

/// A Codex nobody has seen.
fn version(message: &mut Value, marks: &mut Marks) -> Option<Did> {
    let path = "/result/userAgent";
    let agent = message.pointer_mut(path)?;
    let (name, rest) = agent.as_str()?.split_once('/')?;
    let rest = rest.split_once(' ').map_or("", |(_, rest)| rest);
    *agent = json!(format!("{name}/99.0.0-hologram.1 {rest}"));
    Some(Did::new("word", &marks.next(), agent.clone()).at(path))
}

fn replace(message: &mut Value, path: &str, did: &'static str, marks: &mut Marks) -> Option<Did> {
    let mark = marks.next();
    let was = mem::replace(message.pointer_mut(path)?, json!(mark));
    Some(Did::new(did, &mark, was).at(path))
}

fn paths_of(message: &Value, fits: impl Fn(&Spot<'_>) -> bool) -> Vec<String> {
    spots(message).into_iter().filter(fits).map(|spot| spot.path).collect()
}

fn one_of(mut paths: Vec<String>, number: usize) -> Option<String> {
    (!paths.is_empty()).then(|| paths.swap_remove(number % paths.len()))
}
