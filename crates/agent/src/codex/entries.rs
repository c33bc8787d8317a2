//! From the events of a journal to the entries of a transcript: one for each thing that was said or done, none for its pieces.

use std::collections::{HashMap, HashSet};

use selvedge_runtime::session::data::{Finished, ItemData};
use selvedge_runtime::session::{Event, InputPart, Json, MessageId, Status, What};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::events::ADAPTER;
use crate::transcript::{TranscriptEntry, TranscriptType as Type};

/// Codex's own tools, by the kinds of their items.
const TOOLS: [&str; 4] = ["commandExecution", "fileChange", "mcpToolCall", "webSearch"];
/// Items that say again what other events have said.
const SAID: [&str; 2] = ["userMessage", "dynamicToolCall"];
/// Where an entry comes from that is no sub-agent's.
const MAIN: &str = "main";

/// Reads events, and keeps what they say about messages that are asked for.
pub(super) struct Entries<F> {
    /// The prompt that a message was sent for, if it is asked for.
    prompt_of: F,
    entries: HashMap<Uuid, Vec<TranscriptEntry>>,
    /// The message that is being worked for, with its prompt.
    running: Option<Work>,
    /// Calls of Codex's own tools whose beginning was told.
    begun: HashSet<String>,
}

/// A message that is asked for.
#[derive(Clone)]
struct Work {
    message: Uuid,
    prompt_name: String,
}

/// What an event says.
type Said = (Type, Value);

impl<F: Fn(MessageId) -> Option<String>> Entries<F> {
    pub(super) fn new(prompt_of: F) -> Self {
        Self { prompt_of, entries: HashMap::new(), running: None, begun: HashSet::new() }
    }

    pub(super) fn done(self) -> HashMap<Uuid, Vec<TranscriptEntry>> {
        self.entries
    }

    pub(super) fn hear(&mut self, event: &Event) {
        match &event.what {
            What::MessageAccepted(accepted) => {
                let said = accepted.input.iter().map(part).collect::<Vec<_>>();
                let said = (Type::UserMessage, json!({"input": said}));
                self.put(self.work(accepted.message_id), event, said);
            }
            What::MessageStarted(started) => self.running = self.work(started.message_id),
            What::MessageFinished(finished) => {
                if let Some(said) = ended(finished) {
                    self.put(self.work(finished.message_id), event, said);
                }
                self.running.take_if(|work| work.message == finished.message_id.0);
            }
            What::ItemStarted(data) => self.item_started(event, data),
            What::ItemCompleted(data) => self.item_completed(event, data),
            _ => {
                if let Some(said) = other(event) {
                    self.put(self.running.clone(), event, said);
                }
            }
        }
    }

    fn work(&self, message: MessageId) -> Option<Work> {
        (self.prompt_of)(message).map(|prompt_name| Work { message: message.0, prompt_name })
    }

    fn item_started(&mut self, event: &Event, data: &ItemData) {
        let item = read(&data.item);
        if is_one_of(&item, &TOOLS) {
            self.begun.insert(id(event, &item));
            self.add(event, Type::ToolUse, json!({"item": item}));
        }
    }

    fn item_completed(&mut self, event: &Event, data: &ItemData) {
        let item = read(&data.item);
        let detail = match &data.closed {
            Some(closed) => json!({"item": item, "closed": closed}),
            None => json!({"item": item}),
        };
        match item["type"].as_str().unwrap_or_default() {
            "agentMessage" => self.add(event, Type::AssistantMessage, detail),
            "reasoning" => self.add(event, Type::Thinking, detail),
            "contextCompaction" => self.add(event, Type::SystemEvent, named("compaction", detail)),
            _ if is_one_of(&item, &TOOLS) => {
                // Some are told of only when they have ended.
                if !self.begun.remove(&id(event, &item)) {
                    self.add(event, Type::ToolUse, detail.clone());
                }
                self.add(event, Type::ToolResult, detail);
            }
            _ if is_one_of(&item, &SAID) => {}
            _ => self.add(event, Type::Unknown, detail),
        }
    }

    /// Adds something about the message that is worked for.
    fn add(&mut self, event: &Event, kind: Type, detail: Value) {
        self.put(self.running.clone(), event, (kind, detail));
    }

    fn put(&mut self, work: Option<Work>, event: &Event, (entry_type, detail): Said) {
        let Some(Work { message, prompt_name }) = work else { return };
        self.entries.entry(message).or_default().push(TranscriptEntry {
            prompt_name,
            adapter: ADAPTER.to_owned(),
            entry_type,
            // Given when all are together.
            sequence_number: 0,
            source: event.thread_id.clone().unwrap_or_else(|| MAIN.to_owned()),
            timestamp: jiff::Timestamp::from_millisecond(event.at.0).unwrap_or_default(),
            session_id: event.session_id.0,
            event: event.seq,
            detail,
        });
    }
}

/// What is said of an end that is no answer.
fn ended(finished: &Finished) -> Option<Said> {
    let error = serde_json::to_value(&finished.error).unwrap_or_default();
    match finished.status {
        Status::Completed => None,
        Status::Interrupted => Some((Type::SystemEvent, json!({"subtype": "interrupted"}))),
        Status::Failed | Status::Lost => {
            Some((Type::Error, json!({"status": finished.status.as_str(), "error": error})))
        }
    }
}

/// What else belongs in a transcript.
fn other(event: &Event) -> Option<Said> {
    let data = || serde_json::to_value(event).map(|mut event| event["data"].take()).unwrap_or_default();
    let system = |subtype: &str| Some((Type::SystemEvent, named(subtype, data())));
    match &event.what {
        What::ToolRequested(_) => Some((Type::ToolUse, call(event, data()))),
        What::ToolResolved(_) => Some((Type::ToolResult, call(event, data()))),
        What::UsageUpdated(_) => Some((Type::TokenUsage, data())),
        What::TurnStarted(_) => system("turn_started"),
        What::ApprovalRequested(_) => system("approval_requested"),
        What::ApprovalResolved(_) => system("approval_resolved"),
        What::CodexExited(_) => system("codex_exited"),
        What::CodexRestarted(_) => system("codex_restarted"),
        What::SessionWarning(_) => system("warning"),
        What::CodexUnknown(line) if is_of_a_turn(&line.raw) => Some((Type::Unknown, data())),
        What::Other(..) => Some((Type::Unknown, data())),
        _ => None,
    }
}

/// Whether a line that nobody knows tells of a turn. Of others there are many, and older versions say everything twice.
fn is_of_a_turn(line: &str) -> bool {
    let line: Value = serde_json::from_str(line).unwrap_or_default();
    line["method"].as_str().is_some_and(|method| method.starts_with("item/") || method.starts_with("turn/"))
}

/// A call of the prompt's own tools, with Codex's id of it.
fn call(event: &Event, mut detail: Value) -> Value {
    if let Some(call_id) = &event.item_id {
        detail["call_id"] = call_id.as_str().into();
    }
    detail
}

fn named(subtype: &str, mut detail: Value) -> Value {
    detail["subtype"] = subtype.into();
    detail
}

fn part(part: &InputPart) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

fn id(event: &Event, item: &Value) -> String {
    let of_item = item["id"].as_str().map(str::to_owned);
    let id = event.item_id.clone().or(of_item).unwrap_or_default();
    format!("{}/{id}", event.turn_id.as_deref().unwrap_or_default())
}

fn is_one_of(item: &Value, kinds: &[&str]) -> bool {
    item["type"].as_str().is_some_and(|kind| kinds.contains(&kind))
}

fn read(json: &Json) -> Value {
    serde_json::from_str(json.text()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
