//! The one typed view of an item's JSON.

mod whole;

pub use whole::Whole;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::json::Json;

/// What the machine reads of an item; everything else is passed on unread. A field of another type than we know is as
/// good as missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// Its kind, in Codex's words: `agentMessage`, `commandExecution`, …
    pub kind: String,
    /// Unique within its turn.
    pub id: String,
    /// The text of a message or a plan.
    pub text: Option<String>,
    /// `commentary`, `final_answer` or nothing, of a message.
    pub phase: Option<String>,
    /// `inProgress`, `completed`, `failed`, `declined`, of what has a status.
    pub status: Option<String>,
    /// Our own id of a user's message.
    pub client_id: Option<String>,
    /// The threads it names as its sub-agents'.
    pub children: Vec<String>,
}

/// The fields that are read, still raw: a command's megabytes of output are skipped, not copied.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Fields<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    phase: Option<&'a RawValue>,
    #[serde(borrow)]
    status: Option<&'a RawValue>,
    #[serde(borrow)]
    client_id: Option<&'a RawValue>,
    #[serde(borrow)]
    receiver_thread_ids: Option<&'a RawValue>,
    #[serde(borrow)]
    agent_thread_id: Option<&'a RawValue>,
    #[serde(borrow)]
    aggregated_output: Option<&'a RawValue>,
}

impl<'a> Fields<'a> {
    fn of(json: &'a Json) -> Self {
        serde_json::from_str(json.text()).unwrap_or_default()
    }
}

fn text(raw: Option<&RawValue>) -> Option<String> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
}

impl Item {
    /// Reads an item; one that is not an object has no kind and no id.
    #[must_use]
    pub fn read(json: &Json) -> Self {
        let fields = Fields::of(json);
        let receivers = fields.receiver_thread_ids.and_then(|raw| serde_json::from_str(raw.get()).ok());
        let receivers: Vec<Value> = receivers.unwrap_or_default();
        let named = receivers.iter().filter_map(Value::as_str).map(str::to_owned);
        Self {
            kind: text(fields.kind).unwrap_or_default(),
            id: text(fields.id).unwrap_or_default(),
            text: text(fields.text),
            phase: text(fields.phase),
            status: text(fields.status),
            client_id: text(fields.client_id),
            children: named.chain(text(fields.agent_thread_id)).collect(),
        }
    }

    /// Its id alone.
    pub(crate) fn id_of(json: &Json) -> String {
        text(Fields::of(json).id).unwrap_or_default()
    }

    /// Whether it is a command that failed because this machine makes no sandbox.
    pub(crate) fn shows_no_sandbox(&self, json: &Json) -> bool {
        if self.kind != "commandExecution" || self.status.as_deref() != Some("failed") {
            return false;
        }
        // As bubblewrap says it; it is the first thing in such an output.
        let output = text(Fields::of(json).aggregated_output).unwrap_or_default();
        let first = output.lines().find(|line| line.contains("bwrap: ")).unwrap_or_default();
        first.contains("namespace") || first.contains("uid map")
    }

    /// Whether it shows that the agent did something to the world, so that running its turn again could do it twice.
    #[must_use]
    pub fn acts(&self) -> bool {
        !matches!(self.kind.as_str(), "userMessage" | "reasoning" | "agentMessage")
    }

    /// Whether this is an agent's message.
    #[must_use]
    pub fn is_message(&self) -> bool {
        self.kind == "agentMessage"
    }

    /// Whether this is the message Codex marks as its answer.
    #[must_use]
    pub fn is_final_answer(&self) -> bool {
        self.is_message() && self.phase.as_deref() == Some("final_answer")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_read_however_little_of_it_is_as_expected() {
        let read = |text: &str| Item::read(&Json::parse(text).unwrap());
        let item = read(r#"{"type":"agentMessage","id":"m","text":7,"phase":"final_answer","new":[]}"#);
        assert!(item.is_final_answer() && item.text.is_none());
        let item = read(
            r#"{"type":"collabAgentToolCall","id":"c","receiverThreadIds":["a",1],"agentThreadId":"b"}"#,
        );
        assert_eq!((item.children.as_slice(), item.acts()), (&["a".to_owned(), "b".to_owned()][..], true));
        assert_eq!(read("[1]"), Item::default());
    }

    #[test]
    fn a_command_without_a_sandbox_is_recognised_by_how_it_failed() {
        let cases = [
            ("failed", "bwrap: Creating new namespace failed: nesting depth exceeded (ENOSPC)\n", true),
            ("failed", "bwrap: No permissions to create new namespace\n", true),
            ("failed", "bwrap: setting up uid map: Permission denied\n", true),
            ("failed", "bwrap: execvp nothing: No such file\n", false),
            ("completed", "bwrap: Creating new namespace failed\n", false),
            ("failed", "namespace App;", false),
        ];
        for (status, output, expected) in cases {
            let json = serde_json::json!({"type": "commandExecution", "id": "c", "status": status, "aggregatedOutput": output});
            let json = Json::from(json);
            assert_eq!(Item::read(&json).shows_no_sandbox(&json), expected, "{status} {output}");
        }
    }
}
