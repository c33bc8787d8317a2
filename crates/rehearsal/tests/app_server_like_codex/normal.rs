//! What is said, without what must differ between two runs: ids become their order of appearance, times become a word.

use std::{collections::BTreeMap, path::Path};

use serde_json::Value;

/// One message as `path → value`, and what it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Said {
    pub(crate) what: String,
    pub(crate) fields: BTreeMap<String, Value>,
}

/// Turns messages of one side into what can be compared.
pub(crate) struct Normaliser {
    work: String,
    home: String,
    ids: Vec<String>,
}

impl Normaliser {
    pub(crate) fn new(work: &Path, home: &Path) -> Self {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Self { work: text(work), home: text(home), ids: Vec::new() }
    }

    /// A notification or a request.
    pub(crate) fn said(&mut self, message: &Value) -> Said {
        let method = message["method"].as_str().unwrap_or_default();
        let kind = message["params"]["item"]["type"].as_str();
        let what = kind.map_or_else(|| method.to_owned(), |kind| format!("{method} {kind}"));
        Said { what, fields: self.fields(&message["params"]) }
    }

    /// An answer to a method.
    pub(crate) fn answered(&mut self, method: &str, message: &Value) -> Said {
        Said { what: format!("answer to {method}"), fields: self.fields(message) }
    }

    fn fields(&mut self, body: &Value) -> BTreeMap<String, Value> {
        let mut fields = BTreeMap::new();
        self.flatten("", body, &mut fields);
        fields
    }

    fn flatten(&mut self, path: &str, value: &Value, fields: &mut BTreeMap<String, Value>) {
        let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        match value {
            Value::Object(object) if !object.is_empty() => {
                object.iter().for_each(|(name, value)| self.flatten(&below(name), value, fields));
            }
            Value::Array(array) if !array.is_empty() => {
                array
                    .iter()
                    .enumerate()
                    .for_each(|(at, value)| self.flatten(&below(&at.to_string()), value, fields));
            }
            scalar => {
                fields.insert(path.to_owned(), self.scalar(path, scalar));
            }
        }
    }

    fn scalar(&mut self, path: &str, value: &Value) -> Value {
        let name = path.rsplit('.').next().unwrap_or_default();
        match value {
            Value::Number(_) if is_time(name) => "a time".into(),
            Value::Number(code) if name == "exitCode" && is_killed(code) => "killed".into(),
            Value::String(text) if name == "processId" => {
                if text.is_empty() {
                    "".into()
                } else {
                    "a number".into()
                }
            }
            Value::String(text) if name == "aggregatedOutput" => last_line(text).into(),
            Value::String(text) if is_id(name) || is_uuid(text) => self.id(text).into(),
            Value::String(text) => self.text(text).into(),
            other => other.clone(),
        }
    }

    fn id(&mut self, id: &str) -> String {
        let known = self.ids.iter().position(|known| known == id);
        let at = known.unwrap_or_else(|| {
            self.ids.push(id.to_owned());
            self.ids.len() - 1
        });
        format!("id {at}")
    }

    fn text(&mut self, text: &str) -> String {
        let text = text.replace(&self.work, "WORK").replace(&self.home, "HOME");
        let text = without_hashes(without_address(&without_shell(&text)));
        let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        words.map(|word| self.word(word)).collect()
    }

    /// Ids also stand in sentences.
    fn word(&mut self, word: &str) -> String {
        match word.get(..36).filter(|start| is_uuid(start)) {
            Some(id) => format!("{}{}", self.id(id), &word[36..]),
            None => word.to_owned(),
        }
    }
}

/// A login shell may have something to say before the command.
fn last_line(output: &str) -> &str {
    output.lines().last().unwrap_or_default()
}

/// Of a command that Codex kills it depends on chance whether it still learns the signal (128 + 9) or nothing (-1).
fn is_killed(code: &serde_json::Number) -> bool {
    matches!(code.as_i64(), Some(-1 | 137))
}

fn is_time(name: &str) -> bool {
    name.ends_with("Ms") || name.ends_with("At")
}

fn is_id(name: &str) -> bool {
    matches!(name, "id" | "itemId" | "callId" | "threadId" | "turnId" | "expectedTurnId" | "revision")
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| {
            if matches!(at, 8 | 13 | 18 | 23) { byte == b'-' } else { byte.is_ascii_hexdigit() }
        })
}

/// A command without the shell that runs it: Codex takes the person's login shell, the simulation `/bin/sh`.
fn without_shell(text: &str) -> String {
    let bare = ["/bin/bash -lc ", "/bin/sh -c "].iter().find_map(|shell| text.strip_prefix(shell));
    bare.map_or_else(|| text.to_owned(), |command| command.trim_matches(['\'', '"']).to_owned())
}

/// The words of a failed request without the address, which the simulation does not have.
fn without_address(text: &str) -> &str {
    text.split_once(", url: http://").map_or(text, |(words, _)| words)
}

/// A diff without git's line of hashes, which the simulation does not make.
fn without_hashes(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with("index ")).collect()
}
