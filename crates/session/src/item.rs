//! The one typed view of an item's JSON.

use serde_json::Value;

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
    /// The threads it names as its sub-agents'.
    pub children: Vec<String>,
}

impl Item {
    /// Reads an item; one that is not an object has no kind and no id.
    #[must_use]
    pub fn read(json: &Json) -> Self {
        let value: Value = serde_json::from_str(json.text()).unwrap_or_default();
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let receivers = value["receiverThreadIds"].as_array().into_iter().flatten();
        let named = receivers.chain(value.get("agentThreadId")).filter_map(Value::as_str);
        Self {
            kind: text("type").unwrap_or_default(),
            id: text("id").unwrap_or_default(),
            text: text("text"),
            phase: text("phase"),
            children: named.map(str::to_owned).collect(),
        }
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
}
