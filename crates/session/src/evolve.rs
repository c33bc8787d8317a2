//! How a session changes: by its events and facts, and by nothing else.

use crate::{
    event::{Event, What, data::DeltaKind},
    fact::{Fact, RequestRef},
    ids::MessageId,
    item::Item,
    message::Status,
    state::{Adrift, CutTurn, Interrupt, OpenItem, OpenRequest, Queued, Session, Turn},
    time::Timestamp,
};

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
        let thread = event.thread_id.clone().or_else(|| self.thread_id.clone()).unwrap_or_default();
        let turn = event.turn_id.clone().unwrap_or_default();
        self.note_sign(event);
        match &event.what {
            What::SessionCreated(it) => self.settings = it.settings.clone(),
            What::SessionUpdated(it) => self.settings = it.settings.clone(),
            What::SessionState(it) => self.lifecycle = it.state,
            What::MessageStarted(it) => {
                self.message_started(it.message_id, it.steered_into.is_some(), event.at);
            }
            What::MessageFinished(it) => self.message_finished(it.message_id),
            What::TurnStarted(_) if event.thread_id.is_none() => self.turn_started(turn, event.at),
            What::TurnCompleted(_) if event.thread_id.is_none() => self.turn_completed(),
            What::ItemStarted(it) => {
                let item = Item::read(&it.item);
                self.item_seen(&item, event.thread_id.is_none());
                let open = OpenItem { thread, turn, id: item.id, json: it.item.clone() };
                self.items.push(open);
            }
            What::ItemCompleted(it) => {
                let item = Item::read(&it.item);
                self.item_seen(&item, event.thread_id.is_none());
                self.items.retain(|open| (&open.thread, &open.turn, &open.id) != (&thread, &turn, &item.id));
                if event.thread_id.is_none() && it.closed.is_none() {
                    self.message_heard(&item);
                }
            }
            What::ItemDelta(it) if event.thread_id.is_none() && it.kind == DeltaKind::Text => {
                if let Some(turn) = &mut self.turn {
                    turn.partial.push_str(&it.delta);
                }
            }
            What::ApprovalResolved(it) => {
                self.approvals.remove(&it.approval_id);
                self.note_waiting(event.at);
            }
            What::ToolResolved(it) => {
                self.tools.remove(&it.tool_call_id);
                self.note_waiting(event.at);
            }
            What::UsageUpdated(it) => self.usage = it.session,
            What::SessionWarning(it) if it.code == "quiet" => {
                if let Some(turn) = &mut self.turn {
                    turn.quiet_told = true;
                }
            }
            What::CodexExited(_) => self.thread_ready = false,
            _ => {}
        }
    }

    pub(crate) fn evolve_fact(&mut self, fact: &Fact, at: Timestamp) {
        match fact {
            Fact::Queued { message_id, input, options, first } => {
                let queued = Queued {
                    id: *message_id,
                    input: input.clone(),
                    options: (**options).clone(),
                    accepted_at: at,
                    attempts: 0,
                };
                if *first { self.queue.push_front(queued) } else { self.queue.push_back(queued) }
            }
            Fact::Moved { message_id, position } => {
                if let Some(queued) = self.take_queued(*message_id) {
                    self.queue.insert((*position).min(self.queue.len()), queued);
                }
            }
            Fact::Edited { message_id, input } => {
                if let Some(queued) = self.queue.iter_mut().find(|queued| queued.id == *message_id) {
                    queued.input.clone_from(input);
                }
            }
            Fact::ThreadReady { thread_id } => {
                self.thread_id = Some(thread_id.clone());
                self.thread_ready = true;
            }
            Fact::Steering { message_id } => {
                if let (Some(queued), Some(turn)) = (self.take_queued(*message_id), &mut self.turn) {
                    turn.joining.push(queued);
                }
            }
            Fact::Adrift { message_id, status, text } => self.set_adrift(*message_id, *status, text),
            Fact::SteerRefused { message_id } => self.steer_refused(*message_id),
            Fact::Request { id, key, thread, turn, kind, timeout_seconds } => {
                let open = OpenRequest {
                    key: key.clone(),
                    thread: thread.clone(),
                    turn: turn.clone(),
                    kind: *kind,
                    asked_at: at,
                    timeout_seconds: *timeout_seconds,
                };
                match id {
                    RequestRef::Approval(id) => self.approvals.insert(*id, open),
                    RequestRef::Tool(id) => self.tools.insert(*id, open),
                };
                self.note_waiting(at);
            }
            Fact::Total { thread_id, total } => _ = self.totals.insert(thread_id.clone(), *total),
            Fact::Child { thread_id } => _ = self.children.insert(thread_id.clone()),
            Fact::Held { held } => self.held = *held,
            Fact::Stopped { stopped } => self.stopped = *stopped,
            Fact::Broken { reason } => self.broken.clone_from(reason),
            Fact::CutKept => self.cut = self.turn.as_ref().map(cut_of),
            _ => self.evolve_turn(fact, at),
        }
    }

    /// The facts that are about the running turn.
    fn evolve_turn(&mut self, fact: &Fact, at: Timestamp) {
        let Some(turn) = &mut self.turn else { return };
        match fact {
            Fact::TurnBound { turn_id } => turn.turn_id = Some(turn_id.clone()),
            Fact::Interrupting { cause } => {
                turn.interrupt = Some(Interrupt { cause: *cause, asked_at: at, again: false });
            }
            Fact::InterruptAnswered { again } => {
                if let Some(interrupt) = &mut turn.interrupt {
                    interrupt.again = *again;
                    interrupt.asked_at = at;
                }
            }
            Fact::Failing { failure } => turn.failing = Some((failure.clone(), at)),
            Fact::Idle => turn.idle_since = Some(at),
            Fact::Asked => turn.asked_at = Some(at),
            Fact::Alive => {
                turn.last_sign = at;
                turn.idle_since = None;
                turn.asked_at = None;
            }
            Fact::Examining => turn.examining = true,
            _ => {}
        }
    }

    fn take_queued(&mut self, id: MessageId) -> Option<Queued> {
        let place = self.queue.iter().position(|queued| queued.id == id)?;
        self.queue.remove(place)
    }

    /// The opening message was handed to Codex, again after a crash; or a steer was taken.
    fn message_started(&mut self, id: MessageId, joins: bool, at: Timestamp) {
        if let Some(turn) = &mut self.turn {
            if joins {
                turn.joining.retain(|queued| queued.id != id);
                turn.joined.push(id);
                turn.partial.clear();
            } else if let Some(opener) = turn.opener.take() {
                // Run again: everything the cut attempt had shown is closed, and counts no more.
                let joined = std::mem::take(&mut turn.joined);
                let usage_before = turn.usage_before;
                let mut opener = opener;
                opener.attempts += 1;
                self.turn = Some(Turn { joined, usage_before, ..new_turn(Some(opener), at) });
            }
            return;
        }
        if let Some(mut queued) = self.take_queued(id) {
            queued.attempts += 1;
            let usage_before = self.usage;
            self.turn = Some(Turn { usage_before, ..new_turn(Some(queued), at) });
            self.cut = None;
        }
    }

    fn message_finished(&mut self, id: MessageId) {
        self.take_queued(id);
        self.adrift.retain(|adrift| adrift.message.id != id);
        if let Some(turn) = &mut self.turn {
            turn.joined.retain(|joined| *joined != id);
            turn.joining.retain(|queued| queued.id != id);
            if turn.opener.as_ref().is_some_and(|opener| opener.id == id) {
                self.turn = None;
            }
        }
    }

    fn turn_started(&mut self, turn_id: String, at: Timestamp) {
        let usage_before = self.usage;
        let turn = self.turn.get_or_insert_with(|| Turn { usage_before, ..new_turn(None, at) });
        turn.turn_id = Some(turn_id);
        turn.started = true;
        turn.begun_at = at;
    }

    /// A turn without a message is over with this; one with a message when the message is.
    fn turn_completed(&mut self) {
        if self.turn.as_ref().is_some_and(|turn| turn.opener.is_none()) {
            self.turn = None;
        }
    }

    fn set_adrift(&mut self, id: MessageId, status: Status, text: &str) {
        let Some(turn) = &mut self.turn else { return };
        let Some(place) = turn.joining.iter().position(|queued| queued.id == id) else { return };
        let message = turn.joining.remove(place);
        let opener = turn.opener.as_ref().map(|opener| opener.id);
        self.adrift.push(Adrift { message, opener, status, text: text.to_owned() });
    }

    fn steer_refused(&mut self, id: MessageId) {
        if let Some(turn) = &mut self.turn
            && let Some(place) = turn.joining.iter().position(|queued| queued.id == id)
        {
            let queued = turn.joining.remove(place);
            self.queue.push_front(queued);
        }
        if let Some(place) = self.adrift.iter().position(|adrift| adrift.message.id == id) {
            let adrift = self.adrift.remove(place);
            self.queue.push_front(adrift.message);
        }
    }

    fn item_seen(&mut self, item: &Item, own: bool) {
        self.children.extend(item.children.iter().cloned());
        if let Some(turn) = &mut self.turn {
            turn.acted |= item.acts();
            if own && item.is_message() {
                turn.partial.clear();
            }
        }
    }

    fn message_heard(&mut self, item: &Item) {
        let (Some(turn), Some(text)) = (&mut self.turn, &item.text) else { return };
        if item.is_final_answer() {
            turn.answer = Some(text.clone());
        } else if item.is_message() {
            turn.last_text = Some(text.clone());
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
        if let Some(turn) = self.turn.as_mut().filter(|_| about_the_turn) {
            turn.last_sign = event.at;
            turn.idle_since = None;
            turn.asked_at = None;
        }
    }

    /// Starts or stops the clock of waiting.
    fn note_waiting(&mut self, at: Timestamp) {
        let waits = !(self.approvals.is_empty() && self.tools.is_empty());
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
        started: false,
        begun_at: at,
        last_sign: at,
        waited_ms: 0,
        waiting_since: None,
        acted: false,
        answer: None,
        last_text: None,
        partial: String::new(),
        usage_before: crate::usage::Usage::default(),
        interrupt: None,
        failing: None,
        idle_since: None,
        asked_at: None,
        quiet_told: false,
        examining: false,
    }
}

fn cut_of(turn: &Turn) -> CutTurn {
    let input = turn.opener.as_ref().map(|opener| opener.input.clone()).unwrap_or_default();
    CutTurn { input, partial: turn.said_so_far() }
}
