//! What an item of Codex's is about, for whoever tells it in other words. A field of another type than we know is as good
//! as missing.

use selvedge_session::Json;
use serde::Serialize;
use serde_json::{Map, Value};

/// An item, read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Item {
    /// Its kind, in Codex's words.
    pub(crate) kind: String,
    /// Unique within its turn.
    pub(crate) id: String,
    fields: Map<String, Value>,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Change {
    /// Which.
    pub(crate) path: String,
    /// `add`, `update`, `delete`, or a word of a later Codex.
    pub(crate) kind: String,
    /// The diff, or the content of a new file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) diff: String,
}

impl Item {
    pub(crate) fn read(json: &Json) -> Self {
        Self::of(serde_json::from_str(json.text()).unwrap_or_default())
    }

    pub(crate) fn of(fields: Map<String, Value>) -> Self {
        let text = |key: &str| fields.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { kind: text("type"), id: text("id"), fields }
    }

    /// A field as it is; null if there is none.
    pub(crate) fn value(&self, key: &str) -> &Value {
        self.fields.get(key).unwrap_or(&Value::Null)
    }

    /// A field of text; empty if there is none.
    pub(crate) fn text(&self, key: &str) -> &str {
        self.value(key).as_str().unwrap_or_default()
    }

    /// The command line; older versions had it as words.
    pub(crate) fn command(&self) -> String {
        words(self.value("command"))
    }

    pub(crate) fn exit_code(&self) -> Option<i64> {
        self.value("exitCode").as_i64()
    }

    /// Whether Codex says that it did not work, or was not allowed.
    pub(crate) fn has_failed(&self) -> bool {
        matches!(self.text("status"), "failed" | "declined")
    }

    pub(crate) fn changes(&self) -> Vec<Change> {
        changes(self.value("changes"))
    }

    /// What was thought: its summary, else the thoughts themselves.
    pub(crate) fn thoughts(&self) -> String {
        let summary = lines(self.value("summary"));
        if summary.is_empty() { lines(self.value("content")) } else { summary }
    }

    /// The threads it names as its sub-agents'.
    pub(crate) fn receivers(&self) -> Vec<&str> {
        let named =
            self.value("receiverThreadIds").as_array().into_iter().flatten().filter_map(Value::as_str);
        named.chain(self.value("agentThreadId").as_str()).collect()
    }

    /// Why a call went wrong: an object with a message, or the message itself.
    pub(crate) fn error(&self) -> Option<&str> {
        let error = self.value("error");
        error["message"].as_str().or(error.as_str())
    }

    /// What an MCP tool gave: the text of its parts, else its structured content, else nothing.
    pub(crate) fn mcp_result(&self) -> String {
        let result = self.value("result");
        let parts = result["content"].as_array().into_iter().flatten();
        let texts: Vec<_> = parts.filter_map(|part| part["text"].as_str()).collect();
        match (texts.is_empty(), result) {
            (false, _) => texts.join("\n"),
            (true, Value::String(text)) => text.clone(),
            (true, result) if !result["structuredContent"].is_null() => {
                result["structuredContent"].to_string()
            }
            (true, _) => String::new(),
        }
    }

    /// What one of the session's own tools gave, as text.
    pub(crate) fn tool_result(&self) -> String {
        let parts = self.value("contentItems").as_array().into_iter().flatten();
        let texts: Vec<_> = parts.filter_map(|part| part["text"].as_str()).collect();
        texts.join("\n")
    }

    /// Everything but what each item has.
    pub(crate) fn rest(&self) -> Value {
        let common = ["type", "id", "status", "startedAtMs", "completedAtMs"];
        let rest =
            self.fields.iter().filter(|(key, value)| !common.contains(&key.as_str()) && !value.is_null());
        Value::Object(rest.map(|(key, value)| (key.clone(), value.clone())).collect())
    }
}

/// A command line, or its words joined.
pub(crate) fn words(command: &Value) -> String {
    match command {
        Value::Array(words) => {
            words.iter().map(|word| word.as_str().unwrap_or_default()).collect::<Vec<_>>().join(" ")
        }
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

/// Changed files. A kind is an object with a type, or the word alone.
pub(crate) fn changes(list: &Value) -> Vec<Change> {
    let list = list.as_array().into_iter().flatten();
    list.map(|change| {
        let kind = &change["kind"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Change {
            path: text(&change["path"]),
            kind: kind["type"].as_str().or(kind.as_str()).unwrap_or("update").to_owned(),
            diff: text(&change["diff"]),
        }
    })
    .collect()
}

/// A text, or texts one below the other.
fn lines(value: &Value) -> String {
    match value {
        Value::Array(texts) => {
            let texts = texts.iter().filter_map(|text| text.as_str().or(text["text"].as_str()));
            texts.collect::<Vec<_>>().join("\n")
        }
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn item(value: Value) -> Item {
        Item::read(&Json::from(value))
    }

    #[test]
    fn fields_are_read_in_whatever_form_a_version_had_them() {
        assert_eq!(item(json!({"command": ["ls", "-l"]})).command(), "ls -l");
        assert_eq!(item(json!({"command": "ls -l"})).command(), "ls -l");
        assert_eq!(item(json!({"summary": ["a", "b"], "content": ["raw"]})).thoughts(), "a\nb");
        assert_eq!(item(json!({"summary": [], "content": [{"text": "raw"}]})).thoughts(), "raw");
        assert_eq!(item(json!({"summary": 7})).thoughts(), "");
        let kinds =
            json!({"changes": [{"path": "a", "kind": {"type": "add"}}, {"path": "b", "kind": "delete"}, {}]});
        let kinds = item(kinds).changes().into_iter().map(|change| change.kind).collect::<Vec<_>>();
        assert_eq!(kinds, ["add", "delete", "update"]);
        assert_eq!(item(json!({"error": {"message": "no"}})).error(), Some("no"));
        assert_eq!(item(json!({"error": "no"})).error(), Some("no"));
        assert_eq!(item(json!([1])).kind, "");
    }

    #[test]
    fn what_a_tool_gave_is_text_if_it_has_any() {
        let given = |result: Value| item(json!({"result": result})).mcp_result();
        assert_eq!(
            given(json!({"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}]})),
            "a\nb"
        );
        assert_eq!(given(json!({"content": [], "structuredContent": {"n": 1}})), r#"{"n":1}"#);
        assert_eq!(given(json!("plain")), "plain");
        assert_eq!(given(json!(null)), "");
    }
}
