//! Lines of a log, or of the wire, as caic's messages. Both spellings are read: today's camelCase and the first
//! specification's snake_case.

use std::fmt;

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

use super::{
    generation_a, generation_b,
    message::{Message, Usage},
    speaker::Generation,
    unknown::{UnknownField, Unknowns},
};
use crate::item::Item;

/// What a line tells, in one spelling.
pub(super) enum Told<'a> {
    Begun {
        thread: &'a Value,
    },
    TurnStarted,
    TurnEnded {
        failed: bool,
        error: String,
        usage: Usage,
    },
    Started(Item),
    Completed(Item),
    Piece {
        kind: Piece,
        item: String,
        text: String,
    },
    Used {
        usage: Usage,
        context_window: Option<u64>,
    },
    Status(String),
    Rerouted {
        detail: String,
        model: String,
    },
    Failed(String),
    DiffStat {
        stat: Value,
        ts: Option<f64>,
    },
    Nothing,
    /// What has no message of its own: its kind, and the line or its params.
    Raw(String, &'a RawValue),
}

/// A piece of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    Text,
    Thought,
    Output,
}

/// A line that is no JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// Why.
    pub why: String,
    /// The line.
    pub line: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unmarshal probe: {}", self.why)
    }
}

impl std::error::Error for ParseError {}

#[derive(Deserialize)]
struct Probe<'a> {
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    method: Option<String>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

/// Reads lines one after the other.
#[derive(Debug, Clone, Default)]
pub struct Parser {
    generation: Generation,
    /// Of the running turn.
    usage: Usage,
    unknown: Unknowns,
}

impl Parser {
    /// One that gives messages of this generation.
    #[must_use]
    pub fn of(generation: Generation) -> Self {
        Self { generation, ..Self::default() }
    }

    /// The messages of a line.
    pub fn line(&mut self, line: &str) -> Result<Vec<Message>, ParseError> {
        let wrong = |error: serde_json::Error| ParseError { why: error.to_string(), line: line.to_owned() };
        let whole: &RawValue = serde_json::from_str(line).map_err(wrong)?;
        let probe: Probe<'_> = serde_json::from_str(line).map_err(wrong)?;
        let params: Value =
            probe.params.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let told = match probe {
            Probe { kind: Some(kind), .. } if kind == "caic_diff_stat" => {
                let line: Value = serde_json::from_str(line).map_err(wrong)?;
                Told::DiffStat { stat: line["diff_stat"].clone(), ts: line["ts"].as_f64() }
            }
            Probe { kind: Some(kind), .. } if !kind.is_empty() => Told::Raw(kind, whole),
            Probe { id: Some(_), .. } => Told::Raw("jsonrpc_response".to_owned(), whole),
            Probe { method, params: raw, .. } => {
                let method = method.unwrap_or_default();
                self.notification(&method, &params, (whole, raw.unwrap_or(whole)))
            }
        };
        Ok(match self.generation {
            Generation::A => generation_a::messages(told),
            Generation::B => generation_b::messages(told),
        })
    }

    /// Fields that no version that is known has, each once.
    #[must_use]
    pub fn unknown(&self) -> &[UnknownField] {
        self.unknown.found()
    }

