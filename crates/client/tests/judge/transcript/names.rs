//! Names for what differs from run to run: ids, times, paths, the machine.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// A longer text is shown by its beginning and length.
const LONGEST: usize = 1000;
const UUID_LENGTH: usize = 36;
/// Older versions count their turns: `0` is an id only where an id is expected.
const SHORTEST_IN_TEXT: usize = 5;

/// Knows every id that was learned.
pub(super) struct Names {
    /// What is replaced inside any text.
    texts: Vec<(String, String)>,
    counts: BTreeMap<&'static str, usize>,
}

impl Names {
    pub(super) fn new(places: &[(String, &str)]) -> Self {
        let texts = places.iter().map(|(place, name)| (place.clone(), (*name).to_owned()));
        Self { texts: texts.collect(), counts: BTreeMap::new() }
    }

    /// Gives every id in it a name, in order.
    pub(super) fn learn(&mut self, line: &Value) {
        self.learn_inside("", "", line);
    }

    fn learn_inside(&mut self, parent: &str, key: &str, value: &Value) {
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(name, field)| self.learn_inside(key, name, field));
            }
            // What is in a list is of the list's kind.
            Value::Array(values) => values.iter().for_each(|value| self.learn_inside(parent, key, value)),
            Value::String(id) if !id.is_empty() => {
                if let Some(kind) = kind_of(parent, key) {
                    self.name(kind, id);
                }
            }
            _ => {}
        }
    }

    fn name(&mut self, kind: &'static str, id: &str) {
        if self.texts.iter().any(|(known, _)| known == id) {
            return;
        }
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        self.texts.push((id.to_owned(), format!("<{kind}-{count}>")));
    }

    /// The same with names.
    pub(super) fn rename(&self, line: &Value) -> Value {
        self.rename_inside("", "", line)
    }

    fn rename_inside(&self, parent: &str, key: &str, value: &Value) -> Value {
        match value {
            Value::Object(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, field)| (self.rename_text(name), self.rename_inside(key, name, field)));
                Value::Object(fields.collect::<Map<_, _>>())
            }
            Value::Array(values) => {
                values.iter().map(|value| self.rename_inside(parent, key, value)).collect()
            }
            Value::String(id) if kind_of(parent, key).is_some() => self.name_of(id).into(),
            Value::Number(_) if is_time(key) => "<time>".into(),
            Value::Number(_) if key.ends_with("Tokens") => "<tokens>".into(),
            Value::Number(code) if key == "exitCode" && is_killed(code) => "<killed>".into(),
            Value::String(_) if key == "processId" => "<process>".into(),
            Value::String(_) if key == "serverName" => "<host>".into(),
            Value::String(agent) if key == "userAgent" => {
                agent.split(" (").next().map_or("<agent>".into(), |agent| format!("{agent} <machine>").into())
            }
            Value::String(output) if key == "aggregatedOutput" => without_repetition(output).into(),
            Value::String(text) => self.rename_text(text).into(),
            other => other.clone(),
        }
    }

    fn name_of(&self, id: &str) -> String {
        let known = self.texts.iter().find(|(known, _)| known == id);
        known.map_or_else(|| self.rename_text(id), |(_, name)| name.clone())
    }

    fn rename_text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (id, name) in &self.texts {
            if id.len() >= SHORTEST_IN_TEXT && text.contains(id.as_str()) {
                text = text.replace(id.as_str(), name);
            }
        }
        shortened(&without_rollout_time(&without_shell(&without_uuids(&text))))
    }
}

/// Of which kind an id is, by where it stands.
fn kind_of(parent: &str, key: &str) -> Option<&'static str> {
    Some(match (parent, key) {
        ("thread" | "threads", "id") | (_, "sessionId" | "forkedFromId") => "thread",
        ("turn" | "turns" | "data", "id") => "turn",
        ("item" | "items", "id") | (_, "callId" | "itemId") => "item",
        _ if key.ends_with("hreadId") || key.ends_with("hreadIds") => "thread",
        _ if key.ends_with("urnId") => "turn",
        _ => return None,
    })
}

/// Of a command that Codex kills it depends on chance whether it still learns the signal (128 + 9) or nothing (-1).
fn is_killed(code: &serde_json::Number) -> bool {
    matches!(code.as_i64(), Some(-1 | 137))
}

fn is_time(key: &str) -> bool {
    key.ends_with("AtMs") || key.ends_with("At") || key == "durationMs"
}

/// Ids of which nobody needs to know which is which.
fn without_uuids(text: &str) -> String {
    let mut rest = text;
    let mut made = String::new();
    while let Some(start) = (0..rest.len()).find(|start| is_uuid(rest.get(*start..*start + UUID_LENGTH))) {
        made.push_str(&rest[..start]);
        made.push_str("<uuid>");
        rest = &rest[start + UUID_LENGTH..];
    }
    made + rest
}

fn is_uuid(text: Option<&str>) -> bool {
    let Some(text) = text else { return false };
    text.bytes().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    })
}

/// Commands run in the login shell of whoever runs the tests.
fn without_shell(text: &str) -> String {
    match text.split_once(" -lc ") {
        Some((shell, command)) if shell.starts_with('/') && !shell.contains(' ') => {
            format!("<shell> -lc {command}")
        }
        _ => text.to_owned(),
    }
}

/// How often a command said the same before it was ended is chance.
fn without_repetition(output: &str) -> String {
    // Why no namespace can be made is the machine's.
    if output.starts_with("bwrap: ") && output.contains("namespace") {
        return "bwrap: <no namespace>\n".to_owned();
    }
    let mut lines: Vec<&str> = output.split_inclusive('\n').collect();
    lines.dedup();
    lines.concat()
}

/// `…/sessions/2026/11/15/rollout-2026-11-15T06-30-01-<thread-1>.jsonl`
fn without_rollout_time(text: &str) -> String {
    match (text.find("/sessions/"), text.rfind("-<thread-")) {
        (Some(start), Some(end)) if start < end => {
            format!("{}/sessions/<time>{}", &text[..start], &text[end..])
        }
        _ => text.to_owned(),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some(_) => {
            format!("{}… <{} characters>", text.chars().take(40).collect::<String>(), text.chars().count())
        }
        None => text.to_owned(),
    }
}
