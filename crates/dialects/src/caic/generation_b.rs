//! The second generation: messages that say what they mean.

use serde_json::{Value, json};

use super::{
    message::{Ended, Message, Said, Semantic, System},
    parse::{Piece, Told},
};
use crate::item::Item;

const WIDGETS: [&str; 3] =
    ["show_widget", "mcp__widget__show_widget", "mcp__plugin_caic-widget_widget__show_widget"];
/// The most that a widget may have.
const WIDGET_BYTES: usize = 256 << 10;

/// Whether an item that begins or ends has a message of its own.
pub(super) fn knows(kind: &str, started: bool) -> bool {
    match kind {
        "commandExecution"
        | "fileChange"
        | "mcpToolCall"
        | "dynamicToolCall"
        | "collabAgentToolCall"
        | "imageGeneration" => true,
        "agentMessage" | "reasoning" | "plan" | "contextCompaction" | "webSearch" | "todoList" => !started,
        _ => false,
    }
}

pub(super) fn messages(told: Told<'_>) -> Vec<Message> {
    vec![match told {
        Told::Begun { thread } => begun(thread),
        Told::TurnStarted | Told::Nothing => return Vec::new(),
        Told::TurnEnded { failed, error, usage } => {
            let result = if failed { error } else { String::new() };
            result_of(Ended { is_error: failed, result, usage, ..Ended::default() })
        }
        Told::Failed(result) => result_of(Ended { is_error: true, result, ..Ended::default() }),
        Told::Started(item) => started(&item),
        Told::Completed(item) => return completed(&item),
        Told::Piece { kind, item, text } => piece(kind, item, text),
        Told::Used { usage, context_window } => {
            Semantic { r#type: "usage", usage: Some(usage), context_window, ..Semantic::default() }.message()
        }
        Told::Status(subtype) => system(System { subtype, ..System::default() }),
        Told::Rerouted { detail, model } => system(System {
            subtype: "model_rerouted".to_owned(),
            detail: Some(detail),
            model: Some(model),
            ..System::default()
        }),
        Told::DiffStat { stat, ts } => {
            Semantic { r#type: "caic_diff_stat", diff_stat: Some(stat), ts, ..Semantic::default() }.message()
        }
        Told::Raw(kind, raw) => Message::raw(kind, raw),
    }]
}

fn begun(thread: &Value) -> Message {
    let text = |key: &str| Some(thread[key].as_str().unwrap_or_default().to_owned());
    let init = Semantic {
        r#type: "init",
        session_id: text("id"),
        cwd: text("cwd"),
        tools: Some(Vec::new()),
        model: Some(String::new()),
        claude_code_version: text("cliVersion"),
        ..Semantic::default()
    };
    init.message()
}

fn system(system: System) -> Message {
    Message::new("system", Said::System(System { r#type: "system", ..system }))
}

fn result_of(ended: Ended) -> Message {
    let ended = Ended { r#type: "result", subtype: "result", ..ended };
    Message::new("result", Said::Result(Box::new(ended)))
}

fn words(r#type: &'static str, text: String) -> Message {
    Semantic { r#type, text: Some(text), ..Semantic::default() }.message()
}

fn piece(kind: Piece, item: String, text: String) -> Message {
    match kind {
        Piece::Text => words("text_delta", text),
        Piece::Thought => words("thinking_delta", text),
        Piece::Output => Semantic {
            r#type: "tool_output_delta",
            tool_use_id: Some(item),
            delta: Some(text),
            ..Semantic::default()
        }
        .message(),
    }
}

fn started(item: &Item) -> Message {
    let tool = item.text("tool");
    match item.kind.as_str() {
        "commandExecution" => uses(item, "Bash", json!({"command": item.command(), "cwd": item.text("cwd")})),
        "fileChange" => {
            let adds = item.changes().iter().any(|change| change.kind == "add");
            uses(item, if adds { "Write" } else { "Edit" }, item.value("changes").clone())
        }
        "mcpToolCall" if WIDGETS.contains(&tool) => widget(item),
        "collabAgentToolCall" => {
            let name = if tool.is_empty() { "collabAgent" } else { tool };
            uses(item, name, json!({"prompt": item.text("prompt")}))
        }
        "imageGeneration" => {
            uses(item, "ImageGeneration", json!({"revisedPrompt": item.text("revisedPrompt")}))
        }
        _ => uses(item, tool, item.value("arguments").clone()),
    }
}

fn completed(item: &Item) -> Vec<Message> {
    let failed = item.text("status") == "failed";
    let error = |words: &str, wrong: bool| wrong.then(|| words.to_owned());
    let gave = match item.kind.as_str() {
        "agentMessage" => {
            let phase = Some(item.text("phase").to_owned()).filter(|phase| !phase.is_empty());
            let text = Some(item.text("text").to_owned());
            return vec![Semantic { r#type: "text", text, phase, ..Semantic::default() }.message()];
        }
        "reasoning" => return vec![words("thinking", item.thoughts())],
        "plan" => return vec![words("text", item.text("text").to_owned())],
        "contextCompaction" => {
            return vec![system(System { subtype: "context_compaction".to_owned(), ..System::default() })];
        }
        "webSearch" => {
            let used = uses(item, "WebSearch", json!({"query": item.text("query")}));
            return vec![used, gave(item, None)];
        }
        "todoList" => return vec![uses(item, "TodoWrite", item.value("items").clone())],
        "mcpToolCall" => item.error().map(str::to_owned),
        "dynamicToolCall" => error("tool call failed", item.value("success") == &Value::Bool(false)),
        "collabAgentToolCall" => error("collab agent tool call failed", failed),
        "imageGeneration" => error("image generation failed", failed),
        _ => None,
    };
    vec![self::gave(item, gave)]
}

fn uses(item: &Item, name: &str, input: Value) -> Message {
    Semantic {
        r#type: "tool_use",
        id: Some(item.id.clone()),
        name: Some(name.to_owned()),
        input: Some(input).filter(|input| !input.is_null()),
        ..Semantic::default()
    }
    .message()
}

fn gave(item: &Item, error: Option<String>) -> Message {
    Semantic { r#type: "tool_result", tool_use_id: Some(item.id.clone()), error, ..Semantic::default() }
        .message()
}

fn widget(item: &Item) -> Message {
    let arguments = item.value("arguments");
    let text = |key: &str| arguments[key].as_str().unwrap_or_default().to_owned();
    let html = Some(text("widget_code")).filter(|html| html.len() <= WIDGET_BYTES);
    let html = html.unwrap_or_else(|| "<p>The widget is too large to be shown.</p>".to_owned());
    Semantic {
        r#type: "widget",
        id: Some(item.id.clone()),
        title: Some(text("title")),
        html: Some(html),
        ..Semantic::default()
    }
    .message()
}
