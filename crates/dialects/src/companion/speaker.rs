//! What a browser is told of each event, and what has to be remembered for that.

mod notices;
mod settings;
mod turns;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use selvedge_session::{
    Code, Event, InputPart, Lifecycle, MessageId, PermissionMode, Timestamp, Usage, What, data,
};

use super::{
    asking::Asked,
    items::Open,
    message::Message,
    phase::Phase,
    state::{SessionState, Update},
};
use crate::number::{Numbered, numbered};

/// Speaks the Companion's language: hears a session's events in order and says what a browser is told of each.
#[derive(Debug, Clone, Default)]
pub struct Speaker {
    pub(super) state: SessionState,
    pub(super) phase: Phase,
    lifecycle: Lifecycle,
    pub(super) compacting: bool,
    name: Option<String>,
    /// The mode that it goes back to after planning.
    pub(super) unplanned: Option<PermissionMode>,
    pub(super) mode: PermissionMode,
    pub(super) open: HashMap<Key, Open>,
    /// Which item has an id, of those that more than one may want.
    pub(super) ids: HashMap<String, Key>,
    /// The item that a sub-agent's thread was opened by.
    pub(super) parents: HashMap<String, String>,
    pub(super) pending: BTreeMap<String, Asked>,
    pub(super) turn: Turn,
    /// Messages that ended with the last turn.
    ended: Vec<MessageId>,
    /// Of MCP servers that failed, why.
    mcp_errors: BTreeMap<String, String>,
    /// The browser was told that no app-server is there.
    disconnected: bool,
    /// Methods nobody knows that were told of.
    unknown: BTreeSet<String>,
}

/// What identifies an item: its thread, if it is a sub-agent's, its turn, and its id.
pub(super) type Key = (Option<String>, String, String);

/// The running turn, as far as later messages need it.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn {
    usage: Usage,
    /// Plans that were told.
    pub(super) plans: u32,
}

/// Where and when something happened.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) at: Timestamp,
    pub(super) key: Key,
    /// The tool use of the parent, of a sub-agent's doings.
    pub(super) parent: Option<String>,
}

impl Speaker {
    /// Hears an event, and says what a browser is told of it.
    pub fn hear(&mut self, event: &Event) -> Vec<Numbered<Message>> {
        let mut said = Vec::new();
        self.tell(event, &mut said);
        numbered(event.seq, said)
    }

    fn tell(&mut self, event: &Event, said: &mut Vec<Message>) {
        match &event.what {
            What::SessionCreated(it) => self.created(event, &it.settings, said),
            What::SessionUpdated(it) => self.changed(&it.settings, said),
            What::SessionState(it) => self.does(it, said),
            What::SessionWarning(it) => warned(it, said),
            What::MessageAccepted(it) => said.push(user_message(event.at, it.message_id, &it.input)),
            What::MessageUpdated(it) => {
                let input = it.input.as_ref();
                said.extend(input.map(|input| user_message(event.at, it.message_id, input)));
            }
            What::MessageFinished(it) => self.finished(it, said),
            What::TurnStarted(_) if event.thread_id.is_none() => self.turn = Turn::default(),
            What::TurnCompleted(it) if event.thread_id.is_none() => {
                self.turn_completed(it, event.turn_id.as_deref(), said);
            }
            What::UsageUpdated(it) => self.used(it, said),
            What::CodexExited(_) => self.exited(said),
            What::CodexRestarted(it) => self.restarted(it, said),
            What::CodexNotice(it) => self.noticed(event, it, said),
            What::CodexUnknown(it) => self.unknown(it, said),
            _ => self.about_items(event, said),
        }
    }

    /// Items, what they ask, and plans.
    fn about_items(&mut self, event: &Event, said: &mut Vec<Message>) {
        let place = self.place(event, event.item_id.as_deref().unwrap_or_default());
        match &event.what {
            What::ItemStarted(it) => self.item_started(place, it, said),
            What::ItemDelta(it) => self.item_delta(&place, it, said),
            What::ItemCompleted(it) => self.item_completed(place, it, said),
            What::PlanUpdated(it) => self.plan_updated(&place, it, said),
            What::ApprovalRequested(it) => self.approval_requested(place, it, said),
            What::ApprovalResolved(it) => self.approval_resolved(it, said),
            What::ToolRequested(it) => self.tool_requested(place, it, said),
            What::ToolResolved(it) => self.tool_resolved(it, said),
            _ => {}
        }
    }

    pub(super) fn place(&self, event: &Event, item: &str) -> Place {
        let thread = event.thread_id.clone();
        let parent = thread.as_ref().and_then(|thread| self.parents.get(thread)).cloned();
        let turn = event.turn_id.clone().unwrap_or_default();
        Place { at: event.at, key: (thread, turn, item.to_owned()), parent }
    }

    /// The session as a browser keeps it.
    #[must_use]
    pub fn state(&self) -> &SessionState {
        &self.state
    }

    /// What it is doing.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Everything Codex asks now.
    pub fn pending(&self) -> impl Iterator<Item = Message> + '_ {
        self.pending
            .values()
            .map(|asked| Message::PermissionRequest { request: Box::new(asked.request.clone()) })
    }

    /// Whether a browser is to be told that no app-server is there.
    #[must_use]
    pub fn is_disconnected(&self) -> bool {
        self.disconnected || self.phase == Phase::Terminated
    }

    /// Says what changed of the session, if it did.
    pub(super) fn update(&mut self, update: Update, said: &mut Vec<Message>) {
        if let Some(news) = update.news(&self.state) {
            self.state.take(news.clone());
            said.push(Message::SessionUpdate { session: Box::new(news) });
        }
    }

    /// Goes to the phase that it is in now, step by step.
    pub(super) fn go(&mut self, said: &mut Vec<Message>) {
        for phase in self.phase.way(Phase::of(self.lifecycle, self.compacting)) {
            said.push(Message::SessionPhase { phase, previous: self.phase });
            self.phase = phase;
        }
    }

    pub(super) fn compacts(&mut self, compacting: bool, said: &mut Vec<Message>) {
        self.compacting = compacting;
        let status = compacting.then_some(super::message::Status::Compacting);
        said.push(Message::StatusChange { status });
        self.update(Update { is_compacting: Some(compacting), ..Update::default() }, said);
        self.go(said);
    }
}

fn user_message(at: Timestamp, id: MessageId, input: &[InputPart]) -> Message {
    let words = input.iter().filter_map(|part| match part {
        InputPart::Text { text } => Some(text.as_str()),
        InputPart::Image { .. } => None,
    });
    let content = words.collect::<Vec<_>>().join("\n");
    Message::UserMessage { content, timestamp: at.0, id: id.to_string() }
}

/// What a person should know. That Codex tries again, or has been quiet, is no error.
fn warned(it: &data::Warning, said: &mut Vec<Message>) {
    if it.code == Code::Retrying.as_str() || it.code == Code::Quiet.as_str() {
        return;
    }
    said.push(error(&it.message, it.hint.as_deref()));
}

fn error(what: &str, hint: Option<&str>) -> Message {
    let hint = hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    Message::Error { message: format!("{what}{hint}") }
}
