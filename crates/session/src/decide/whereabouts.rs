//! The thread and the app-server it lives in: had, lost, left behind.

use super::{Deciding, requests::failed_content};
use crate::{
    code::Code,
    effect::{Answer, Effect},
    event::{
        What,
        data::{Decision, Exited, Updated},
    },
    fact::Fact,
    input::{Begun, Heard, TurnEnd},
    message::{Failure, Status},
    settings::{Isolation, Settings},
    state::Wished,
    usage::Usage,
    view::ThreadSource,
};

impl Deciding<'_> {
    pub(super) fn thread_ready(&mut self, thread_id: String) {
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
        let changed = !self.session.is_own(&thread_id);
        if changed {
            // What is open was shown under another name, and nobody will close it there.
            self.close_everything(Status::Lost);
        }
        self.note(Fact::ThreadReady { thread_id });
        if history_gone {
            self.warn(Code::HistoryGone, Code::HistoryGone.message());
        }
        self.tell_name(first, changed);
        // A message that is to be run again waited for this.
        let waits = self.session.turn.as_ref().is_some_and(|turn| turn.turn_id.is_none() && !turn.examining);
        if waits && !was_ready {
            self.start_turn();
        }
    }

    /// The thread is no longer loaded for us, and nothing runs on it.
    pub(super) fn parted(&mut self) {
        self.doubt_adrift();
        if self.session.thread_ready || self.session.thread_wanted {
            self.note(Fact::Parted);
        }
        self.repeat_errands();
    }

    pub(super) fn thread_failed(&mut self, failure: Failure) {
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

    /// Whether Codex has the message is not known: it is found out as after a crash.
    pub(super) fn start_unanswered(&mut self) {
        let turn = self.session.turn.as_ref();
        let Some(turn) = turn.filter(|turn| turn.turn_id.is_none() && !turn.examining) else {
            return self.lose_wish(None);
        };
        let effect = turn.examine();
        self.note(Fact::Examining { alive: true });
        if self.session.settings.ephemeral {
            self.leave();
            return self.lose("Codex did not answer, and the thread is not stored");
        }
        self.effect(effect);
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
        self.lose_adrift();
        self.note(Fact::Left);
        self.effect(Effect::LeaveProcess);
        if self.session.settings.isolation == Isolation::Shared {
            let settings = Settings { isolation: Isolation::Isolated, ..(*self.session.settings).clone() };
            self.emit(What::SessionUpdated(Updated { settings: settings.into() }));
        }
    }

    /// Steers of turns that have ended, and of their process: nothing shows that they joined, and nothing that they did not.
    pub(super) fn doubt_adrift(&mut self) {
        let adrift: Vec<_> = self.session.adrift.iter().map(|adrift| adrift.message.id).collect();
        for message_id in adrift.into_iter().rev() {
            self.note(Fact::SteerUnanswered { message_id });
        }
    }

    /// Of steers that were not answered by the process we leave nothing more will be heard.
    fn lose_adrift(&mut self) {
        let adrift: Vec<_> = self.session.adrift.iter().map(|adrift| adrift.message.id).collect();
        for message_id in adrift {
            self.finish_unstarted(message_id, Status::Lost, Some(&Failure::of(Code::OutcomeUnknown)));
        }
    }

    /// Something of a turn that was given up: it changes nothing any more, but what it waits for is refused, and what it
    /// uses is paid.
    pub(super) fn heard_from_left(&mut self, heard: Heard) {
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

    pub(super) fn process_gone(&mut self, reason: String, stderr_tail: String) {
        self.emit(What::CodexExited(Exited { reason, stderr_tail }));
        self.orphaned();
    }

    /// That it is gone was told.
    pub(super) fn orphaned(&mut self) {
        self.recover();
        self.repeat_errands();
    }

    /// Whatever was under way is found out about, or ends.
    fn recover(&mut self) {
        self.close_requests(&|open| !open.is_outside(), Decision::Expired, "expired");
        self.lose_wish(None);
        self.doubt_adrift();
        let Some(turn) = &self.session.turn else { return };
        let effect = turn.examine();
        if turn.opener.is_none() {
            // A compaction or a review: there is no message to be run again.
            return self.end_turn(TurnEnd { status: Status::Interrupted, error: None, text: None });
        }
        self.doubt_said();
        self.note(Fact::Examining { alive: false });
        if self.session.settings.ephemeral {
            return self.lose("the app-server ended, and its thread was not stored");
        }
        self.effect(effect);
    }

    /// What was said into the running turn and not answered may have been heard: it waits its turn, and Codex is asked
    /// before it runs.
    fn doubt_said(&mut self) {
        let Some(turn) = &self.session.turn else { return };
        let told = turn.telling.len();
        let joining: Vec<_> = turn.joining.iter().map(|queued| queued.id).collect();
        for message_id in joining.into_iter().rev() {
            self.note(Fact::SteerUnanswered { message_id });
        }
        for _ in 0..told {
            self.was_told(false);
        }
    }

    /// Of what the owner before us asked, the answers were for it. What they would have changed has been heard, or is
    /// found out, or is asked again.
    pub(super) fn caught_up(&mut self, begun: Begun) {
        self.doubt_adrift();
        self.doubt_said();
        let now = self.session.begun();
        let starts = now.message.is_some() && now.message == begun.message;
        let wishes = now.wish && begun.wish;
        if self.session.thread_ready && (starts || wishes) {
            self.start_unanswered();
        }
        if self.session.turn.as_ref().is_some_and(|turn| turn.started && turn.interrupt.is_some()) {
            // It is asked again, and has its time from now on.
            self.note(Fact::InterruptSent);
        }
        for effect in self.session.unfinished() {
            // What is still to be begun is begun by this owner already.
            if !is_beginning(&effect) && !self.output.effects.contains(&effect) {
                self.effect(effect);
            }
        }
    }

    pub(super) fn gave_up(&mut self, reason: String) {
        self.note(Fact::Broken { reason: Some(reason) });
        self.lose_wish(None);
        if self.session.turn.is_some() {
            self.lose("no app-server could be started to find out what became of the turn");
        }
    }
}

fn is_beginning(effect: &Effect) -> bool {
    matches!(effect, Effect::StartTurn { .. } | Effect::DropTurn { .. } | Effect::Compact | Effect::Review(_))
}
