//! What YAAR is told of each event.

use std::collections::BTreeMap;

use selvedge_session::{
    Event, Status, What,
    data::{self, DeltaKind},
};
use serde::Serialize;
use serde_json::Value;

use super::telling::{asked, given, used};
use crate::{
    item::Item,
    number::{Numbered, numbered},
};

/// Which of YAAR's two tellings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Telling {
    /// As at its head: tools of every kind, each with its id.
    #[default]
    Head,
    /// As in its first guide: MCP calls and commands alone, without ids.
    Seed,
}

/// A message of YAAR's.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamMessage {
    /// `text`, `thinking`, `tool_use`, `tool_result`, `complete`, `error`, `approval_request` or `approval_resolved`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// What is said, thought or given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The session, where it begins and where a turn ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// What it is used with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_input: Option<Value>,
    /// Which use of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether what a tool gave is an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// The question, by which it is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialog_id: Option<String>,
}

/// Speaks YAAR's language.
#[derive(Debug, Clone, Default)]
pub struct Speaker {
    telling: Telling,
    session: String,
    /// Of each item that thinks, the kind of pieces that is told.
    thoughts: BTreeMap<String, DeltaKind>,
    /// Whether anything was told of an item in pieces.
    in_pieces: BTreeMap<String, bool>,
}

impl Speaker {
    /// One that tells as it is asked to.
    #[must_use]
    pub fn telling(telling: Telling) -> Self {
        Self { telling, ..Self::default() }
    }

    /// Hears an event, and says what YAAR is told of it.
    pub fn hear(&mut self, event: &Event) -> Vec<Numbered<StreamMessage>> {
        numbered(event.seq, self.tell(event))
    }

    fn tell(&mut self, event: &Event) -> Vec<StreamMessage> {
        match &event.what {
            What::SessionCreated(_) => {
                self.session = event.session_id.to_string();
                vec![StreamMessage { session_id: Some(self.session.clone()), ..said("text", "") }]
            }
            // What a sub-agent does is its parent's affair: the parent's item tells what came of it.
            _ if event.thread_id.is_some() => Vec::new(),
            What::ItemDelta(it) => self.piece(event.item_id.as_deref().unwrap_or_default(), it),
            What::ItemStarted(it) => used(self.telling, &Item::read(&it.item)).into_iter().collect(),
            What::ItemCompleted(it) => self.ended(&Item::read(&it.item)),
            What::TurnCompleted(it) => self.turn_ended(it),
            What::MessageFinished(it) => self.never_ran(event, it),
            What::ApprovalRequested(it) => vec![asked(it)],
            What::ApprovalResolved(it) => vec![StreamMessage {
                dialog_id: Some(it.approval_id.to_string()),
                ..said("approval_resolved", &it.by)
            }],
            _ => Vec::new(),
        }
    }

    fn piece(&mut self, item: &str, it: &data::Delta) -> Vec<StreamMessage> {
        let kind = match it.kind {
            DeltaKind::Text => "text",
            // YAAR's head tells raw thoughts alone, and so nothing of models that only sum theirs up.
            kind @ (DeltaKind::Reasoning | DeltaKind::ReasoningSummary) => {
                if *self.thoughts.entry(item.to_owned()).or_insert(kind) != kind {
                    return Vec::new();
                }
                "thinking"
            }
            DeltaKind::Output | DeltaKind::Patch | DeltaKind::Plan => return Vec::new(),
        };
        self.in_pieces.insert(item.to_owned(), true);
        vec![said(kind, &it.delta)]
    }

    /// What was not told in pieces is told whole.
    fn ended(&mut self, item: &Item) -> Vec<StreamMessage> {
        self.thoughts.remove(&item.id);
        let told = self.in_pieces.remove(&item.id).unwrap_or(false);
        match item.kind.as_str() {
            "agentMessage" | "reasoning" if told => Vec::new(),
            "agentMessage" => whole("text", item.text("text")),
            "reasoning" => whole("thinking", &item.thoughts()),
            _ => given(self.telling, item),
        }
    }

    fn turn_ended(&self, it: &data::TurnCompleted) -> Vec<StreamMessage> {
        let session_id = Some(self.session.clone());
        let words = it.error.as_ref().map(|error| error.message.as_str());
        vec![match it.status {
            Status::Completed => StreamMessage { kind: "complete", session_id, ..StreamMessage::default() },
            // It is run again.
            Status::Interrupted if it.message_ids.is_empty() => return Vec::new(),
            Status::Interrupted => wrong("Turn was interrupted"),
            Status::Failed => wrong(words.unwrap_or("Turn failed")),
            Status::Lost => wrong(words.unwrap_or("Nobody knows how the turn ended")),
        }]
    }

    /// A message that never got a turn ends too.
    fn never_ran(&self, event: &Event, it: &data::Finished) -> Vec<StreamMessage> {
        let failed = matches!(it.status, Status::Failed | Status::Lost);
        let error =
            it.error.as_ref().filter(|_| failed && event.turn_id.is_none() && it.steered_into.is_none());
        error.map(|error| wrong(&error.message)).into_iter().collect()
    }
}

pub(super) fn said(kind: &'static str, content: &str) -> StreamMessage {
    StreamMessage { kind, content: Some(content.to_owned()), ..StreamMessage::default() }
}

fn whole(kind: &'static str, content: &str) -> Vec<StreamMessage> {
    if content.is_empty() { Vec::new() } else { vec![said(kind, content)] }
}

fn wrong(words: &str) -> StreamMessage {
    StreamMessage { kind: "error", error: Some(words.to_owned()), ..StreamMessage::default() }
}
