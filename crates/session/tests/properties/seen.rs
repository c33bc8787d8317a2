//! What an observer has seen of a session, and what must be true of it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use selvedge_session::{Effect, Event, MessageId, Status, What};
use uuid::Uuid;

/// How an observer names the session's own thread, whichever it is.
const MINE: &str = "(own)";

#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) last_seq: u64,
    pub(crate) accepted: Vec<MessageId>,
    /// Those whose place in the order nobody changed.
    pub(crate) plain: HashSet<MessageId>,
    pub(crate) started: Vec<MessageId>,
    pub(crate) finished: BTreeSet<MessageId>,
    pub(crate) items: BTreeSet<(String, String, String)>,
    pub(crate) requests: BTreeMap<Uuid, (String, String)>,
    pub(crate) resolved: HashSet<Uuid>,
    pub(crate) asked: Vec<Uuid>,
    pub(crate) usage: u64,
    /// Turns of sub-agents that were told to stop.
    pub(crate) stopped: HashSet<(String, String)>,
    /// Steers that Codex has not answered, and was not asked about.
    pub(crate) in_doubt: HashSet<MessageId>,
}

impl Seen {
    pub(crate) fn event(&mut self, event: &Event) {
        let thread = event.thread_id.clone().unwrap_or_else(|| MINE.to_owned());
        let turn = event.turn_id.clone().unwrap_or_default();
        match &event.what {
            What::MessageAccepted(it) => self.accepted.push(it.message_id),
            What::MessageStarted(it) => {
                assert!(!self.finished.contains(&it.message_id), "started after its end");
                self.started.push(it.message_id);
                if it.steered_into.is_some() {
                    self.in_doubt.remove(&it.message_id);
                }
            }
            What::MessageFinished(it) => {
                assert!(self.accepted.contains(&it.message_id), "ended without having been accepted");
                assert!(self.finished.insert(it.message_id), "ended twice");
            }
            What::ItemStarted(_) => _ = self.items.insert((thread, turn, event.item_id.clone().unwrap())),
            What::ItemCompleted(_) => _ = self.items.remove(&(thread, turn, event.item_id.clone().unwrap())),
            What::ApprovalRequested(it) => _ = self.requests.insert(it.approval_id.0, (thread, turn)),
            What::ToolRequested(it) => _ = self.requests.insert(it.tool_call_id.0, (thread, turn)),
            What::ApprovalResolved(it) => self.resolve(it.approval_id.0),
            What::ToolResolved(it) => self.resolve(it.tool_call_id.0),
            What::TurnStarted(_) => _ = self.stopped.remove(&(thread, turn)),
            What::TurnCompleted(it) if event.thread_id.is_none() => {
                // Only sub-agents outlive a turn, and only one that completed.
                let may_stay = |thread: &str| it.status == Status::Completed && thread != MINE;
                assert!(self.items.iter().all(|(thread, ..)| may_stay(thread)), "open: {:?}", self.items);
                let mut waiting = self.requests.values();
                assert!(waiting.all(|(thread, _)| may_stay(thread)), "waiting: {:?}", self.requests);
            }
            What::TurnCompleted(_) => {
                assert!(
                    !self.items.iter().any(|(t, u, _)| *t == thread && *u == turn),
                    "left open by a sub-agent"
                );
            }
            What::UsageUpdated(it) => {
                assert!(it.session.total >= self.usage, "usage never falls");
                self.usage = it.session.total;
            }
            _ => {}
        }
    }

    /// What Codex may have heard is not said to it again before it is asked.
    pub(crate) fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::InterruptChild { thread_id, turn_id } => {
                let first = self.stopped.insert((thread_id.clone(), turn_id.clone()));
                assert!(first, "told twice to stop: the second would be for its next turn");
            }
            Effect::Steer { message_id, .. } => _ = self.in_doubt.insert(*message_id),
            Effect::Examine { message_id: Some(message_id), .. } => _ = self.in_doubt.remove(message_id),
            // With the turn that they may have joined they are gone.
            Effect::DropTurn { .. } => self.in_doubt.clear(),
            Effect::StartTurn { message_id, .. } => {
                assert!(!self.in_doubt.contains(message_id), "said again without being asked for");
            }
            _ => {}
        }
    }

    fn resolve(&mut self, id: Uuid) {
        assert!(
            self.requests.remove(&id).is_some() && self.resolved.insert(id),
            "settled once, after it was asked"
        );
    }

    /// Messages that nobody moved were started in the order in which they were accepted.
    pub(crate) fn assert_order(&self) {
        let place = |id: &MessageId| self.accepted.iter().position(|accepted| accepted == id);
        let mut first_starts: Vec<_> = Vec::new();
        for id in self.started.iter().filter(|id| self.plain.contains(id)) {
            if !first_starts.contains(&place(id)) {
                first_starts.push(place(id));
            }
        }
        assert!(first_starts.is_sorted(), "{first_starts:?}");
    }
}
