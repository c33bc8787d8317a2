//! What the machine decides: one input, and everything that follows from it.

mod commands;
mod ending;
mod errands;
mod heard;
mod outdated;
mod policy;
mod priced;
mod requests;
mod tick;
mod used;
mod whereabouts;

pub(crate) use policy::Asking;

use crate::{
    code::Code,
    effect::Effect,
    event::{
        Event, What,
        data::{Created, Started, StateChanged, Warning},
    },
    fact::{Cause, Fact},
    input::{Input, Output, Place, TurnEnd},
    message::{Failure, Status},
    refusal::Refusal,
    settings::Settings,
    state::Session,
    time::Timestamp,
};

impl Session {
    /// Brings a new session into being.
    pub fn create(&mut self, settings: Settings, now: Timestamp) -> Output {
        let mut deciding = Deciding::new(self, now);
        deciding.emit(What::SessionCreated(Created { settings: settings.into() }));
        deciding.done()
    }

    /// Decides about one input. A refused command has changed nothing.
    pub fn apply(&mut self, input: Input, now: Timestamp) -> Result<Output, Refusal> {
        let mut deciding = Deciding::new(self, now);
        match input {
            Input::Command(command) => deciding.command(command)?,
            Input::Heard(heard) => deciding.heard(heard),
            Input::Tick => deciding.tick(),
        }
        Ok(deciding.done())
    }
}

/// A decision under way. Everything it says changes the session at once, so that later parts see it.
pub(crate) struct Deciding<'s> {
    session: &'s mut Session,
    now: Timestamp,
    output: Output,
}

/// To what an event belongs.
#[derive(Debug, Clone, Default)]
struct Scope {
    thread_id: Option<String>,
    turn_id: Option<String>,
    item_id: Option<String>,
}

impl<'s> Deciding<'s> {
    fn new(session: &'s mut Session, now: Timestamp) -> Self {
        Self { session, now, output: Output::default() }
    }

    /// What always follows: the queue goes on, and the state is said if it changed.
    fn done(mut self) -> Output {
        self.end_stopped();
        self.advance();
        self.put_away();
        let (state, previous) = (self.session.due_lifecycle(), self.session.lifecycle);
        if state != previous {
            let reason = self.session.broken.clone();
            self.emit(What::SessionState(StateChanged { state, previous, reason }));
        }
        self.output
    }

    fn emit(&mut self, what: What) {
        self.emit_in(Scope::default(), what);
    }

    fn emit_in(&mut self, scope: Scope, what: What) {
        let Scope { thread_id, turn_id, item_id } = scope;
        let (seq, session_id, at) = (self.session.last_seq + 1, self.session.id, self.now);
        let event = Event { seq, session_id, at, thread_id, turn_id, item_id, what };
        self.session.evolve(&event);
        // Nearly always there is one: room for four would cost more than the event.
        self.output.events.reserve_exact(usize::from(self.output.events.is_empty()));
        self.output.events.push(event);
    }

    fn note(&mut self, fact: Fact) {
        self.session.evolve_fact(&fact, self.now);
        self.output.facts.push((self.output.events.len(), fact));
    }

    fn effect(&mut self, effect: Effect) {
        self.output.effects.push(effect);
    }

    fn warn(&mut self, code: Code, message: impl Into<String>) {
        self.warn_with(code, message.into(), Some(code.hint().to_owned()));
    }

    fn warn_with(&mut self, code: Code, message: String, hint: Option<String>) {
        if code.is_told_once() && self.session.told_of_codex.contains(&message) {
            return;
        }
        self.emit(What::SessionWarning(Warning { code: code.as_str().to_owned(), message, hint }));
    }

    /// The scope of a place: a thread is named only if it is a sub-agent's.
    fn scope(&self, place: &Place) -> Scope {
        let thread_id = (!self.session.is_own(&place.thread)).then(|| place.thread.clone());
        Scope { thread_id, turn_id: Some(place.turn.clone()), item_id: None }
    }

    /// The same for a place that is not needed after: nothing is copied.
    fn scope_at(&self, place: Place) -> Scope {
        let Place { thread, turn } = place;
        let thread_id = (!self.session.is_own(&thread)).then_some(thread);
        Scope { thread_id, turn_id: Some(turn), item_id: None }
    }

