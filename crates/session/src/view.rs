//! What others may see of a session's state.

use serde::Serialize;

use crate::{
    event::data::{ApprovalKind, Decision},
    fact::MadeWith,
    ids::{ApprovalId, MessageId, SessionId, ToolCallId},
    input::{Begun, RequestKey},
    message::{InputPart, Options},
    settings::Settings,
    state::{Lifecycle, OpenRequest, Session},
    usage::Usage,
};

/// Where the session's thread comes from: what [`Effect::EnsureThread`](crate::Effect::EnsureThread) has to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum ThreadSource {
    /// A new one.
    New,
    /// This one is loaded.
    Resume {
        /// Which.
        thread_id: String,
    },
    /// A copy of this one.
    Fork {
        /// Of which.
        thread_id: String,
        /// The last turn that is taken over; all, if none is named.
        turn_id: Option<String>,
    },
}

/// Something Codex asks a person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenApproval<'s> {
    /// Which.
    pub id: ApprovalId,
    /// What for.
    pub kind: ApprovalKind,
    /// How it is answered.
    pub key: &'s RequestKey,
    /// In which thread.
    pub thread: &'s str,
    /// In which turn.
    pub turn: &'s str,
    /// What may be answered.
    pub offered: &'s [Decision],
}

/// A tool call that waits for its caller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenTool<'s> {
    /// Which.
    pub id: ToolCallId,
    /// How it is answered.
    pub key: &'s RequestKey,
    /// In which thread.
    pub thread: &'s str,
    /// In which turn.
    pub turn: &'s str,
}

/// A message that waits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueuedMessage<'s> {
    /// Which.
    pub id: MessageId,
    /// What it says.
    pub input: &'s [InputPart],
    /// How it is to be run.
    pub options: &'s Options,
}

impl Session {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> SessionId {
        self.id
    }

    /// What it works with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
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

    /// Codex's thread, once it has one.
    #[must_use]
    pub fn thread_id(&self) -> Option<&str> {
        self.thread_id.as_deref()
    }

    /// What its thread works with unless somebody says otherwise, as Codex said when it was made.
    #[must_use]
    pub fn made_with(&self) -> Option<&MadeWith> {
        self.made_with.as_ref()
    }

    /// How often its thread was loaded: grows with every app-server it had.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Whether its thread is loaded in a living app-server.
    #[must_use]
    pub fn thread_ready(&self) -> bool {
        self.thread_ready
    }

    /// The running turn, once Codex has named it.
    #[must_use]
    pub fn turn_id(&self) -> Option<&str> {
        self.turn.as_ref()?.turn_id.as_deref()
    }

    /// The model that the running turn's message chose, if it chose one.
    #[must_use]
    pub fn turn_model(&self) -> Option<&str> {
        self.turn.as_ref()?.opener.as_ref()?.options.model.as_deref()
    }

