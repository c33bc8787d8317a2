//! The state of a session: what its records say it is.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::{
    event::data::ApprovalKind,
    fact::Cause,
    ids::{ApprovalId, MessageId, SessionId, ToolCallId},
    input::RequestKey,
    json::Json,
    message::{Failure, InputPart, Options, Status},
    settings::Settings,
    time::Timestamp,
    usage::Usage,
};

/// What a session is doing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lifecycle {
    /// Its thread is being made.
    #[default]
    Starting,
    /// Nothing.
    Idle,
    /// A turn runs.
    Running,
    /// A turn waits for an answer.
    Waiting,
    /// What became of a turn is being found out.
    Recovering,
    /// It takes nothing until somebody says go.
    Stopped,
    /// It cannot go on until somebody says go.
    Failed,
}

/// A session. It changes only by what its records say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    pub(crate) id: SessionId,
    pub(crate) settings: Settings,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) last_seq: u64,
    pub(crate) thread_id: Option<String>,
    /// The thread is loaded in a living app-server.
    pub(crate) thread_ready: bool,
    pub(crate) queue: VecDeque<Queued>,
    pub(crate) turn: Option<Turn>,
    /// Steers whose turn ended before they were answered.
    pub(crate) adrift: Vec<Adrift>,
    pub(crate) children: BTreeSet<String>,
    /// Open items, by thread, turn and id, in the order of their start.
    pub(crate) items: Vec<OpenItem>,
    pub(crate) approvals: BTreeMap<ApprovalId, OpenRequest>,
    pub(crate) tools: BTreeMap<ToolCallId, OpenRequest>,
    pub(crate) totals: BTreeMap<String, Usage>,
    pub(crate) usage: Usage,
    pub(crate) held: bool,
    pub(crate) stopped: bool,
    pub(crate) broken: Option<String>,
    /// What an interrupting message is told about.
    pub(crate) cut: Option<CutTurn>,
}

/// A message that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Queued {
    pub(crate) id: MessageId,
    pub(crate) input: Vec<InputPart>,
    pub(crate) options: Options,
    pub(crate) accepted_at: Timestamp,
    /// Handed to Codex already, before a crash.
    pub(crate) attempts: u32,
}

/// The running turn of the session's own thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Turn {
    /// The message that opened it; none of a compaction or a review.
    pub(crate) opener: Option<Queued>,
    /// Messages that joined it.
    pub(crate) joined: Vec<MessageId>,
    /// Messages whose steer was not answered yet.
    pub(crate) joining: Vec<Queued>,
    pub(crate) turn_id: Option<String>,
    pub(crate) started: bool,
    pub(crate) begun_at: Timestamp,
    pub(crate) last_sign: Timestamp,
    /// Time spent waiting for people and callers, which no deadline counts.
    pub(crate) waited_ms: u64,
    pub(crate) waiting_since: Option<Timestamp>,
    pub(crate) acted: bool,
    pub(crate) answer: Option<String>,
    pub(crate) last_text: Option<String>,
    /// What streamed of a message that is still open.
    pub(crate) partial: String,
    pub(crate) usage_before: Usage,
    pub(crate) interrupt: Option<Interrupt>,
    pub(crate) failing: Option<(Failure, Timestamp)>,
    pub(crate) idle_since: Option<Timestamp>,
    /// When Codex was last asked what became of it.
    pub(crate) asked_at: Option<Timestamp>,
    /// When a person was told that it is quiet.
    pub(crate) quiet_told: bool,
    pub(crate) examining: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Interrupt {
    pub(crate) cause: Cause,
    pub(crate) asked_at: Timestamp,
    /// To be asked again when the turn has started.
    pub(crate) again: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Adrift {
    pub(crate) message: Queued,
    pub(crate) opener: Option<MessageId>,
    pub(crate) status: Status,
    pub(crate) text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct OpenItem {
    pub(crate) thread: String,
    pub(crate) turn: String,
    pub(crate) id: String,
    pub(crate) json: Json,
}

/// Something Codex waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct OpenRequest {
    pub(crate) key: RequestKey,
    pub(crate) thread: String,
    pub(crate) turn: String,
    pub(crate) kind: Option<ApprovalKind>,
    pub(crate) asked_at: Timestamp,
    pub(crate) timeout_seconds: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CutTurn {
    pub(crate) input: Vec<InputPart>,
    pub(crate) partial: String,
}

impl Session {
    /// A session of which nothing has happened yet.
    #[must_use]
    pub fn new(id: SessionId) -> Self {
        Self {
            id,
            settings: Settings::default(),
            lifecycle: Lifecycle::Starting,
            last_seq: 0,
            thread_id: None,
            thread_ready: false,
            queue: VecDeque::new(),
            turn: None,
            adrift: Vec::new(),
            children: BTreeSet::new(),
            items: Vec::new(),
            approvals: BTreeMap::new(),
            tools: BTreeMap::new(),
            totals: BTreeMap::new(),
            usage: Usage::default(),
            held: false,
            stopped: false,
            broken: None,
            cut: None,
        }
    }

    /// What it is doing.
    #[must_use]
    pub fn lifecycle(&self) -> Lifecycle {
        self.lifecycle
    }

    /// The number of its newest event.
    #[must_use]
    pub fn last_seq(&self) -> u64 {
        self.last_seq
    }

    /// Messages that wait, in their order.
    pub fn queued(&self) -> impl Iterator<Item = MessageId> + '_ {
        self.queue.iter().map(|queued| queued.id)
    }

    /// What it has used in all.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Whether a thread is the session's own.
    pub(crate) fn is_own(&self, thread: &str) -> bool {
        self.thread_id.as_deref() == Some(thread)
    }

    /// What it should be doing, from everything else it is.
    pub(crate) fn due_lifecycle(&self) -> Lifecycle {
        let waits = !(self.approvals.is_empty() && self.tools.is_empty());
        match &self.turn {
            _ if self.broken.is_some() => Lifecycle::Failed,
            Some(turn) if turn.examining => Lifecycle::Recovering,
            Some(_) if waits => Lifecycle::Waiting,
            Some(_) => Lifecycle::Running,
            None if self.stopped => Lifecycle::Stopped,
            None if self.queue.is_empty() || self.held || self.thread_ready => Lifecycle::Idle,
            None => Lifecycle::Starting,
        }
    }
}

impl Turn {
    /// The messages it works for, the opening one first.
    pub(crate) fn message_ids(&self) -> Vec<MessageId> {
        self.opener.iter().map(|opener| opener.id).chain(self.joined.iter().copied()).collect()
    }

    /// The answer: what Codex marks as such, else the last message.
    pub(crate) fn text(&self) -> String {
        self.answer.as_ref().or(self.last_text.as_ref()).cloned().unwrap_or_default()
    }

    /// The answer as far as it had come when it was cut.
    pub(crate) fn said_so_far(&self) -> String {
        let text = self.text();
        if text.is_empty() { self.partial.clone() } else { text }
    }
}
