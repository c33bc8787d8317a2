//! What became known from Codex, and what follows from it.

use super::{Deciding, Scope, requests::failed_content};
use crate::{
    code::Code,
    effect::{Answer, Effect},
    event::{
        What,
        data::{
            Decision, Delta, DiffUpdated, Exited, ItemData, Notice, PlanUpdated, Restarted, Started,
            TurnStarted, Unknown, Updated,
        },
    },
    fact::Fact,
    ids::MessageId,
    input::{Heard, Place, TurnEnd},
    item::Item,
    json::Json,
    message::{Failure, Status},
    settings::{Isolation, Settings},
    state::Wished,
    usage::Usage,
    view::ThreadSource,
};

impl Deciding<'_> {
    pub(super) fn heard(&mut self, heard: Heard) {
        let left = &self.session.left;
        if !left.is_empty() && heard.place().is_some_and(|place| left.contains(&place.thread)) {
            return self.heard_from_left(heard);
        }
        match heard {
            Heard::ThreadReady { thread_id } => self.thread_ready(thread_id),
            Heard::ThreadFailed(failure) => self.thread_failed(failure),
            Heard::TurnAccepted { turn_id } => self.turn_accepted(turn_id),
            Heard::TurnRefused(failure) => self.turn_refused(failure),
            Heard::StartUnanswered => self.start_unanswered(),
            Heard::Told { turn_id, reached } => self.told(&turn_id, reached),
            Heard::Steered { message_id, joined } => self.steered(message_id, joined),
            Heard::TurnStarted(place) => self.turn_started(&place),
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
            Heard::Parted => {
                if self.session.thread_ready || self.session.thread_wanted {
                    self.note(Fact::Parted);
                }
            }
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

    fn thread_ready(&mut self, thread_id: String) {
        let was_ready = self.session.thread_ready;
        let first = self.session.thread_id.is_none();
        let expected = match self.session.thread_source() {
            ThreadSource::Resume { thread_id } => Some(thread_id),
            ThreadSource::New if !first => Some(String::new()),
            _ => None,
        };
        let history_gone = !was_ready && expected.is_some_and(|expected| expected != thread_id);
        let new = history_gone || self.session.thread_source() == ThreadSource::New;
        if new && !self.session.totals.contains_key(&thread_id) {
            // A thread without a past: everything it uses is ours.
            self.note(Fact::Total { thread_id: thread_id.clone(), total: Usage::default() });
        }
        if !self.session.is_own(&thread_id) {
            // What is open was shown under another name, and nobody will close it there.
            self.close_everything(Status::Lost);
        }
        self.note(Fact::ThreadReady { thread_id });
        if history_gone {
            self.warn(Code::HistoryGone, Code::HistoryGone.message());
        }
        self.tell_name(first);
        // A message that is to be run again waited for this.
        let waits = self.session.turn.as_ref().is_some_and(|turn| turn.turn_id.is_none() && !turn.examining);
        if waits && !was_ready {
            self.start_turn();
        }
    }

    /// A thread that is new, or was not there when it got its name, is told it now.
    fn tell_name(&mut self, new: bool) {
        let due = self.session.name_due;
        if due {
            self.note(Fact::NameDue { due: false });
        }
        if let Some(name) = self.session.settings.name.clone().filter(|_| due || new) {
            self.effect(Effect::SetName(name));
        }
    }

    fn thread_failed(&mut self, failure: Failure) {
        self.note(Fact::ThreadWanted { wanted: false });
        let next = self.session.queued().next();
        let examining = self.session.turn.as_ref().is_some_and(|turn| turn.examining);
        if examining {
            self.lose(&failure.message);
        } else if self.session.wish.is_some() && self.session.turn.is_none() {
            self.lose_wish(Some(&failure));
        } else if self.session.turn.is_some() {
            self.end_turn(TurnEnd { status: Status::Failed, error: Some(failure), text: None });
        } else if let Some(id) = next {
            self.finish_unstarted(id, Status::Failed, Some(&failure));
        }
    }

    /// The answer to `turn/start`. `turn/started` may have come before it, and counts more.
    fn turn_accepted(&mut self, turn_id: String) {
        let Some(turn) = self.session.turn.as_ref().filter(|turn| turn.turn_id.is_none()) else { return };
        match (turn.examining, turn.unanswered) {
            // The answer came after all.
            (true, true) => self.note(Fact::Found { turn_id }),
            (true, false) => {}
            (false, _) => self.note(Fact::TurnBound { turn_id }),
        }
    }

    /// Whether Codex has the message is not known: it is found out as after a crash.
    fn start_unanswered(&mut self) {
        let turn = self.session.turn.as_ref();
        let Some(turn) = turn.filter(|turn| turn.turn_id.is_none() && !turn.examining) else {
            return self.lose_wish(None);
        };
        let message_id = turn.opener.as_ref().map(|opener| opener.id);
        self.note(Fact::Examining { alive: true });
        if self.session.settings.ephemeral {
            self.leave();
            return self.lose("Codex did not answer, and the thread is not stored");
        }
        self.effect(Effect::Examine { message_id, turn_id: None });
    }

    /// What was wished for does not take place, and it is said so.
    pub(super) fn lose_wish(&mut self, why: Option<&Failure>) {
        let lost = |wished: &Wished| wished.lost();
        let Some(code) = self.session.wish.as_ref().filter(|_| self.session.turn.is_none()).map(lost) else {
            return;
        };
        self.note(Fact::WishOver);
        let message =
            why.map_or(code.message().to_owned(), |why| format!("{}: {}", code.message(), why.message));
        self.warn(code, message);
    }

    /// The thread is left to a turn that hears nothing.
    pub(super) fn leave(&mut self) {
        self.note(Fact::Left);
        self.effect(Effect::LeaveProcess);
        if self.session.settings.isolation == Isolation::Shared {
            let settings = Settings { isolation: Isolation::Isolated, ..(*self.session.settings).clone() };
            self.emit(What::SessionUpdated(Updated { settings: settings.into() }));
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
        let waits = turn.filter(|turn| turn.joining.iter().any(|queued| queued.id == message_id));
        match (waits, joined) {
            (Some(turn), true) => {
                let steered_into = turn.opener.as_ref().map(|opener| opener.id);
                let scope = Scope { turn_id: turn.turn_id.clone(), ..Scope::default() };
                self.emit_in(scope, What::MessageStarted(Started { message_id, attempt: 1, steered_into }));
            }
            (None, true) => self.finish_adrift(message_id),
            (_, false) => self.note(Fact::SteerRefused { message_id }),
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
        if own && unanswered {
            self.note(Fact::Found { turn_id: place.turn.clone() });
        }
        let scope = self.scope(place);
        self.emit_in(scope, What::TurnStarted(TurnStarted { message_ids }));
        if own {
            self.join_waiting();
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
        let turn = self.session.turn.as_ref();
        if turn.is_some_and(|turn| turn.turn_id.as_deref() == Some(place.turn.as_str())) {
            self.end_turn(end);
        } else {
            self.keep("turn/completed", place);
        }
    }

    /// Something about a turn that is not ours to follow.
    fn keep(&mut self, method: &str, place: &Place) {
        let params = serde_json::json!({"threadId": place.thread, "turnId": place.turn}).into();
        self.emit(What::CodexNotice(Notice { method: method.to_owned(), params }));
    }

    /// Something of a turn that was given up: it changes nothing any more, but what it waits for is refused, and what it
    /// uses is paid.
    fn heard_from_left(&mut self, heard: Heard) {
        match heard {
            Heard::Usage { .. } => self.used(heard),
            Heard::TurnEnded(place, _) => self.keep("turn/completed", &place),
            Heard::Asked { key, kind, .. } => {
                let answer = Answer::Approval { kind, decision: Decision::Cancel, content: None };
                self.effect(Effect::Answer { key, answer });
            }
            Heard::ToolCalled { key, .. } => {
                let content = failed_content("the turn was given up");
                self.effect(Effect::Answer { key, answer: Answer::Tool { success: false, content } });
            }
            _ => {}
        }
    }

    fn item_started(&mut self, place: &Place, item: Json) {
        let id = Item::id_of(&item);
        if self.session.items.iter().any(|open| open.is(&place.thread, &place.turn, &id)) {
            return;
        }
        self.note_joined(&item);
        let scope = Scope { item_id: Some(id), ..self.scope(place) };
        self.emit_in(scope, What::ItemStarted(ItemData { item, closed: None }));
    }

    fn item_completed(&mut self, place: &Place, json: Json) {
        self.note_joined(&json);
        let item = Item::read(&json);
        let no_sandbox = !self.session.sandbox_told && item.shows_no_sandbox(&json);
        let scope = Scope { item_id: Some(item.id), ..self.scope(place) };
        self.emit_in(scope, What::ItemCompleted(ItemData { item: json, closed: None }));
        if no_sandbox {
            self.warn(Code::SandboxUnavailable, Code::SandboxUnavailable.message());
        }
    }

    /// A user's message in the turn that has the id of a steer: it joined, whatever becomes of its answer.
    fn note_joined(&mut self, item: &Json) {
        let Some(turn) = self.session.turn.as_ref().filter(|turn| !turn.joining.is_empty()) else { return };
        let Some(client_id) = Item::read(item).client_id else { return };
        let joined = turn.joining.iter().map(|queued| queued.id).find(|id| id.to_string() == client_id);
        if let Some(message_id) = joined {
            self.steered(message_id, true);
        }
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
        let again_now = turn.turn_id.clone().filter(|_| not_started && turn.started);
        let Some(turn_id) = again_now else {
            return self.note(Fact::InterruptAnswered { again: not_started });
        };
        self.note(Fact::InterruptSent);
        self.effect(Effect::Interrupt { turn_id });
    }

    fn process_gone(&mut self, reason: String, stderr_tail: String) {
        self.emit(What::CodexExited(Exited { reason, stderr_tail }));
        self.close_requests(&|_| true, Decision::Expired, "expired");
        self.lose_wish(None);
        // Steers of turns that have ended: nothing shows that they joined, so they wait their turn.
        let adrift: Vec<_> = self.session.adrift.iter().map(|adrift| adrift.message.id).collect();
        for message_id in adrift.into_iter().rev() {
            self.note(Fact::SteerRefused { message_id });
        }
        let Some(turn) = &self.session.turn else { return };
        let effect = Effect::Examine {
            message_id: turn.opener.as_ref().map(|opener| opener.id),
            turn_id: turn.turn_id.clone(),
        };
        let told = turn.telling.len();
        let joining: Vec<_> = turn.joining.iter().map(|queued| queued.id).collect();
        if turn.opener.is_none() {
            // A compaction or a review: there is no message to be run again.
            return self.end_turn(TurnEnd { status: Status::Interrupted, error: None, text: None });
        }
        // A steer that was not answered is not in a turn that is cut; it waits its turn.
        for message_id in joining.into_iter().rev() {
            self.note(Fact::SteerRefused { message_id });
        }
        for _ in 0..told {
            self.note(Fact::Told { reached: false });
        }
        self.note(Fact::Examining { alive: false });
        if self.session.settings.ephemeral {
            return self.lose("the app-server ended, and its thread was not stored");
        }
        self.effect(effect);
    }

    fn gave_up(&mut self, reason: String) {
        self.note(Fact::Broken { reason: Some(reason) });
        if self.session.turn.is_some() {
            self.lose("no app-server could be started to find out what became of the turn");
        }
    }
}
