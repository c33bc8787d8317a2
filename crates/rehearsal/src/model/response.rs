//! A response being put together: its events in order, with the pauses between them.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    failure::failed_event,
    ids::Ids,
    speech::{Call, Input},
};
use crate::scenario::{Fail, FailKind, Usage};

/// One thing that happens on the wire.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Beat {
    /// A server-sent event.
    Event(Value),
    /// Nothing, for so long.
    Pause(Duration),
    /// The connection is cut.
    Cut,
    /// Nothing, until the client leaves.
    Forever,
}

/// An agent message in its deltas.
#[derive(Debug, Default)]
pub(super) struct Message<'m> {
    pub(super) pieces: Vec<String>,
    pub(super) pace: Duration,
    pub(super) phase: Option<&'m str>,
    /// Left unfinished.
    pub(super) open: bool,
}

/// Collects the beats of one response.
#[derive(Debug)]
pub(super) struct Response {
    ids: Ids,
    beats: Vec<Beat>,
    /// Bytes said so far: what output tokens are counted from.
    said: usize,
    ended: bool,
}

impl Response {
    pub(super) fn new(ids: Ids) -> Self {
        let created = json!({"type": "response.created", "response": {"id": ids.response()}});
        Self { ids, beats: vec![Beat::Event(created)], said: 0, ended: false }
    }

    fn event(&mut self, event: Value) {
        self.beats.push(Beat::Event(event));
    }

    /// A short agent message, at once.
    pub(super) fn say(&mut self, text: &str) {
        let message = Message { pieces: vec![text.to_owned()], ..Message::default() };
        self.message(&message);
    }

    /// An agent message, streamed.
    pub(super) fn message(&mut self, message: &Message<'_>) {
        let mut item =
            json!({"type": "message", "role": "assistant", "id": self.ids.next("msg"), "content": []});
        if let Some(phase) = message.phase {
            item["phase"] = json!(phase);
        }
        self.event(json!({"type": "response.output_item.added", "item": item}));
        self.deltas(
            &message.pieces,
            message.pace,
            |delta| json!({"type": "response.output_text.delta", "delta": delta}),
        );
        if !message.open {
            item["content"] = json!([{"type": "output_text", "text": message.pieces.concat()}]);
            self.event(json!({"type": "response.output_item.done", "item": item}));
        }
    }

    /// Reasoning, streamed as a summary.
    pub(super) fn reasoning(&mut self, pieces: &[String], pace: Duration) {
        let mut item = json!({"type": "reasoning", "id": self.ids.next("rs"), "summary": []});
        self.event(json!({"type": "response.output_item.added", "item": item}));
        self.event(json!({"type": "response.reasoning_summary_part.added", "summary_index": 0}));
        self.deltas(pieces, pace, |delta| {
            json!({"type": "response.reasoning_summary_text.delta", "summary_index": 0, "delta": delta})
        });
        item["summary"] = json!([{"type": "summary_text", "text": pieces.concat()}]);
        item["encrypted_content"] = json!("");
        self.event(json!({"type": "response.output_item.done", "item": item}));
    }

    /// A search of the web that has been made.
    pub(super) fn search(&mut self, query: &str) {
        let mut item = json!({"type": "web_search_call", "id": self.ids.next("ws"), "status": "in_progress"});
        self.event(json!({"type": "response.output_item.added", "item": item}));
        item["status"] = json!("completed");
        item["action"] = json!({"type": "search", "query": query});
        self.event(json!({"type": "response.output_item.done", "item": item}));
    }

    fn deltas(&mut self, pieces: &[String], pace: Duration, event: impl Fn(&str) -> Value) {
        for piece in pieces {
            if !pace.is_zero() {
                self.beats.push(Beat::Pause(pace));
            }
            self.said += piece.len();
            self.event(event(piece));
        }
    }

    /// A tool call.
    pub(super) fn call(&mut self, call: &Call) {
        let call_id = self.ids.next(call.mark);
        let mut item = match &call.input {
            Input::Arguments(arguments) => json!({"type": "function_call", "id": self.ids.next("fc"),
                "call_id": call_id, "name": call.name, "arguments": arguments.to_string()}),
            Input::Text(text) => json!({"type": "custom_tool_call", "id": self.ids.next("ctc"),
                "call_id": call_id, "name": call.name, "input": text}),
        };
        if let Some(namespace) = &call.namespace {
            item["namespace"] = json!(namespace);
        }
        self.said += item.to_string().len();
        self.event(json!({"type": "response.output_item.done", "item": item}));
    }

    /// The response fails after what it has said.
    pub(super) fn fail(&mut self, fail: &Fail) {
        if fail.kind == FailKind::Disconnect {
            self.beats.push(Beat::Cut);
        } else {
            let event = failed_event(&self.ids.response(), fail);
            self.event(event);
        }
        self.ended = true;
    }

    /// The response stops, for good or for a while.
    pub(super) fn hang(&mut self, after: Option<Duration>) {
        match after {
            Some(after) => self.beats.extend([Beat::Pause(after), Beat::Cut]),
            None => self.beats.push(Beat::Forever),
        }
        self.ended = true;
    }

    /// Ends the response, if it has not failed or stopped, with these tokens or an estimate.
    pub(super) fn finish(mut self, usage: Option<&Usage>, input_length: usize) -> Vec<Beat> {
        if !self.ended {
            let usage = usage.cloned().unwrap_or_else(|| Usage::estimate(input_length, self.said));
            let id = self.ids.response();
            self.event(
                json!({"type": "response.completed", "response": {"id": id, "usage": tokens(&usage)}}),
            );
        }
        self.beats
    }
}

fn tokens(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cached},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.input + usage.output,
    })
}