    fn notification<'a>(
        &mut self,
        method: &str,
        params: &'a Value,
        (line, raw): (&'a RawValue, &'a RawValue),
    ) -> Told<'a> {
        let text = |key: &str| params[key].as_str().unwrap_or_default().to_owned();
        match method {
            "thread/started" => {
                self.unknown.look("ThreadStartedNotification", params);
                self.unknown.look("Thread", &params["thread"]);
                Told::Begun { thread: &params["thread"] }
            }
            "turn/started" => Told::TurnStarted,
            "turn/completed" => self.turn_ended(params),
            "item/started" | "item/completed" => self.item(method, params, raw),
            "item/agentMessage/delta" => piece(Piece::Text, params, "delta"),
            "item/reasoning/summaryTextDelta" => piece(Piece::Thought, params, "delta"),
            "item/commandExecution/outputDelta" => piece(Piece::Output, params, "delta"),
            "item/mcpToolCall/progress" => piece(Piece::Output, params, "message"),
            "thread/tokenUsage/updated" => self.used(params),
            "thread/status/changed" => {
                Told::Status(params["status"]["type"].as_str().unwrap_or_default().to_owned())
            }
            "model/rerouted" => {
                let (from, to, reason) = (text("fromModel"), text("toModel"), text("reason"));
                Told::Rerouted { detail: format!("{from} → {to} ({reason})"), model: to }
            }
            "error" if params["willRetry"] == true || params["error"].is_null() => Told::Nothing,
            "error" => Told::Failed(message_of(&params["error"])),
            // Of a line without a method there is nothing else to say than the line.
            other => Told::Raw(other.to_owned(), line),
        }
    }

    fn turn_ended(&mut self, params: &Value) -> Told<'static> {
        self.unknown.look("TurnCompletedNotification", params);
        let turn = &params["turn"];
        self.unknown.look("Turn", turn);
        let counted = std::mem::take(&mut self.usage);
        // In the first specification a turn said itself what it had used.
        let usage = if turn["usage"].is_object() { snake_usage(&turn["usage"]) } else { counted };
        let failed = matches!(turn["status"].as_str(), Some("failed" | "interrupted"));
        Told::TurnEnded { failed, error: message_of(&turn["error"]), usage }
    }

    fn item<'a>(&mut self, method: &str, params: &'a Value, raw: &'a RawValue) -> Told<'a> {
        self.unknown.look("ItemNotification", params);
        let Some(fields) = params["item"].as_object() else { return Told::Raw(method.to_owned(), raw) };
        let item = Item::of(in_todays_words(fields));
        self.unknown.look(&item.kind, &params["item"]);
        let started = method == "item/started";
        if !generation_knows(self.generation, &item.kind, started) {
            let kind = if item.kind == "error" { "error" } else { method };
            return Told::Raw(kind.to_owned(), raw);
        }
        if started { Told::Started(item) } else { Told::Completed(item) }
    }

    fn used(&mut self, params: &Value) -> Told<'static> {
        let usage = &params["tokenUsage"];
        let last = camel_usage(&usage["last"]);
        self.usage = self.usage.plus(&last);
        Told::Used { usage: last, context_window: usage["modelContextWindow"].as_u64() }
    }
}

fn generation_knows(generation: Generation, kind: &str, started: bool) -> bool {
    match generation {
        Generation::A => generation_a::knows(kind, started),
        Generation::B => generation_b::knows(kind, started),
    }
}

fn piece(kind: Piece, params: &Value, field: &str) -> Told<'static> {
    let item = params["itemId"].as_str().or(params["item_id"].as_str()).unwrap_or_default().to_owned();
    Told::Piece { kind, item, text: params[field].as_str().unwrap_or_default().to_owned() }
}

/// An error's message: an object with one, or the message itself.
fn message_of(error: &Value) -> String {
    error["message"].as_str().or(error.as_str()).unwrap_or_default().to_owned()
}

fn camel_usage(usage: &Value) -> Usage {
    let count = |key: &str| usage[key].as_u64().unwrap_or(0);
    Usage {
        input_tokens: count("inputTokens"),
        output_tokens: count("outputTokens"),
        cache_read_input_tokens: count("cachedInputTokens"),
        reasoning_output_tokens: count("reasoningOutputTokens"),
        ..Usage::default()
    }
}

fn snake_usage(usage: &Value) -> Usage {
    let count = |key: &str| usage[key].as_u64().unwrap_or(0);
    Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        cache_read_input_tokens: count("cached_input_tokens"),
        ..Usage::default()
    }
}

impl Usage {
    fn plus(&self, other: &Self) -> Self {
        Self {
            input_tokens: self.input_tokens + other.input_tokens,
            output_tokens: self.output_tokens + other.output_tokens,
            cache_read_input_tokens: self.cache_read_input_tokens + other.cache_read_input_tokens,
            reasoning_output_tokens: self.reasoning_output_tokens + other.reasoning_output_tokens,
            ..self.clone()
        }
    }
}

/// The item in today's spelling, whichever it had.
fn in_todays_words(fields: &Map<String, Value>) -> Map<String, Value> {
    let mut item: Map<String, Value> =
        fields.iter().map(|(key, value)| (camel(key), value.clone())).collect();
    if let Some(Value::String(kind)) = item.get_mut("type") {
        *kind = camel(kind);
    }
    if item.get("type").is_some_and(|kind| kind == "reasoning")
        && let Some(text) = item.remove("text")
    {
        item.insert("summary".to_owned(), Value::Array(vec![text]));
    }
    item
}

fn camel(word: &str) -> String {
    let mut parts = word.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |joined, part| {
        let (head, rest) = part.split_at(part.chars().next().map_or(0, char::len_utf8));
        joined + &head.to_uppercase() + rest
    })
}
