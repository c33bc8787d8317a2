//! How a session changes: by its events and facts, and by nothing else.

mod facts;

use std::collections::VecDeque;

use crate::{
    code::Code,
    event::{
        Event, What,
        data::{self, DeltaKind, ItemData},
    },
    fact::Fact,
    ids::{ApprovalId, MessageId},
    item::Item,
    price::Cost,
    state::{ChildTurn, OpenItem, OpenRequest, Queued, Session, Turn},
    text::Text,
    time::Timestamp,
    usage::Usage,
};

/// Of how many approvals it is remembered who answered.
const ANSWERS_KEPT: usize = 32;

impl Session {
    /// Replays one record: its events and its facts, in the order in which they happened.
    pub fn replay(&mut self, events: &[Event], facts: &[(usize, Fact)], at: Timestamp) {
        let mut facts = facts.iter().peekable();
        for (place, event) in events.iter().enumerate() {
            while let Some((_, fact)) = facts.next_if(|(before, _)| *before <= place) {
                self.evolve_fact(fact, at);
            }
            self.evolve(event);
        }
        for (_, fact) in facts {
            self.evolve_fact(fact, at);
        }
    }

    pub(crate) fn evolve(&mut self, event: &Event) {
        self.last_seq = event.seq;
        self.note_sign(event);
        let own = event.thread_id.is_none();
        match &event.what {
            What::SessionCreated(it) => self.settings = it.settings.clone(),
            What::SessionUpdated(it) => self.settings = it.settings.clone(),
            What::SessionState(it) => self.lifecycle = it.state,
            What::MessageStarted(it) => {
                self.message_started(it.message_id, it.steered_into.is_some(), event.at);
            }
            What::MessageFinished(it) => self.message_finished(it.message_id),
            What::TurnStarted(_) if own => self.turn_started(event),
            What::TurnCompleted(_) if own => self.turn_completed(event),
            What::TurnStarted(_) => self.child_turn_started(event),
            What::TurnCompleted(_) => self.child_turn_completed(event),
            What::ItemStarted(it) => self.item_started(event, it),
            What::ItemCompleted(it) => self.item_completed(event, it),
            What::ItemDelta(it) if own && it.kind == DeltaKind::Text => {
                if let Some(turn) = &mut self.turn {
                    turn.partial.push(&it.delta);
                }
            }
            What::ApprovalResolved(it) => {
                self.approvals.remove(&it.approval_id);
                self.remember_answer(it.approval_id, &it.by);
                self.note_waiting(event.at);
            }
            What::ToolResolved(it) => {
                self.tools.remove(&it.tool_call_id);
                self.note_waiting(event.at);
            }
            What::UsageUpdated(it) => {
                self.usage = it.session;
                self.cost = it.cost_usd.map(Cost::from_usd);
                self.context_used_percent = it.context_used_percent.or(self.context_used_percent);
            }
            What::SessionWarning(it) => self.warned(it),
            What::CodexExited(_) => {
                self.thread_ready = false;
                self.thread_wanted = false;
                self.given.clear();
                self.child_turns.clear();
            }
            _ => {}
        }
    }

    /// What is told once.
    fn warned(&mut self, it: &data::Warning) {
        let code = Code::named(&it.code);
        self.sandbox_told |= code == Some(Code::SandboxUnavailable);
        if code.is_some_and(Code::is_told_once) {
            self.told_of_codex.insert(it.message.clone());
        }
        if let Some(turn) = &mut self.turn {
            turn.quiet_told |= code == Some(Code::Quiet);
        }
    }

    fn item_started(&mut self, event: &Event, it: &ItemData) {
        let item = Item::read(&it.item);
        self.item_seen(&item, event.thread_id.is_none());
        let thread = event.thread_id.clone().or_else(|| self.thread_id.clone()).unwrap_or_default();
        let turn = event.turn_id.clone().unwrap_or_default();
        self.items.push(OpenItem { thread, turn, id: item.id, json: it.item.clone() });
    }

