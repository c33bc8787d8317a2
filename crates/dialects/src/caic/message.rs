//! Messages of both generations, as Go writes them.

use std::{borrow::Cow, sync::Arc};

use serde::{Serialize, Serializer};
use serde_json::{Value, value::RawValue};

/// A message, and what caic calls its kind.
#[derive(Debug, Clone)]
pub struct Message {
    /// What its `Type()` says.
    pub kind: Cow<'static, str>,
    /// What it says.
    pub said: Said,
}

impl Message {
    pub(super) fn new(kind: &'static str, said: Said) -> Self {
        Self { kind: kind.into(), said }
    }

    /// What has no message of its own, as it was.
    pub(super) fn raw(kind: impl Into<Cow<'static, str>>, raw: &RawValue) -> Self {
        Self { kind: kind.into(), said: Said::Raw(raw.to_owned().into()) }
    }
}

impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        let text = |message: &Self| serde_json::to_string(message).ok();
        self.kind == other.kind && text(self) == text(other)
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.said.serialize(serializer)
    }
}

/// What a message says. The structs of the second generation have no `type` of their own, for they lie in memory; a line
/// has to say what it is, so ours have one.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Said {
    /// A: the session begins. A and B: something about it.
    System(System),
    /// A: the agent says something, or uses a tool.
    Assistant(Box<Assistant>),
    /// A: what a tool gave.
    User(User),
    /// A: a piece of text.
    Stream(Stream),
    /// A and B: a turn ended.
    Result(Box<Ended>),
    /// B: everything else.
    Semantic(Box<Semantic>),
    /// What has no message of its own, as it was.
    Raw(Arc<RawValue>),
}

macro_rules! messages {
    ($($(#[$about:meta])+ $name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty,)+ })+) => {$(
        $(#[$about])+
        #[derive(Debug, Clone, Default, PartialEq, Serialize)]
        #[expect(missing_docs, reason = "the fields are caic's; its page says what each is")]
        pub struct $name {
            $($(#[$attribute])* pub $field: $type,)+
        }
    )+};
}

messages! {
    /// Something about the session; with the subtype `init`, that it begins.
    System {
        r#type: &'static str,
        subtype: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        cwd: Option<String>,
        session_id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        tools: Option<Vec<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        claude_code_version: Option<String>,
        uuid: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    }
    /// A: the agent says something, or uses a tool.
    Assistant {
        r#type: &'static str,
        message: ApiMessage,
        parent_tool_use_id: Option<String>,
        session_id: String,
        uuid: String,
    }
    /// What it says.
    ApiMessage {
        model: String,
        id: String,
        role: &'static str,
        content: Vec<Content>,
        stop_reason: Option<String>,
        stop_sequence: Option<String>,
        usage: Usage,
    }
    /// A part of it.
    Content {
        r#type: &'static str,
        #[serde(skip_serializing_if = "String::is_empty")]
        text: String,
        #[serde(skip_serializing_if = "String::is_empty")]
        id: String,
        #[serde(skip_serializing_if = "String::is_empty")]
        name: String,
        #[serde(skip_serializing_if = "Value::is_null")]
        input: Value,
    }
    /// A: what a tool gave.
    User {
        r#type: &'static str,
        message: Value,
        parent_tool_use_id: Option<String>,
        session_id: String,
        uuid: String,
    }
    /// A: a piece of text.
    Stream {
        r#type: &'static str,
        event: StreamEvent,
    }
    /// The piece, and where it belongs.
    StreamEvent {
        r#type: &'static str,
        index: u32,
        delta: TextDelta,
    }
    /// The piece.
    TextDelta {
        r#type: &'static str,
        text: String,
    }
    /// A turn ended.
    Ended {
        r#type: &'static str,
        subtype: &'static str,
        is_error: bool,
        duration_ms: u64,
        duration_api_ms: u64,
        num_turns: u64,
        result: String,
        session_id: String,
        total_cost_usd: f64,
        usage: Usage,
        uuid: String,
    }
    /// Tokens, as Codex counts them.
    Usage {
        input_tokens: u64,
        output_tokens: u64,
        cache_creation_input_tokens: u64,
        cache_read_input_tokens: u64,
        #[serde(skip_serializing_if = "is_zero")]
        reasoning_output_tokens: u64,
        /// Of the first generation, always empty.
        #[serde(skip_serializing_if = "Option::is_none")]
        service_tier: Option<&'static str>,
    }
    /// B: what a field does not apply to lacks it.
    Semantic {
        r#type: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        session_id: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cwd: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        tools: Option<Vec<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        claude_code_version: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        phase: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        input: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_use_id: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        delta: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
        #[serde(skip_serializing_if = "Option::is_none")]
        context_window: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        html: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        diff_stat: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        ts: Option<f64>,
    }
}

impl Semantic {
    pub(super) fn message(self) -> Message {
        Message::new(self.r#type, Said::Semantic(Box::new(self)))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}