    /// In a session that was stopped nothing waits, also what came back into the queue later.
    fn end_stopped(&mut self) {
        if !self.session.stopped {
            return;
        }
        let waiting: Vec<_> = self.session.queued().collect();
        for id in waiting {
            self.finish_unstarted(id, Status::Interrupted, None);
        }
    }

    /// Hands the next message to Codex, if nothing stands in the way. One that ends on its way there makes room for another.
    fn advance(&mut self) {
        while self.session.turn.is_none() && self.begin_next() {}
    }

    /// Whether a message was begun.
    fn begin_next(&mut self) -> bool {
        self.follow_settings();
        let session = &*self.session;
        if let Some(wished) = &session.wish {
            let effect = wished.effect();
            if wished.sent_at.is_none() && self.has_thread() {
                self.note(Fact::WishSent);
                self.effect(effect);
            }
            return false;
        }
        let Some(next) = session.queue.front().filter(|_| session.takes_messages()) else { return false };
        let (message_id, attempt) = (next.id, next.attempts + 1);
        if !self.has_thread() {
            return false;
        }
        self.emit(What::MessageStarted(Started { message_id, attempt, steered_into: None }));
        self.begin_turn();
        true
    }

    /// The message goes to Codex; one that it may have already is looked for first.
    fn begin_turn(&mut self) {
        let Some(turn) = self.session.turn.as_ref().filter(|turn| turn.in_doubt().is_some()) else {
            return self.start_turn();
        };
        let effect = turn.examine();
        self.note(Fact::Examining { alive: false });
        if self.session.settings.ephemeral {
            return self.lose("its steer was never answered, and the thread is not stored");
        }
        self.effect(effect);
    }

    /// Whether the thread is there; if not, it is asked for.
    fn has_thread(&mut self) -> bool {
        let ready = self.session.thread_ready;
        if !ready && !self.session.thread_wanted {
            self.note(Fact::ThreadWanted { wanted: true });
            self.effect(Effect::EnsureThread);
        }
        ready
    }

    /// The opening message of the turn goes to Codex.
    fn start_turn(&mut self) {
        let opener = self.session.turn.as_ref().and_then(|turn| turn.opener.as_ref());
        if opener.is_some_and(|opener| !self.session.can_keep_limit(&opener.options)) {
            // Only now is it known which model it is.
            let error = Some(Failure::of(Code::PriceUnknown));
            return self.end_turn(TurnEnd { status: Status::Failed, error, text: None });
        }
        if let Some(effect) = self.session.turn.as_ref().and_then(|turn| turn.start()) {
            self.effect(effect);
        }
    }

    /// An archived session's thread is put away when nothing runs on it any more.
    fn put_away(&mut self) {
        let session = &*self.session;
        if session.archived && !session.put_away && session.turn.is_none() && session.thread_id.is_some() {
            self.note(Fact::PutAway { away: true });
            self.effect(Effect::Archive);
        }
    }

    /// Stops the running turn: at once if Codex knows it, else when it does.
    fn interrupt(&mut self, cause: Cause) {
        let Some(turn) = self.session.turn.as_ref().filter(|turn| turn.interrupt.is_none()) else { return };
        let known = turn.interrupt_id().filter(|_| turn.started && !turn.examining);
        self.note(Fact::Interrupting { cause });
        match known {
            Some(turn_id) => self.effect(Effect::Interrupt { turn_id }),
            None => self.note(Fact::InterruptAnswered { again: true }),
        }
        self.stop_children();
    }

    /// Stops the sub-agents that run: with their parent stopped, nobody waits for them. Whether there was one.
    fn stop_children(&mut self) -> bool {
        let running = self.session.child_turns.iter().filter(|(_, turn)| !turn.stopping);
        let running: Vec<_> = running.map(|(thread, turn)| (thread.clone(), turn.turn_id.clone())).collect();
        for (thread_id, turn_id) in running.clone() {
            self.note(Fact::StoppingChild { thread_id: thread_id.clone() });
            self.effect(Effect::InterruptChild { thread_id, turn_id });
        }
        !running.is_empty()
    }
}