    fn item_completed(&mut self, event: &Event, it: &ItemData) {
        let item = Item::read(&it.item);
        let own = event.thread_id.is_none();
        self.item_seen(&item, own);
        let thread = event.thread_id.as_deref().or(self.thread_id.as_deref()).unwrap_or_default();
        let turn = event.turn_id.as_deref().unwrap_or_default();
        self.items.retain(|open| !open.is(thread, turn, &item.id));
        if own && it.closed.is_none() {
            self.message_heard(&item);
        }
    }

    fn take_queued(&mut self, id: MessageId) -> Option<Queued> {
        let place = self.queue.iter().position(|queued| queued.id == id)?;
        self.queue.remove(place)
    }

    /// The opening message was handed to Codex, again after a crash; or a steer was taken.
    fn message_started(&mut self, id: MessageId, joins: bool, at: Timestamp) {
        let asking = Some(self.asking_now());
        if let Some(turn) = &mut self.turn {
            if joins {
                let place = turn.joining.iter().position(|queued| queued.id == id);
                let joined = place.map(|place| turn.joining.remove(place));
                turn.joined.extend(joined.map(|queued| Queued { in_doubt: None, ..queued }));
                turn.partial.clear();
            } else if let Some(opener) = turn.opener.take() {
                // Run again: everything the cut attempt had shown is closed, and counts no more.
                let mut opener = opener;
                opener.attempts += 1;
                opener.in_doubt = None;
                let cut = std::mem::replace(turn, new_turn(Some(opener), at));
                // With the turn, what may have joined it is dropped too; what Codex may have heard counts as heard.
                let doubtful =
                    |queued: &&mut Queued| queued.in_doubt.is_some() && queued.in_doubt == cut.turn_id;
                for queued in self.queue.iter_mut().filter(doubtful) {
                    queued.in_doubt = None;
                    queued.attempts += 1;
                }
                turn.asking = asking;
                turn.dropped = cut.turn_id.or(cut.dropped);
                turn.usage_before = cut.usage_before;
                turn.cost_before = cut.cost_before;
                turn.after = cut.after;
                turn.notes = cut.notes;
                // What had joined it joins again.
                for joined in cut.joined.into_iter().rev() {
                    let attempts = joined.attempts + 1;
                    self.queue.push_front(Queued { joins: true, attempts, ..joined });
                }
            }
            return;
        }
        if let Some(mut queued) = self.take_queued(id) {
            queued.attempts += 1;
            let (usage_before, cost_before) = (self.usage, self.cost);
            let after = self.cut.take().filter(|_| queued.interrupts);
            let notes = std::mem::take(&mut self.notes);
            let turn = new_turn(Some(queued), at);
            self.turn = Some(Turn { asking, usage_before, cost_before, after, notes, ..turn });
        }
    }

    fn message_finished(&mut self, id: MessageId) {
        self.take_queued(id);
        self.adrift.retain(|adrift| adrift.message.id != id);
        if let Some(turn) = &mut self.turn {
            turn.joined.retain(|joined| joined.id != id);
            turn.joining.retain(|queued| queued.id != id);
            if turn.opener.as_ref().is_some_and(|opener| opener.id == id) {
                self.turn = None;
            }
        }
    }

    fn turn_started(&mut self, event: &Event) {
        let at = event.at;
        let (usage_before, cost_before, asking) = (self.usage, self.cost, Some(self.asking_now()));
        if self.turn.is_none() {
            // Whatever was wished for has begun.
            self.wish = None;
        }
        let new = || Turn { asking, usage_before, cost_before, ..new_turn(None, at) };
        let turn = self.turn.get_or_insert_with(new);
        turn.turn_id.clone_from(&event.turn_id);
        turn.started = true;
        turn.begun_at = at;
    }

    /// A turn without a message is over with this; one with a message when the message is.
    fn turn_completed(&mut self, event: &Event) {
        self.last_turn_id.clone_from(&event.turn_id);
        self.given.clear();
        if self.turn.as_ref().is_some_and(|turn| turn.opener.is_none()) {
            self.turn = None;
        }
    }

    fn child_turn_started(&mut self, event: &Event) {
        let (Some(thread), Some(turn_id)) = (event.thread_id.clone(), event.turn_id.clone()) else { return };
        self.child_turns.insert(thread, ChildTurn { turn_id, stopping: false });
    }

