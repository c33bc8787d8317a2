//! What a request means to the player: who said what last, and what came back since.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{
    ids::{CallMark, Ids, content_hash},
    injected::{asks_for_summary, is_injected, without_summary_preamble},
    offered::Offered,
    wire::{Body, Item},
};
use crate::scenario::Mode;

/// One request, read.
#[derive(Debug)]
pub(super) struct Request {
    /// The last thing a person (or a parent agent, or a summary) said.
    pub(super) user_text: String,
    /// The tool outputs since then.
    pub(super) outputs: Vec<Output>,
    pub(super) wants_summary: bool,
    pub(super) mode: Option<Mode>,
    pub(super) offered: Offered,
    pub(super) schema: Option<Value>,
    /// The length of everything people, agents and tools said: what usage is counted from.
    pub(super) length: usize,
    hash: u64,
}

/// The answer to a tool call.
#[derive(Debug, Clone)]
pub(super) struct Output {
    pub(super) call_id: String,
    pub(super) text: String,
}

impl Request {
    pub(super) fn read(raw: &[u8]) -> Result<Self, serde_json::Error> {
        let body: Body = serde_json::from_slice(raw)?;
        let Conversation { input } = serde_json::from_slice(raw)?;
        let key = body.prompt_cache_key.as_deref().unwrap_or_default();
        let hash = content_hash(key, input.map_or("", RawValue::get).as_bytes());
        let said = Said::in_items(&body.input);
        Ok(Self {
            user_text: said.text,
            outputs: said.outputs,
            wants_summary: said.wants_summary,
            mode: mode(&body.input),
            offered: Offered::of(&body),
            length: length(&body.input),
            hash,
            schema: body.text.and_then(|text| text.format).and_then(|format| format.schema),
        })
    }

    /// How many of the scenario's tool calls were answered.
    pub(super) fn answered(&self) -> usize {
        self.outputs.iter().filter(|output| CallMark::of(&output.call_id) != CallMark::Wait).count()
    }

    pub(super) fn ids(&self) -> Ids {
        Ids::new(self.hash)
    }
}

/// The conversation as it was written, from which ids are made.
#[derive(Deserialize)]
struct Conversation<'r> {
    #[serde(borrow)]
    input: Option<&'r RawValue>,
}

#[derive(Default)]
struct Said {
    text: String,
    outputs: Vec<Output>,
    wants_summary: bool,
}

impl Said {
    fn in_items(items: &[Item]) -> Self {
        let mut said = Self::default();
        for item in items {
            if item.is_output() {
                said.outputs.push(output(item));
            } else if let Some(text) = spoken(item) {
                if asks_for_summary(&text) {
                    said.wants_summary = true;
                } else {
                    said = Self { text, ..Self::default() };
                }
            }
        }
        said
    }
}

/// What a person said in this item, or a parent agent told this one to do.
fn spoken(item: &Item) -> Option<String> {
    if item.kind == "agent_message" {
        return item.content.iter().flatten().find_map(|part| part.encrypted_content.clone());
    }
    if item.kind != "message" || !item.has_role("user") {
        return None;
    }
    let texts: Vec<&str> = item.texts().filter(|text| !is_injected(text)).collect();
    let only_images = item.texts().next().is_none();
    (only_images || !texts.is_empty()).then(|| without_summary_preamble(&texts.join("\n")).to_owned())
}

fn output(item: &Item) -> Output {
    Output { call_id: item.call_id.clone().unwrap_or_default(), text: item.output_text() }
}

/// The mode that the last `<collaboration_mode>` of Codex's own instructions names.
fn mode(items: &[Item]) -> Option<Mode> {
    let instructions = items.iter().filter(|item| item.has_role("developer")).flat_map(Item::texts);
    let last = instructions.filter(|text| text.starts_with("<collaboration_mode>")).last()?;
    let first_line = last.lines().next().unwrap_or_default();
    Some(if first_line.contains("Plan Mode") { Mode::Plan } else { Mode::Default })
}

fn length(items: &[Item]) -> usize {
    let counted = items.iter().filter(|item| !item.has_role("developer"));
    counted.map(|item| item.texts().filter(|text| !is_injected(text)).map(str::len).sum::<usize>()).sum()
}
