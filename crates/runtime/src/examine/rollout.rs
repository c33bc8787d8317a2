//! Reads from Codex's own record whether a turn had done something to the world before it was cut.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

use serde::{Deserialize, de::IgnoredAny};

/// What is in the record after a message without anything having been done. Whatever else there is counts as a deed.
const HARMLESS: [&str; 4] = ["message", "reasoning", "ghost_snapshot", "configuration_update"];
/// Items that are only words.
const WORDS: [&str; 5] = ["UserMessage", "AgentMessage", "Reasoning", "Plan", "HookPrompt"];
/// Parts of the names of events that report a deed.
const DEEDS: [&str; 8] = [
    "exec_command",
    "patch_apply",
    "tool_call",
    "web_search",
    "image_generation",
    "collab",
    "sub_agent",
    "terminal_interaction",
];

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    payload: Told,
}

/// What a line tells. Lines of kinds that report no deed may tell it in any shape: a name is a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Told {
    Fields(Payload),
    Otherwise(IgnoredAny),
}

impl Default for Told {
    fn default() -> Self {
        Self::Fields(Payload::default())
    }
}

#[derive(Deserialize, Default)]
struct Payload {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    turn_id: Option<String>,
    #[serde(default)]
    client_id: Option<String>,
    #[serde(default)]
    item: Option<Item>,
}

#[derive(Deserialize, Default)]
struct Item {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    client_id: Option<String>,
}

/// Whether there is a deed after the message, or after the beginning of the turn where the message cannot be found. A
/// record that is missing, compressed, torn or of another shape counts as yes.
pub(super) fn acted(path: &Path, message: Option<&str>, turn: &str) -> bool {
    match File::open(path) {
        Ok(file) => acted_in(BufReader::new(file), message, turn).unwrap_or(true),
        Err(_missing) => true,
    }
}

fn acted_in(record: impl BufRead, message: Option<&str>, turn: &str) -> io::Result<bool> {
    let mut begun = false;
    for line in record.split(b'\n') {
        let line = line?;
        if line.is_empty() {
            continue;
        }
        match serde_json::from_slice::<Line>(&line) {
            Ok(line) if begun && line.is_deed() => return Ok(true),
            Ok(line) => begun = begun || line.begins(message, turn),
            Err(_torn) if begun => return Ok(true),
            Err(_other_shape) => {}
        }
    }
    Ok(!begun)
}

/// Whether a line of the record reports a deed; one of another shape counts as one.
pub(super) fn is_deed(line: &[u8]) -> bool {
    serde_json::from_slice::<Line>(line).map_or(true, |line| line.is_deed())
}

impl Line {
    /// Whether the turn begins here, or its message stands here.
    fn begins(&self, message: Option<&str>, turn: &str) -> bool {
        let Told::Fields(payload) = &self.payload else { return false };
        let of_item = payload.item.as_ref().and_then(|item| item.client_id.as_deref());
        let sender = payload.client_id.as_deref().or(of_item);
        let is_message = message.is_some() && sender == message;
        let is_turn = payload.kind == "task_started" && payload.turn_id.as_deref() == Some(turn);
        is_message || is_turn
    }

    fn is_deed(&self) -> bool {
        if !matches!(self.kind.as_str(), "response_item" | "event_msg") {
            return false;
        }
        // One that could report a deed, in a shape that we do not know, does.
        let Told::Fields(payload) = &self.payload else { return true };
        let kind = payload.kind.as_str();
        match self.kind.as_str() {
            "response_item" => !HARMLESS.contains(&kind),
            _ if matches!(kind, "item_started" | "item_completed") => {
                payload.item.as_ref().is_none_or(|item| !WORDS.contains(&item.kind.as_str()))
            }
            _ => DEEDS.iter().any(|deed| kind.contains(deed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Lines of records of the real 0.166.0, shortened.
    const META: &str = r#"{"timestamp":"t","ordinal":0,"type":"session_meta","payload":{"id":"a"}}"#;
    const OLD_CALL: &str =
        r#"{"type":"response_item","payload":{"type":"function_call","name":"exec_command"}}"#;
    const STARTED: &str = r#"{"type":"event_msg","payload":{"type":"task_started","turn_id":"turn"}}"#;
    const CONTEXT: &str = r#"{"type":"turn_context","payload":{"turn_id":"turn","cwd":"/w"}}"#;
    const SAID: &str = r#"{"type":"event_msg","payload":{"type":"item_completed","turn_id":"turn","item":{"type":"UserMessage","id":"u","client_id":"ours","content":[]}}}"#;
    const THOUGHT: &str = r#"{"type":"response_item","payload":{"type":"reasoning","summary":[]}}"#;
    const ANSWERED: &str = r#"{"type":"response_item","payload":{"type":"message","role":"assistant"}}"#;
    const COUNTED: &str = r#"{"type":"event_msg","payload":{"type":"token_count","info":null}}"#;

    fn read(lines: &[&str]) -> bool {
        acted_in(lines.join("\n").as_bytes(), Some("ours"), "turn").unwrap()
    }

    #[test]
    fn words_alone_are_no_deed_and_neither_is_what_was_done_before() {
        assert!(!read(&[META, OLD_CALL, STARTED, CONTEXT, SAID, THOUGHT, ANSWERED, COUNTED]));
        assert!(!read(&[META, STARTED, CONTEXT]), "the message was not even stored");
        for aside in [r#"{"type":"named","payload":"Tidy up"}"#, r#"{"type":"archived","payload":true}"#] {
            assert!(!read(&[META, STARTED, SAID, aside]), "{aside}");
        }
    }

    #[test]
    fn every_kind_of_call_after_the_message_is_a_deed() {
        let calls = ["function_call", "custom_tool_call", "local_shell_call", "web_search_call", "new_call"];
        for call in calls {
            let call = format!(r#"{{"type":"response_item","payload":{{"type":"{call}"}}}}"#);
            assert!(read(&[META, STARTED, SAID, &call]), "{call}");
        }
        for event in ["exec_command_begin", "patch_apply_end", "mcp_tool_call_begin"] {
            let event = format!(r#"{{"type":"event_msg","payload":{{"type":"{event}"}}}}"#);
            assert!(read(&[META, STARTED, SAID, &event]), "{event}");
        }
        let item =
            r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution"}}}"#;
        assert!(read(&[META, STARTED, SAID, item]));
    }

    #[test]
    fn what_cannot_be_read_counts_as_a_deed() {
        assert!(read(&[META, OLD_CALL]), "neither message nor turn is there");
        assert!(read(&[META, STARTED, SAID, r#"{"type":"response_item","payl"#]), "torn");
        for kind in ["response_item", "event_msg"] {
            assert!(
                read(&[META, STARTED, SAID, &format!(r#"{{"type":"{kind}","payload":"new"}}"#)]),
                "{kind}"
            );
        }
        assert!(acted(&PathBuf::from("/nowhere/rollout.jsonl"), Some("ours"), "turn"));
        assert!(acted_in(&b"\x28\xb5\x2f\xfd compressed"[..], Some("ours"), "turn").unwrap());
    }
}