    /// Messages that wait, in their order.
    pub fn queued(&self) -> impl Iterator<Item = MessageId> + '_ {
        self.queue.iter().map(|queued| queued.id)
    }

    /// Messages that wait, in their order, with what they say.
    pub fn queue(&self) -> impl Iterator<Item = QueuedMessage<'_>> {
        self.queue.iter().map(|queued| QueuedMessage {
            id: queued.id,
            input: &queued.input,
            options: &queued.options,
        })
    }

    /// The messages of the running turn, the opening one first; none of a compaction or a review.
    #[must_use]
    pub fn running(&self) -> Vec<MessageId> {
        self.turn.as_ref().map(|turn| turn.message_ids()).unwrap_or_default()
    }

    /// Whether anything is under way or waits: then it has to be resumed after a crash.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.turn.is_some() || self.wish.is_some() || !self.queue.is_empty() || !self.adrift.is_empty()
    }

    /// Whether it has work to do without a further word: a start looks after it.
    #[must_use]
    pub fn has_work(&self) -> bool {
        let queue_moves = !self.queue.is_empty() && self.takes_messages();
        self.turn.is_some() || self.wish.is_some() || !self.adrift.is_empty() || queue_moves
    }

    /// Whether sub-agents of it have turns that run.
    #[must_use]
    pub fn has_children_at_work(&self) -> bool {
        !self.child_turns.is_empty()
    }

    /// Whether a turn runs, or is being found out about.
    #[must_use]
    pub fn has_turn(&self) -> bool {
        self.turn.is_some()
    }

    /// Whether a message was handed to Codex and has not ended.
    #[must_use]
    pub fn is_under_way(&self, id: MessageId) -> bool {
        let adrift = self.adrift.iter().any(|adrift| adrift.message.id == id);
        let joining = |turn: &crate::state::Turn| turn.joining.iter().any(|queued| queued.id == id);
        adrift || self.turn.as_ref().is_some_and(|turn| turn.message_ids().contains(&id) || joining(turn))
    }

    /// What was handed to Codex of which nothing was heard yet.
    #[must_use]
    pub fn begun(&self) -> Begun {
        let unheard = self.turn.as_ref().filter(|turn| turn.turn_id.is_none() && !turn.examining);
        let message = unheard.and_then(|turn| turn.opener.as_ref()).map(|opener| opener.id);
        Begun { message, wish: self.turn.is_none() && self.wish.is_some() }
    }

    /// Whether somebody or something has the running turn stopped.
    #[must_use]
    pub fn is_being_stopped(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.interrupt.is_some())
    }

    /// When the turn that is under way was handed to Codex.
    #[must_use]
    pub fn turn_begun_at(&self) -> Option<crate::Timestamp> {
        self.turn.as_ref().map(|turn| turn.begun_at)
    }

    /// The last turn of its own thread that ended.
    #[must_use]
    pub fn last_turn_id(&self) -> Option<&str> {
        self.last_turn_id.as_deref()
    }

    /// The turn of an earlier attempt at the running message: not what became of it.
    #[must_use]
    pub fn dropped_turn_id(&self) -> Option<&str> {
        self.turn.as_ref()?.dropped.as_deref()
    }

    /// Whether its thread, if some app-server has it loaded, is to be loaded again.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Whether it had to leave a process that heard nothing: from then on it has one of its own.
    #[must_use]
    pub fn has_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// What Codex asks a person now.
    pub fn open_approvals(&self) -> impl Iterator<Item = OpenApproval<'_>> {
        self.approvals.iter().filter_map(|(id, open)| {
            let kind = open.kind?;
            let (key, thread, turn, offered) = (&open.key, &open.thread, &open.turn, &open.offered);
            Some(OpenApproval { id: *id, kind, key, thread, turn, offered })
        })
    }

    /// The tool calls that wait now.
    pub fn open_tools(&self) -> impl Iterator<Item = OpenTool<'_>> {
        self.tools.iter().map(|(id, open)| OpenTool {
            id: *id,
            key: &open.key,
            thread: &open.thread,
            turn: &open.turn,
        })
    }

    /// Whether somebody waits for a call of a tool outside of any turn: a start looks whether they still do.
    #[must_use]
    pub fn has_calls(&self) -> bool {
        self.tools.values().any(OpenRequest::is_outside)
    }

    /// What it has used in all.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// What that cost, as far as prices were known.
    #[must_use]
    pub fn cost_usd(&self) -> Option<f64> {
        self.cost.map(|cost| cost.usd())
    }

    /// How much of what the model can hold the last response used.
    #[must_use]
    pub fn context_used_percent(&self) -> Option<u64> {
        self.context_used_percent
    }

    /// Whether it is put away.
    #[must_use]
    pub fn is_archived(&self) -> bool {
        self.archived
    }

    /// Whether its queue waits for somebody to say go.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// Why it cannot go on until somebody says go.
    #[must_use]
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// The threads of its sub-agents.
    pub fn children(&self) -> impl Iterator<Item = &str> {
        self.children.iter().map(String::as_str)
    }

    /// Where its thread comes from, if it is not loaded.
    #[must_use]
    pub fn thread_source(&self) -> ThreadSource {
        let settings = &self.settings;
        match (&self.thread_id, &settings.forked_from, &settings.thread_id) {
            (Some(own), ..) if self.left.contains(own) && !settings.ephemeral => {
                ThreadSource::Fork { thread_id: own.clone(), turn_id: None }
            }
            // A thread that was not stored went with its app-server.
            (Some(_), ..) if settings.ephemeral && !self.thread_ready => ThreadSource::New,
            (Some(own), ..) => ThreadSource::Resume { thread_id: own.clone() },
            (None, ..) if self.renewed => ThreadSource::New,
            (None, Some(from), _) => {
                ThreadSource::Fork { thread_id: from.thread_id.clone(), turn_id: from.turn_id.clone() }
            }
            (None, None, Some(adopted)) => ThreadSource::Resume { thread_id: adopted.clone() },
            (None, None, None) => ThreadSource::New,
        }
    }
}
