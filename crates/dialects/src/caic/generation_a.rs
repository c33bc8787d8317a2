//! The first generation: messages shaped like Claude's.

use serde_json::{Value, json};

use super::{
    message::{
        ApiMessage, Assistant, Content, Ended, Message, Said, Semantic, Stream, StreamEvent, System,
        TextDelta, Usage, User,
    },
    parse::{Piece, Told},
};
use crate::item::Item;

/// Whether an item that begins or ends has a message of its own.
pub(super) fn knows(kind: &str, started: bool) -> bool {
    match kind {
        "commandExecution" | "mcpToolCall" => true,
        "agentMessage" | "reasoning" | "fileChange" | "webSearch" | "todoList" => !started,
        _ => false,
    }
}

pub(super) fn messages(told: Told<'_>) -> Vec<Message> {
    vec![match told {
        Told::Begun { thread } => system("init", thread["id"].as_str().unwrap_or_default()),
        Told::TurnStarted => system("turn_started", ""),
        Told::TurnEnded { failed: false, usage, .. } => ended(false, String::new(), usage),
        Told::TurnEnded { error, .. } | Told::Failed(error) => ended(true, error, Usage::default()),
        Told::Started(item) => used(&item),
        Told::Completed(item) => completed(&item),
        Told::Piece { kind: Piece::Text, text, .. } => stream(text),
        Told::DiffStat { stat, .. } => {
            Semantic { r#type: "caic_diff_stat", diff_stat: Some(stat), ..Semantic::default() }.message()
        }
        Told::Raw(kind, raw) => Message::raw(kind, raw),
        // The first generation did not know these: it would have kept the line.
        Told::Piece { .. } | Told::Used { .. } | Told::Status(_) | Told::Rerouted { .. } | Told::Nothing => {
            return Vec::new();
        }
    }]
}

fn system(subtype: &str, session_id: &str) -> Message {
    let begins = subtype == "init";
    let empty = || begins.then(String::new);
    let system = System {
        r#type: "system",
        subtype: subtype.to_owned(),
        session_id: session_id.to_owned(),
        cwd: empty(),
        tools: begins.then(Vec::new),
        model: empty(),
        claude_code_version: empty(),
        ..System::default()
    };
    Message::new("system", Said::System(system))
}

fn ended(is_error: bool, result: String, usage: Usage) -> Message {
    let mut usage = usage;
    (usage.service_tier, usage.reasoning_output_tokens) = (Some(""), 0);
    let ended = Ended { r#type: "result", subtype: "result", is_error, result, usage, ..Ended::default() };
    Message::new("result", Said::Result(Box::new(ended)))
}

fn stream(text: String) -> Message {
    let delta = TextDelta { r#type: "text_delta", text };
    let event = StreamEvent { r#type: "content_block_delta", index: 0, delta };
    Message::new("stream_event", Said::Stream(Stream { r#type: "stream_event", event }))
}

fn completed(item: &Item) -> Message {
    let text = |text: String| says(Content { r#type: "text", text, ..Content::default() });
    match item.kind.as_str() {
        "agentMessage" => text(item.text("text").to_owned()),
        "reasoning" => text(item.thoughts()),
        "commandExecution" => gave(item, item.text("aggregatedOutput").to_owned()),
        "mcpToolCall" => gave(item, item.error().map_or_else(|| item.mcp_result(), str::to_owned)),
        _ => used(item),
    }
}

/// The tool that an item is.
fn used(item: &Item) -> Message {
    let (name, input) = match item.kind.as_str() {
        "commandExecution" => ("Bash", json!({"command": item.command()})),
        "fileChange" if item.changes().iter().any(|change| change.kind == "add") => {
            ("Write", item.value("changes").clone())
        }
        "fileChange" => ("Edit", item.value("changes").clone()),
        "webSearch" => ("WebSearch", json!({"query": item.text("query")})),
        "todoList" => ("TodoWrite", item.value("items").clone()),
        _ => (item.text("tool"), item.value("arguments").clone()),
    };
    let (id, name) = (item.id.clone(), name.to_owned());
    says(Content { r#type: "tool_use", id, name, input, ..Content::default() })
}

fn says(content: Content) -> Message {
    let usage = Usage { service_tier: Some(""), ..Usage::default() };
    let message = ApiMessage { role: "assistant", content: vec![content], usage, ..ApiMessage::default() };
    let assistant = Assistant { r#type: "assistant", message, ..Assistant::default() };
    Message::new("assistant", Said::Assistant(Box::new(assistant)))
}

fn gave(item: &Item, text: String) -> Message {
    let user = User {
        r#type: "user",
        message: Value::String(text),
        parent_tool_use_id: Some(item.id.clone()),
        ..User::default()
    };
    Message::new("user", Said::User(user))
}
