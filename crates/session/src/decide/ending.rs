//! How turns and messages end. Every end goes through here.

use std::iter;

use super::{Deciding, Scope};
use crate::{
    code::Code,
    effect::Effect,
    event::{
        What,
        data::{Decision, Finished, ItemData, Started, TurnCompleted},
    },
    fact::{Cause, Fact},
    ids::MessageId,
    input::{Place, TurnEnd, Verdict},
    item::Item,
    json::Json,
    message::{Failure, Retry, Status},
    settings::OnLost,
    shape::Shape,
    state::{OpenRequest, Turn},
    usage::Usage,
};

impl Deciding<'_> {
    /// The session's own turn is over, however that became known.
    pub(super) fn end_turn(&mut self, end: TurnEnd) {
        let Some(turn) = self.session.turn.clone() else { return };
        let cause = turn.interrupt.as_ref().map(|interrupt| interrupt.cause);
        let (status, error) = judged(end.status, end.error, cause);
        let text = match end.text {
            Some(text) if turn.answer.is_none() && turn.last_text.is_none() => text,
            _ if status == Status::Completed => turn.text(),
            _ => turn.said_so_far(),
        };
        let interrupted_by_next = self.session.queue.front().is_some_and(|queued| queued.interrupts);
        if cause == Some(Cause::Person) && status == Status::Interrupted && interrupted_by_next {
            // Before the items are closed: what streamed of them is what was said so far.
            self.note(Fact::CutKept);
        }
        self.close_everything(status);
        for queued in &turn.joining {
            self.leave_joining(queued.id, status, &text);
        }
        for _ in &turn.telling {
            self.was_told(false);
        }
        let message_ids = turn.message_ids();
        if let Some(turn_id) = &turn.turn_id {
            let scope = Scope { turn_id: Some(turn_id.clone()), ..Scope::default() };
            let duration_ms = u64::try_from(self.now.since(turn.begun_at).as_millis()).unwrap_or(u64::MAX);
            let completed = TurnCompleted { message_ids, status, error: error.clone(), duration_ms };
            self.emit_in(scope, What::TurnCompleted(completed));
        }
        let priced = turn.opener.as_ref().is_some_and(|opener| self.session.price(&opener.options).is_some());
        let scope = Scope { turn_id: turn.turn_id.clone(), ..Scope::default() };
        let (status_of_turn, (status, output, error)) = (status, shaped(&turn, status, &text, error));
        let opener = turn.opener.map(|opener| opener.id);
        // The joined ones first: with the opener's end the turn is gone.
        for joined in turn.joined {
            let ended = finished(joined.id, status, &text, error.as_ref());
            self.finish(scope.clone(), Finished { steered_into: opener, ..ended });
        }
        if let Some(id) = opener {
            let usage = self.session.usage.since(turn.usage_before);
            let cost = self.session.cost.unwrap_or_default().since(turn.cost_before.unwrap_or_default());
            let cost_usd = priced.then(|| cost.usd());
            let ended = finished(id, status, &text, error.as_ref());
            self.finish(scope, Finished { usage, cost_usd, output, ..ended });
        }
        if status_of_turn == Status::Lost
            && self.session.settings.on_lost == OnLost::Hold
            && !self.session.queue.is_empty()
            && !interrupted_by_next
        {
            self.note(Fact::Held { held: true });
        }
        if status_of_turn != Status::Completed {
            self.stop_children();
        }
        if cause.is_some() {
            self.effect(Effect::CleanTerminals);
        }
    }

    /// The turn ends before a steer into it was answered. Of a lost one no answer will come.
    fn leave_joining(&mut self, message_id: MessageId, status: Status, text: &str) {
        if status == Status::Lost {
            let unknown = Failure::of(Code::OutcomeUnknown);
            return self.finish_unstarted(message_id, Status::Lost, Some(&unknown));
        }
        self.note(Fact::Adrift { message_id, status, text: text.to_owned() });
    }

    /// A message that was never handed to Codex ends; of one that may have been, nobody knows how.
    pub(super) fn finish_unstarted(&mut self, id: MessageId, status: Status, error: Option<&Failure>) {
        let in_doubt = self.session.queue.iter().any(|queued| queued.id == id && queued.in_doubt.is_some());
        let unknown = Failure::of(Code::OutcomeUnknown);
        let (status, error) = if in_doubt { (Status::Lost, Some(&unknown)) } else { (status, error) };
        self.finish(Scope::default(), finished(id, status, "", error));
    }

    /// A steer was answered after its turn had ended: it ends as the turn did.
    pub(super) fn finish_adrift(&mut self, id: MessageId) {
        let Some(adrift) = self.session.adrift.iter().find(|adrift| adrift.message.id == id) else { return };
        let ended = finished(id, adrift.status, &adrift.text.clone(), None);
        let steered_into = adrift.opener;
        let scope = Scope { turn_id: adrift.turn_id.clone(), ..Scope::default() };
        self.finish(scope, Finished { steered_into, ..ended });
    }

    fn finish(&mut self, scope: Scope, finished: Finished) {
        self.emit_in(scope, What::MessageFinished(finished));
    }

    /// A sub-agent's turn is over: its own items close, and nothing of its parent's.
    pub(super) fn end_child_turn(&mut self, place: &Place, end: TurnEnd) {
        self.close_items(&|thread, turn| thread == place.thread && turn == place.turn, end.status);
        let of_turn = |open: &OpenRequest| open.thread == place.thread && open.turn == place.turn;
        self.close_requests(&of_turn, Decision::Cancel, "codex");
        let TurnEnd { status, error, .. } = end;
        let completed = TurnCompleted { message_ids: Vec::new(), status, error, duration_ms: 0 };
        let scope = self.scope(place);
        self.emit_in(scope, What::TurnCompleted(completed));
    }

    /// What became of the turn.
    pub(super) fn verdict(&mut self, verdict: Verdict) {
        let Some(turn) = &self.session.turn else { return };
        let (examining, started) = (turn.examining, turn.started);
        let (asked, interrupted) = (turn.asked_at.is_some(), turn.interrupt.is_some());
        let in_doubt = turn.in_doubt().is_some();
        let verdict = match verdict {
            // We saw it run: that Codex knows nothing of it means that its history is gone.
            Verdict::NeverReached if started => Verdict::Cut { acted: turn.acted },
            verdict => verdict,
        };
        let is_over = |turn_id: &Option<String>| turn_id.is_some() && *turn_id == self.session.last_turn_id;
        match verdict {
            // As below: it was under way when it was asked about.
            Verdict::InProgress { turn_id } if is_over(&turn_id) => {}
            Verdict::InProgress { turn_id } if examining || !started => self.found(turn_id),
            Verdict::InProgress { .. } => self.note(Fact::Alive),
            Verdict::Ended(end) if examining || asked => self.end_turn(end),
            // Nobody asked about this turn: it is an old answer about another one.
            Verdict::Ended(_) => {}
            // Asked while the app-server lives: not stored yet, or not readable now. It is asked again.
            Verdict::NeverReached | Verdict::Unknown | Verdict::Cut { .. } if !examining => {
                self.note(Fact::Alive);
            }
            Verdict::NeverReached if in_doubt && !interrupted => self.hand_over(),
            Verdict::NeverReached => self.run_again(),
            // It was to be stopped, and was.
            Verdict::Cut { .. } if interrupted => {
                self.end_turn(TurnEnd { status: Status::Interrupted, error: None, text: None });
            }
            Verdict::Cut { acted } if self.may_run_again(acted) => self.run_again(),
            Verdict::Cut { .. } | Verdict::Unknown => {
                self.lose("the app-server ended in the middle of the turn");
            }
        }
    }

    /// Codex has nothing of a message that was in doubt: now it gets it.
    fn hand_over(&mut self) {
        self.note(Fact::NotThere);
        if self.has_thread() {
            self.start_turn();
        }
    }

    /// The turn that was looked for goes on.
    fn found(&mut self, turn_id: Option<String>) {
        let Some(turn) = &self.session.turn else { return };
        let Some(turn_id) = turn_id.or_else(|| turn.turn_id.clone()) else {
            // Something runs, and nobody can say whether it is ours: asked again later.
            return self.note(Fact::Asked);
        };
        let shown = turn.started;
        let again = turn.interrupt.as_ref().is_some_and(|interrupt| interrupt.again);
        self.note(Fact::Found { turn_id: turn_id.clone() });
        if !shown {
            let thread = self.session.thread_id.clone().unwrap_or_default();
            return self.turn_started(&Place { thread, turn: turn_id });
        }
        if again {
            self.note(Fact::InterruptSent);
            self.effect(Effect::Interrupt { turn_id });
        }
    }

    /// Whether everything that was said in the turn may be said again: with the turn all of it is.
    fn may_run_again(&self, acted: bool) -> bool {
        let Some(turn) = &self.session.turn else { return false };
        let Some(opener) = turn.opener.as_ref().filter(|opener| opener.attempts == 1) else { return false };
        // A message that perhaps joined it counts as one that did.
        let doubtful = self.session.queue.iter();
        let doubtful = doubtful.filter(|queued| queued.in_doubt.is_some() && queued.in_doubt == turn.turn_id);
        let acted = acted || turn.acted;
        iter::once(opener).chain(&turn.joined).chain(doubtful).all(|said| match said.options.retry {
            Retry::Always => true,
            Retry::Safe => !acted,
            Retry::Never => false,
        })
    }

    /// The opening message is handed to Codex again, once its thread is there. An interrupt meanwhile ends it instead.
    fn run_again(&mut self) {
        let Some(turn) = self.session.turn.clone() else { return };
        let Some(opener) = turn.opener.filter(|_| turn.interrupt.is_none()) else {
            return self.end_turn(TurnEnd { status: Status::Interrupted, error: None, text: None });
        };
        self.close_everything(Status::Interrupted);
        // The turn of an attempt before this one may still be there: whoever was to drop it may have died over it.
        if let Some(turn_id) = turn.turn_id.or(turn.dropped) {
            if turn.started {
                // Nothing of it counts any more, but who saw it begin sees it end.
                let scope = Scope { turn_id: Some(turn_id.clone()), ..Scope::default() };
                let duration_ms =
                    u64::try_from(self.now.since(turn.begun_at).as_millis()).unwrap_or(u64::MAX);
                let status = Status::Interrupted;
                let cut = TurnCompleted { message_ids: Vec::new(), status, error: None, duration_ms };
                self.emit_in(scope, What::TurnCompleted(cut));
            }
            self.effect(Effect::DropTurn { turn_id });
        }
        let started = Started { message_id: opener.id, attempt: opener.attempts + 1, steered_into: None };
        self.emit(What::MessageStarted(started));
        if self.has_thread() {
            self.start_turn();
        }
    }

    /// The outcome is unknown, and it is said so.
    pub(super) fn lose(&mut self, why: &str) {
        let error = Failure::coded(Code::OutcomeUnknown, why);
        self.end_turn(TurnEnd { status: Status::Lost, error: Some(error), text: None });
    }

    /// Closes what is open. Sub-agents may outlive a turn that completed, and still wait for their answers.
    pub(super) fn close_everything(&mut self, status: Status) {
        let own = self.session.thread_id.clone().filter(|_| status == Status::Completed);
        self.close_items(&|thread, _| own.as_deref().is_none_or(|own| own == thread), status);
        self.close_requests(
            &|open| !open.is_outside() && own.as_deref().is_none_or(|own| own == open.thread),
            Decision::Cancel,
            "codex",
        );
    }

    /// Items that Codex left open, of one turn or of more.
    fn close_items(&mut self, of_place: &dyn Fn(&str, &str) -> bool, status: Status) {
        let open: Vec<_> =
            self.session.items.iter().filter(|item| of_place(&item.thread, &item.turn)).cloned().collect();
        for item in open {
            let joined = self.session.turn.as_ref().is_some_and(|turn| !turn.joined.is_empty());
            let superseded = status == Status::Completed && joined && !Item::read(&item.json).acts();
            let closed = if superseded { "superseded" } else { status.as_str() };
            let place = Place { thread: item.thread, turn: item.turn };
            let scope = Scope { item_id: Some(item.id), ..self.scope(&place) };
            let data = ItemData { item: item.json, closed: Some(closed.to_owned()) };
            self.emit_in(scope, What::ItemCompleted(data));
        }
    }
}

