//! What became known from Codex, and what follows from it.

use super::{Deciding, Scope};
use crate::{
    code::Code,
    effect::Effect,
    event::{
        What,
        data::{Delta, DiffUpdated, ItemData, Notice, PlanUpdated, Restarted, Started, TurnStarted, Unknown},
    },
    fact::Fact,
    ids::MessageId,
    input::{Heard, Place, TurnEnd},
    item::Item,
    json::Json,
    message::{Failure, Status},
    state::Turn,
};

/// How often an interrupt is sent again that was refused although the turn has started.
const MOST_RESENT: u8 = 2;

impl Deciding<'_> {
    pub(super) fn heard(&mut self, heard: Heard) {
        let left = &self.session.left;
        if !left.is_empty() && heard.place().is_some_and(|place| left.contains(&place.thread)) {
            return self.heard_from_left(heard);
        }
        match heard {
            Heard::ThreadReady { thread_id } => self.thread_ready(thread_id),
            Heard::MadeWith(made_with) => self.note(Fact::MadeWith(made_with)),
            Heard::ThreadFailed(failure) => self.thread_failed(failure),
            Heard::TurnAccepted { turn_id } => self.turn_accepted(turn_id),
            Heard::TurnRefused(failure) => self.turn_refused(failure),
            Heard::StartUnanswered => self.start_unanswered(),
            Heard::Told { turn_id, reached } => self.told(&turn_id, reached),
            Heard::Steered { message_id, joined } => self.steered(message_id, joined),
            Heard::SteerUnanswered { message_id } => self.steer_unanswered(message_id),
            Heard::TurnStarted(place) => self.turn_started_as(place),
            Heard::TurnEnded(place, end) => self.turn_ended(&place, end),
            Heard::ItemStarted(place, item) => self.item_started(&place, item),
            Heard::ItemCompleted(place, item) => self.item_completed(&place, item),
            Heard::Delta { place, item_id, kind, delta } => {
                let scope = Scope { item_id: Some(item_id), ..self.scope_at(place) };
                self.emit_in(scope, What::ItemDelta(Delta { kind, delta }));
            }
            Heard::Plan(place, steps) => {
                let scope = self.scope(&place);
                self.emit_in(scope, What::PlanUpdated(PlanUpdated { steps }));
            }
            Heard::Diff(place, files) => {
                let scope = self.scope(&place);
                self.emit_in(scope, What::DiffUpdated(DiffUpdated { files }));
            }
            Heard::Usage { .. } => self.used(heard),
            Heard::Asked { .. } => self.asked(heard),
            Heard::ToolCalled { .. } => self.tool_called(heard),
            Heard::Withdrawn(key) => self.withdrawn(&key),
            Heard::Trouble { place, will_retry, failure } => self.trouble(&place, will_retry, failure),
            Heard::Idle => self.idle(),
            Heard::InterruptAnswered { not_started } => self.interrupt_answered(not_started),
            Heard::Verdict(verdict) => self.verdict(verdict),
            Heard::Parted => self.parted(),
            Heard::CaughtUp { begun } => self.caught_up(begun),
            Heard::Orphaned => self.orphaned(),
            Heard::PutAway { away } => self.put_away_answered(away),
            Heard::Named { name, told } => self.named(&name, told),
            Heard::ProcessGone { reason, stderr_tail } => self.process_gone(reason, stderr_tail),
            Heard::ProcessBack { attempt, version } => {
                self.emit(What::CodexRestarted(Restarted { attempt, version }));
            }
            Heard::GaveUp(reason) => self.gave_up(reason),
            Heard::Warning { code, message, hint } => self.warn_with(code, message, hint),
            Heard::Notice { method, params } => self.emit(What::CodexNotice(Notice { method, params })),
            Heard::Unknown { direction, raw } => self.emit(What::CodexUnknown(Unknown { direction, raw })),
        }
    }

    /// The answer to `turn/start`. `turn/started` may have come before it, and counts more.
    fn turn_accepted(&mut self, turn_id: String) {
        let sent = self.session.wish.as_ref().is_some_and(|wished| wished.sent_at.is_some());
        if self.session.turn.is_none() && sent {
            return self.note(Fact::WishNamed { turn_id });
        }
        let Some(turn) = self.session.turn.as_ref().filter(|turn| turn.turn_id.is_none()) else { return };
        match (turn.examining, turn.unanswered) {
            // The answer came after all.
            (true, true) => self.note(Fact::Found { turn_id }),
            (true, false) => {}
            (false, _) => self.note(Fact::TurnBound { turn_id }),
        }
    }

    fn turn_refused(&mut self, failure: Failure) {
        self.lose_wish(Some(&failure));
        let waits = self.session.turn.as_ref().is_some_and(|turn| !turn.started && !turn.examining);
        if waits {
            self.end_turn(TurnEnd { status: Status::Failed, error: Some(failure), text: None });
        }
    }

    fn steered(&mut self, message_id: MessageId, joined: bool) {
        let turn = self.session.turn.as_ref();
        let waits = turn.and_then(|turn| {
            turn.joining.iter().find(|queued| queued.id == message_id).map(|queued| (turn, queued))
        });
        match (waits, joined) {
            (Some((turn, queued)), true) => {
                let steered_into = turn.opener.as_ref().map(|opener| opener.id);
                let scope = Scope { turn_id: turn.turn_id.clone(), ..Scope::default() };
                let attempt = queued.attempts + 1;
                self.emit_in(scope, What::MessageStarted(Started { message_id, attempt, steered_into }));
            }
            (None, true) => self.finish_adrift(message_id),
            (_, false) => self.note(Fact::SteerRefused { message_id }),
        }
    }

    fn steer_unanswered(&mut self, message_id: MessageId) {
        let waits = |turn: &Turn| turn.joining.iter().any(|queued| queued.id == message_id);
        let adrift = self.session.adrift.iter().any(|adrift| adrift.message.id == message_id);
        if adrift || self.session.turn.as_ref().is_some_and(waits) {
            self.note(Fact::SteerUnanswered { message_id });
        }
    }

    /// A review's items and end name the turn of its answer; only its start and an interrupt name another.
    fn turn_started_as(&mut self, place: Place) {
        let wished = self.session.wish.as_ref().filter(|_| self.session.turn.is_none());
        let named = wished.and_then(|wished| wished.turn_id.clone());
        match named.filter(|named| self.session.is_own(&place.thread) && *named != place.turn) {
            Some(named) => {
                self.turn_started(&Place { turn: named, thread: place.thread });
                self.note(Fact::ActiveAs { turn_id: place.turn });
            }
            None => self.turn_started(&place),
        }
    }

    pub(super) fn turn_started(&mut self, place: &Place) {
        let own = self.session.is_own(&place.thread);
        let current = self.session.turn.as_ref();
        let known =
            current.is_some_and(|turn| turn.turn_id.as_ref().is_none_or(|known| *known == place.turn));
        if own && current.is_some() && !known {
            // A turn beside the running one: old versions answer a steer with a phantom. Kept, and not followed.
            return self.keep("turn/started", place);
        }
        let unanswered = current.is_some_and(|turn| turn.examining && turn.unanswered);
        if own && current.is_some_and(|turn| turn.started || (turn.examining && !unanswered)) {
            return;
        }
        let message_ids =
            if own { current.map(|turn| turn.message_ids()).unwrap_or_default() } else { Vec::new() };
        let again = current.and_then(|turn| turn.interrupt.as_ref()).is_some_and(|interrupt| interrupt.again);
        let current_is_stopping = current.is_some_and(|turn| turn.interrupt.is_some());
        if own && unanswered {
            self.note(Fact::Found { turn_id: place.turn.clone() });
        }
        let scope = self.scope(place);
        self.emit_in(scope, What::TurnStarted(TurnStarted { message_ids }));
        if own {
            self.join_waiting();
        } else if self.session.stopped || current_is_stopping {
            self.stop_children();
        }
        if own && again {
            self.note(Fact::InterruptSent);
            self.effect(Effect::Interrupt { turn_id: place.turn.clone() });
        }
    }

    fn turn_ended(&mut self, place: &Place, end: TurnEnd) {
        if !self.session.is_own(&place.thread) {
            return self.end_child_turn(place, end);
        }
        // One that no message opened has no other name to be known by: a review may begin under one and end under another.
        let is_it =
            |turn: &Turn| turn.opener.is_none() || turn.turn_id.as_deref() == Some(place.turn.as_str());
        if self.session.turn.as_ref().is_some_and(is_it) {
            self.end_turn(end);
        } else {
            self.keep("turn/completed", place);
        }
    }

    /// Something about a turn that is not ours to follow.
    pub(super) fn keep(&mut self, method: &str, place: &Place) {
        let params = serde_json::json!({"threadId": place.thread, "turnId": place.turn}).into();
        self.emit(What::CodexNotice(Notice { method: method.to_owned(), params }));
    }

    fn item_started(&mut self, place: &Place, item: Json) {
        let id = Item::id_of(&item);
        if self.session.items.iter().any(|open| open.is(&place.thread, &place.turn, &id)) {
            return;
        }
        self.note_joined(&item);
        self.compaction_begun(place, &item);
        let scope = Scope { item_id: Some(id), ..self.scope(place) };
        self.emit_in(scope, What::ItemStarted(ItemData { item, closed: None }));
    }

    /// 0.98 does not say that the turn of a compaction begins; its item does.
    fn compaction_begun(&mut self, place: &Place, item: &Json) {
        let wished = self.session.wish.as_ref().is_some_and(|wished| wished.sent_at.is_some());
        let waits = wished && self.session.turn.is_none() && self.session.is_own(&place.thread);
        if waits && Item::read(item).kind == "contextCompaction" {
            self.turn_started(place);
        }
    }

    fn item_completed(&mut self, place: &Place, json: Json) {
        self.note_joined(&json);
        let item = Item::read(&json);
        if self.was_closed(place, &item.id) {
            // It was closed with its turn; what came of it later is kept beside it.
            let value: serde_json::Value = serde_json::from_str(json.text()).unwrap_or_default();
            let params = serde_json::json!({"threadId": place.thread, "turnId": place.turn, "item": value});
            let method = "item/completed".to_owned();
            return self.emit(What::CodexNotice(Notice { method, params: params.into() }));
        }
        let no_sandbox = !self.session.sandbox_told && item.shows_no_sandbox(&json);
        let scope = Scope { item_id: Some(item.id), ..self.scope(place) };
        self.emit_in(scope, What::ItemCompleted(ItemData { item: json, closed: None }));
        if no_sandbox {
            self.warn(Code::SandboxUnavailable, Code::SandboxUnavailable.message());
        }
    }

    /// Whether an item of the session's own thread belongs to a turn that has ended, and was closed with it.
    fn was_closed(&self, place: &Place, item: &str) -> bool {
        let session = &*self.session;
        let runs =
            session.turn.as_ref().is_some_and(|turn| turn.turn_id.as_deref() == Some(place.turn.as_str()));
        let open = session.items.iter().any(|open| {
            (open.thread.as_str(), open.turn.as_str(), open.id.as_str())
                == (&*place.thread, &*place.turn, item)
        });
        session.is_own(&place.thread) && !runs && !open
    }

    /// A user's message in the turn that has the id of a steer: it joined, whatever becomes of its answer.
    fn note_joined(&mut self, item: &Json) {
        let Some(turn) = &self.session.turn else { return };
        let queue = self.session.queue.iter();
        let doubtful = queue.filter(|queued| queued.in_doubt.is_some() && queued.in_doubt == turn.turn_id);
        let mut steers = turn.joining.iter().chain(doubtful).map(|queued| queued.id).peekable();
        if steers.peek().is_none() {
            return;
        }
        let Some(client_id) = Item::read(item).client_id else { return };
        let Some(message_id) = steers.find(|id| id.to_string() == client_id) else { return };
        if turn.joining.iter().all(|queued| queued.id != message_id) {
            self.note(Fact::Steering { message_id });
        }
        self.steered(message_id, true);
    }

    fn trouble(&mut self, place: &Place, will_retry: bool, failure: Failure) {
        if will_retry {
            return self.warn(Code::Retrying, failure.message);
        }
        let turn = self.session.turn.as_ref();
        if turn.is_some_and(|turn| {
            turn.turn_id.as_deref() == Some(place.turn.as_str()) && turn.failing.is_none()
        }) {
            self.note(Fact::Failing { failure });
        }
    }

    fn idle(&mut self) {
        if self.session.turn.as_ref().is_some_and(|turn| turn.started && turn.idle_since.is_none()) {
            self.note(Fact::Idle);
        }
    }

    fn interrupt_answered(&mut self, not_started: bool) {
        let turn = self.session.turn.as_ref();
        let Some(turn) = turn.filter(|turn| turn.interrupt.is_some()) else { return };
        // It may have started while the refusal was on its way: then it is asked again at once.
        // Not for ever: who refuses every time is deaf, and the time for that runs.
        let tries = turn.interrupt.as_ref().map_or(0, |interrupt| interrupt.resent);
        if not_started && turn.started && tries >= MOST_RESENT {
            return;
        }
        let again_now = turn.interrupt_id().filter(|_| not_started && turn.started);
        let Some(turn_id) = again_now else {
            return self.note(Fact::InterruptAnswered { again: not_started });
        };
        self.note(Fact::InterruptSent);
        self.effect(Effect::Interrupt { turn_id });
    }
}
