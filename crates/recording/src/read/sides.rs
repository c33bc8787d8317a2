//! A log of bare lines, and who said each: the log does not say, so the line itself has to.

use std::collections::HashSet;

use serde_json::Value;

use super::{Entry, Form, Recording, lines, value};
use crate::entry::Direction;

/// How the requests end that Codex makes of its client; every other request is the client's.
const ASKED_BY_CODEX: [&str; 10] = [
    "/requestApproval",
    "item/tool/requestUserInput",
    "item/tool/call",
    "mcpServer/elicitation/request",
    "account/chatgptAuthTokens/refresh",
    "currentTime/read",
    "attestation/generate",
    "applyPatchApproval",
    "execCommandApproval",
    "/elicitation",
];
/// What only a client's answer holds.
const SAID_BY_CLIENTS: [&str; 6] =
    ["decision", "contentItems", "answers", "action", "permissions", "currentTimeAt"];

/// A relay's log.
pub(super) fn read(text: &str) -> Recording {
    let mut recording = Recording::new(Form::Relay);
    let mut sides = Sides::default();
    let mut lines = lines(text).peekable();
    while let Some((number, line)) = lines.next() {
        match value(line) {
            // caic's relay, and ours when asked to, put lines of their own between.
            Some(message) if is_put_in(&message) => {
                recording.left_out.push((number, put_in(&message)));
            }
            Some(message) => {
                let direction = sides.of(&message);
                recording.entries.push(Entry { at: None, direction, text: line.to_owned() });
            }
            // Law: what is not JSON was said too.
            None if lines.peek().is_some() => recording.entries.push(received(line)),
            None => recording.cut = true,
        }
    }
    recording
}

pub(super) fn received(line: &str) -> Entry {
    Entry { at: None, direction: Direction::Received, text: line.to_owned() }
}

pub(super) fn is_put_in(message: &Value) -> bool {
    message.get("type").is_some_and(Value::is_string)
        && message.get("method").is_none()
        && message.get("id").is_none()
}

pub(super) fn put_in(message: &Value) -> String {
    format!("`{}` was put in between", message["type"].as_str().unwrap_or_default())
}

/// Which requests wait for an answer, of either side.
#[derive(Default)]
pub(super) struct Sides {
    of_client: HashSet<String>,
    of_codex: HashSet<String>,
}

impl Sides {
    pub(super) fn of(&mut self, message: &Value) -> Direction {
        let id = message.get("id").map(Value::to_string);
        match (message["method"].as_str(), id) {
            (Some(method), Some(id)) if ASKED_BY_CODEX.iter().any(|end| method.ends_with(end)) => {
                self.of_codex.insert(id);
                Direction::Received
            }
            (Some(_), Some(id)) => {
                self.of_client.insert(id);
                Direction::Sent
            }
            (Some("initialized"), None) => Direction::Sent,
            (Some(_), None) | (None, None) => Direction::Received,
            (None, Some(id)) => self.of_answer(&id, &message["result"]),
        }
    }

    fn of_answer(&mut self, id: &str, result: &Value) -> Direction {
        let asked_by_both = self.of_client.contains(id) && self.of_codex.contains(id);
        let by_client = match asked_by_both {
            true => SAID_BY_CLIENTS.iter().any(|key| result.get(key).is_some()),
            false => self.of_codex.contains(id),
        };
        let open = if by_client { &mut self.of_codex } else { &mut self.of_client };
        open.remove(id);
        if by_client { Direction::Sent } else { Direction::Received }
    }
}