/// The answer in the shape that was asked for. Codex does not check it; an answer that does not fit has failed.
fn shaped(
    turn: &Turn,
    status: Status,
    text: &str,
    error: Option<Failure>,
) -> (Status, Option<Json>, Option<Failure>) {
    let schema = turn.opener.as_ref().and_then(|opener| opener.options.output_schema.as_ref());
    let Some(schema) = schema.filter(|_| status == Status::Completed) else {
        return (status, None, error);
    };
    match fitting(schema, text) {
        Ok(output) => (status, Some(output), error),
        Err(why) => {
            let message = format!("{}: {why}", Code::OutputInvalid.message());
            (Status::Failed, None, Some(Failure::coded(Code::OutputInvalid, message)))
        }
    }
}

/// The text as JSON of this shape, or why it is not.
fn fitting(schema: &Json, text: &str) -> Result<Json, String> {
    let answer = Json::parse(text).map_err(|error| error.to_string())?;
    // A schema that cannot be read is refused with its message; one of before that was so is Codex's matter alone.
    match Shape::of(schema) {
        Ok(shape) => shape.check(&answer).map(|()| answer),
        Err(_unreadable) => Ok(answer),
    }
}

fn finished(message_id: MessageId, status: Status, text: &str, error: Option<&Failure>) -> Finished {
    Finished {
        message_id,
        status,
        text: text.to_owned(),
        output: None,
        usage: Usage::default(),
        cost_usd: None,
        error: error.cloned(),
        steered_into: None,
    }
}

/// A turn that we interrupted because of a limit has failed by that limit, whatever Codex calls it. One that completed
/// before the interrupt reached it was in time; but what it used over its budget is counted, not timed: whether it had ended
/// by then says nothing.
fn judged(status: Status, error: Option<Failure>, cause: Option<Cause>) -> (Status, Option<Failure>) {
    let failure = match cause {
        Some(Cause::Deadline) => Failure::of(Code::DeadlineExceeded),
        Some(Cause::Budget) => Failure::of(Code::BudgetExceeded),
        Some(Cause::Stall) => Failure::of(Code::Stalled),
        Some(Cause::Person) | None => return (status, error),
    };
    match status {
        Status::Interrupted | Status::Failed => (Status::Failed, Some(failure)),
        Status::Completed if cause == Some(Cause::Budget) => (Status::Failed, Some(failure)),
        Status::Completed | Status::Lost => (status, error),
    }
}
