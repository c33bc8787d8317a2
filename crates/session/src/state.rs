//! The state of a session: what its records say it is.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use crate::{
    code::Code,
    decide::Asking,
    effect::{Answer, Cut, Effect},
    event::data::{ApprovalKind, Decision},
    fact::{Cause, MadeWith, Wish},
    ids::{ApprovalId, MessageId, SessionId, ToolCallId},
    input::RequestKey,
    json::Json,
    message::{Failure, InputPart, Options, Status},
    price::Cost,
    settings::Settings,
    text::Text,
    time::Timestamp,
    usage::Usage,
};

/// What a session is doing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
    pub(crate) settings: Arc<Settings>,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) last_seq: u64,
    pub(crate) thread_id: Option<String>,
    /// What its thread works with unless somebody says otherwise.
    #[serde(default)]
    pub(crate) made_with: Option<MadeWith>,
    /// The thread is loaded in a living app-server.
    pub(crate) thread_ready: bool,
    /// How often its thread was loaded.
    #[serde(default)]
    pub(crate) epoch: u64,
    /// The last turn of its own that ended.
    #[serde(default)]
    pub(crate) last_turn_id: Option<String>,
    /// It was asked for, and is awaited.
    pub(crate) thread_wanted: bool,
    /// The thread was loaded with what no longer holds, and is to be loaded again.
    #[serde(default)]
    pub(crate) stale: bool,
    /// The instructions have changed, and hold for no thread but a new one.
    #[serde(default)]
    pub(crate) renewal_due: bool,
    /// The thread it began with was left for a new one.
    #[serde(default)]
    pub(crate) renewed: bool,
    pub(crate) queue: VecDeque<Queued>,
    pub(crate) turn: Option<Turn>,
    /// Steers whose turn ended before they were answered.
    pub(crate) adrift: Vec<Adrift>,
    pub(crate) children: BTreeSet<String>,
    /// Turns of sub-agents that run, by thread.
    #[serde(default)]
    pub(crate) child_turns: BTreeMap<String, ChildTurn>,
    /// Open items, by thread, turn and id, in the order of their start.
    pub(crate) items: Vec<OpenItem>,
    pub(crate) approvals: BTreeMap<ApprovalId, OpenRequest>,
    pub(crate) tools: BTreeMap<ToolCallId, OpenRequest>,
    pub(crate) totals: BTreeMap<String, Usage>,
    pub(crate) usage: Usage,
    /// What it cost, as far as prices were known.
    pub(crate) cost: Option<Cost>,
    pub(crate) context_used_percent: Option<u64>,
    pub(crate) held: bool,
    pub(crate) stopped: bool,
    pub(crate) broken: Option<String>,
    /// What an interrupting message is told about.
    pub(crate) cut: Option<CutTurn>,
    /// What the agent is told with the next message.
    pub(crate) notes: Vec<String>,
    /// Threads left to turns that heard nothing; the last may be the session's own, until it has another.
    pub(crate) left: BTreeSet<String>,
    /// Wanted of Codex beside messages.
    pub(crate) wish: Option<Wished>,
    pub(crate) archived: bool,
    /// Codex was told to put the thread away.
    pub(crate) put_away: bool,
    /// Codex was told to put it away or to take it out, and has not answered.
    #[serde(default)]
    pub(crate) putting: bool,
    /// Codex is told the name when it loads the thread.
    pub(crate) name_due: bool,
    /// Codex was told the name, and has not answered.
    #[serde(default)]
    pub(crate) naming: bool,
    /// People were told that there is no sandbox.
    pub(crate) sandbox_told: bool,
    /// What people were told of their Codex, in the words they read.
    #[serde(default)]
    pub(crate) told_of_codex: BTreeSet<String>,
    /// Answers that Codex may not have yet.
    pub(crate) given: Vec<Given>,
    /// Who answered the last approvals.
    pub(crate) answered: VecDeque<(ApprovalId, String)>,
}

/// A turn that no message opens, wanted and not begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Wished {
    pub(crate) wish: Wish,
    pub(crate) sent_at: Option<Timestamp>,
    /// As Codex's answer named it: a review's `turn/started` names another turn than its items and its end.
    pub(crate) turn_id: Option<String>,
}

/// A message that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Queued {
    pub(crate) id: MessageId,
    pub(crate) input: Arc<[InputPart]>,
    pub(crate) options: Arc<Options>,
    pub(crate) accepted_at: Timestamp,
    /// Handed to Codex already, before a crash.
    pub(crate) attempts: u32,
    /// It came to interrupt, and is told what was cut.
    pub(crate) interrupts: bool,
    /// It wants to join a running turn, and none has refused it.
    pub(crate) joins: bool,
    /// It was to join this turn, and that was never answered: Codex may have it.
    #[serde(default)]
    pub(crate) in_doubt: Option<String>,
}