    fn child_turn_completed(&mut self, event: &Event) {
        let ended = |thread: &String, turn: &ChildTurn| {
            event.thread_id.as_ref() == Some(thread) && event.turn_id.as_ref() == Some(&turn.turn_id)
        };
        self.child_turns.retain(|thread, turn| !ended(thread, turn));
    }

    fn remember_answer(&mut self, id: ApprovalId, by: &str) {
        if self.answered.len() == ANSWERS_KEPT {
            self.answered.pop_front();
        }
        self.answered.push_back((id, by.to_owned()));
    }

    fn item_seen(&mut self, item: &Item, own: bool) {
        self.children.extend(item.children.iter().cloned());
        if let Some(turn) = &mut self.turn {
            turn.acted |= item.acts();
            turn.spoke |= own && item.kind != "userMessage";
            if own && item.is_message() {
                turn.partial.clear();
            }
        }
    }

    fn message_heard(&mut self, item: &Item) {
        let (Some(turn), Some(text)) = (&mut self.turn, &item.text) else { return };
        if item.is_final_answer() {
            turn.answer = Some(text.as_str().into());
        } else if item.is_message() {
            turn.last_text = Some(text.as_str().into());
        }
    }

    /// Any word of Codex about the turn is a sign of life.
    fn note_sign(&mut self, event: &Event) {
        let about_the_turn = matches!(
            event.what,
            What::TurnStarted(_)
                | What::ItemStarted(_)
                | What::ItemCompleted(_)
                | What::ItemDelta(_)
                | What::ApprovalRequested(_)
                | What::ToolRequested(_)
                | What::UsageUpdated(_)
                | What::PlanUpdated(_)
                | What::DiffUpdated(_)
        );
        // What somebody else calls says nothing of the turn.
        let is_outside = matches!(&event.what, What::ToolRequested(it)
            if self.tools.get(&it.tool_call_id).is_some_and(OpenRequest::is_outside));
        let about_the_turn = about_the_turn && !is_outside;
        // A command that an interrupt has left behind talks on while its thread rests.
        let is_left_behind = |turn: &Turn| {
            turn.idle_since.is_some()
                && matches!(&event.what, What::ItemDelta(it) if it.kind == DeltaKind::Output)
        };
        if let Some(turn) = self.turn.as_mut().filter(|turn| about_the_turn && !is_left_behind(turn)) {
            turn.last_sign = event.at;
            turn.idle_since = None;
            turn.asked_at = None;
            turn.quiet_told = false;
            // Codex calls a tool or asks about one: older versions show no item for it.
            turn.acted |= matches!(event.what, What::ApprovalRequested(_) | What::ToolRequested(_));
        }
    }

    /// Starts or stops the clock of waiting.
    fn note_waiting(&mut self, at: Timestamp) {
        let waits = self.waits();
        let Some(turn) = &mut self.turn else { return };
        match (waits, turn.waiting_since) {
            (true, None) => turn.waiting_since = Some(at),
            (false, Some(since)) => {
                turn.waited_ms += u64::try_from(at.since(since).as_millis()).unwrap_or(u64::MAX);
                turn.waiting_since = None;
                turn.last_sign = at;
            }
            _ => {}
        }
    }
}

fn new_turn(opener: Option<Queued>, at: Timestamp) -> Turn {
    Turn {
        opener,
        joined: Vec::new(),
        joining: Vec::new(),
        turn_id: None,
        active_as: None,
        started: false,
        begun_at: at,
        asking: None,
        last_sign: at,
        alive_at: None,
        waited_ms: 0,
        waiting_since: None,
        acted: false,
        spoke: false,
        answer: None,
        last_text: None,
        partial: Text::default(),
        dropped: None,
        after: None,
        notes: Vec::new(),
        telling: VecDeque::new(),
        usage_before: Usage::default(),
        cost_before: None,
        interrupt: None,
        failing: None,
        idle_since: None,
        asked_at: None,
        quiet_told: false,
        examining: false,
        unanswered: false,
    }
}