/// The running turn of the session's own thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Turn {
    /// The message that opened it; none of a compaction or a review.
    pub(crate) opener: Option<Queued>,
    /// Messages that joined it.
    pub(crate) joined: Vec<Queued>,
    /// Messages whose steer was not answered yet.
    pub(crate) joining: Vec<Queued>,
    pub(crate) turn_id: Option<String>,
    /// The name by which Codex stops it, if that is another one.
    pub(crate) active_as: Option<String>,
    pub(crate) started: bool,
    pub(crate) begun_at: Timestamp,
    /// When it asks; as its session says now, if that was not kept.
    #[serde(default)]
    pub(crate) asking: Option<Asking>,
    /// The last word of Codex's about it.
    pub(crate) last_sign: Timestamp,
    /// When Codex last said, being asked, that it goes on.
    pub(crate) alive_at: Option<Timestamp>,
    /// Time spent waiting for people and callers, which no deadline counts.
    pub(crate) waited_ms: u64,
    pub(crate) waiting_since: Option<Timestamp>,
    pub(crate) acted: bool,
    /// It has shown more than the user's own message.
    pub(crate) spoke: bool,
    pub(crate) answer: Option<Arc<str>>,
    pub(crate) last_text: Option<Arc<str>>,
    /// What streamed of a message that is still open.
    pub(crate) partial: Text,
    /// The turn of an earlier attempt, dropped from the thread before this one.
    pub(crate) dropped: Option<String>,
    /// What was cut for it.
    pub(crate) after: Option<CutTurn>,
    /// What its agent is told before the message.
    pub(crate) notes: Vec<String>,
    /// What its agent is being told now.
    pub(crate) telling: VecDeque<String>,
    pub(crate) usage_before: Usage,
    pub(crate) cost_before: Option<Cost>,
    pub(crate) interrupt: Option<Interrupt>,
    pub(crate) failing: Option<(Failure, Timestamp)>,
    pub(crate) idle_since: Option<Timestamp>,
    /// When Codex was last asked what became of it.
    pub(crate) asked_at: Option<Timestamp>,
    /// When a person was told that it is quiet.
    pub(crate) quiet_told: bool,
    pub(crate) examining: bool,
    /// It is examined although its app-server lives.
    pub(crate) unanswered: bool,
}

/// A running turn of a sub-agent's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChildTurn {
    pub(crate) turn_id: String,
    /// It is being stopped: to ask twice would stop its next one.
    pub(crate) stopping: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Interrupt {
    pub(crate) cause: Cause,
    pub(crate) asked_at: Timestamp,
    /// To be asked again when the turn has started.
    pub(crate) again: bool,
    /// How often it was sent again.
    pub(crate) resent: u8,
    /// Codex answered it; `turn/completed` is to follow.
    pub(crate) answered: bool,
    /// Its process is to be killed.
    pub(crate) forced: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Adrift {
    pub(crate) message: Queued,
    pub(crate) opener: Option<MessageId>,
    pub(crate) turn_id: Option<String>,
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

impl OpenItem {
    pub(crate) fn is(&self, thread: &str, turn: &str, id: &str) -> bool {
        self.thread == thread && self.turn == turn && self.id == id
    }
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
    pub(crate) offered: Vec<Decision>,
}

impl OpenRequest {
    /// Whether it is a call that Codex knows nothing of: nobody there takes an answer.
    pub(crate) fn is_call(&self) -> bool {
        self.key.is_call()
    }

    /// Whether it belongs to no turn.
    pub(crate) fn is_outside(&self) -> bool {
        self.is_call() && self.thread.is_empty()
    }
}

/// An answer that Codex may not have yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Given {
    pub(crate) key: RequestKey,
    pub(crate) answer: Answer,
    /// The agent is first told what was said with it.
    #[serde(default)]
    pub(crate) held: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CutTurn {
    pub(crate) input: Arc<[InputPart]>,
    pub(crate) partial: Arc<str>,
}

impl Session {
    /// A session of which nothing has happened yet.
    #[must_use]
    pub fn new(id: SessionId) -> Self {
        Self {
            id,
            settings: Arc::default(),
            lifecycle: Lifecycle::Starting,
            last_seq: 0,
            thread_id: None,
            made_with: None,
            thread_ready: false,
            epoch: 0,
            last_turn_id: None,
            thread_wanted: false,
            stale: false,
            renewal_due: false,
            renewed: false,
            queue: VecDeque::new(),
            turn: None,
            adrift: Vec::new(),
            children: BTreeSet::new(),
            child_turns: BTreeMap::new(),
            items: Vec::new(),
            approvals: BTreeMap::new(),
            tools: BTreeMap::new(),
            totals: BTreeMap::new(),
            usage: Usage::default(),
            held: false,
            stopped: false,
            broken: None,
            cost: None,
            context_used_percent: None,
            cut: None,
            notes: Vec::new(),
            left: BTreeSet::new(),
            wish: None,
            archived: false,
            put_away: false,
            putting: false,
            name_due: false,
            naming: false,
            sandbox_told: false,
            told_of_codex: BTreeSet::new(),
            given: Vec::new(),
            answered: VecDeque::new(),
        }
    }

    /// Whether a thread is the session's own.
    pub(crate) fn is_own(&self, thread: &str) -> bool {
        self.thread_id.as_deref() == Some(thread)
    }

    /// Whether the next message may go to Codex as soon as nothing runs.
    pub(crate) fn takes_messages(&self) -> bool {
        !(self.held || self.stopped || self.archived) && self.broken.is_none()
    }

    /// Whether its turn waits for an answer.
    pub(crate) fn waits(&self) -> bool {
        !self.approvals.is_empty() || self.tools.values().any(|open| !open.is_outside())
    }

    /// What it should be doing, from everything else it is.
    pub(crate) fn due_lifecycle(&self) -> Lifecycle {
        let waits = self.waits();
        match &self.turn {
            _ if self.broken.is_some() => Lifecycle::Failed,
            Some(turn) if turn.examining => Lifecycle::Recovering,
            Some(_) if waits => Lifecycle::Waiting,
            Some(_) => Lifecycle::Running,
            None if self.stopped => Lifecycle::Stopped,
            None if self.thread_ready || (self.wish.is_none() && (self.queue.is_empty() || self.held)) => {
                Lifecycle::Idle
            }
            None => Lifecycle::Starting,
        }
    }
}

impl Wished {
    /// What hands it to Codex.
    pub(crate) fn effect(&self) -> Effect {
        match &self.wish {
            Wish::Compact => Effect::Compact,
            Wish::Review(params) => Effect::Review(params.clone()),
        }
    }

    /// What is said when it does not take place.
    pub(crate) fn lost(&self) -> Code {
        match self.wish {
            Wish::Compact => Code::CompactionLost,
            Wish::Review(_) => Code::ReviewLost,
        }
    }
}

impl CutTurn {
    fn told(&self) -> Cut {
        Cut { input: self.input.to_vec(), partial: self.partial.to_string() }
    }
}

impl Turn {
    /// What hands its opening message to Codex; nothing if no message opened it.
    pub(crate) fn start(&self) -> Option<Effect> {
        let opener = self.opener.as_ref()?;
        let notes = self.notes.iter().map(|text| InputPart::Text { text: text.clone() });
        Some(Effect::StartTurn {
            message_id: opener.id,
            attempt: opener.attempts,
            input: notes.chain(opener.input.iter().cloned()).collect(),
            options: Box::new((*opener.options).clone()),
            after: self.after.as_ref().map(CutTurn::told),
        })
    }

    /// What finds out what became of its opening message.
    pub(crate) fn examine(&self) -> Effect {
        Effect::Examine {
            message_id: self.opener.as_ref().map(|opener| opener.id),
            turn_id: self.in_doubt().or(self.turn_id.as_ref()).cloned(),
            steered: self.in_doubt().is_some(),
        }
    }

    /// The turn in which its opening message may stand already.
    pub(crate) fn in_doubt(&self) -> Option<&String> {
        self.opener.as_ref().and_then(|opener| opener.in_doubt.as_ref())
    }

    /// The messages it works for, the opening one first.
    pub(crate) fn message_ids(&self) -> Vec<MessageId> {
        self.opener.iter().map(|opener| opener.id).chain(self.joined.iter().map(|queued| queued.id)).collect()
    }

    /// The name by which Codex stops it.
    pub(crate) fn interrupt_id(&self) -> Option<String> {
        self.active_as.clone().or_else(|| self.turn_id.clone())
    }

    /// Whether a message is in it, or on its way into it.
    pub(crate) fn has(&self, id: MessageId) -> bool {
        self.message_ids().contains(&id) || self.joining.iter().any(|queued| queued.id == id)
    }

    /// The answer: what Codex marks as such, else the last message.
    pub(crate) fn text(&self) -> String {
        self.answer.as_ref().or(self.last_text.as_ref()).map(ToString::to_string).unwrap_or_default()
    }

    /// The answer as far as it had come when it was cut.
    pub(crate) fn said_so_far(&self) -> String {
        let text = self.text();
        if text.is_empty() { self.partial.whole() } else { text }
    }
}
