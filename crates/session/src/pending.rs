//! What the state says is still to be done: how effects survive a crash between the record and the deed.

use crate::{
    effect::Effect,
    state::{Session, Turn},
    view::ThreadSource,
};

impl Session {
    /// Everything that is under way with Codex, as the effects that began it.
    #[must_use]
    pub fn unfinished(&self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let runs = self.takes_messages();
        let wants_thread = match &self.turn {
            Some(turn) => turn.turn_id.is_none() && !turn.examining,
            None => self.wish.is_some() || (runs && !self.queue.is_empty()),
        };
        let dropped = self.turn.as_ref().filter(|_| wants_thread).and_then(|turn| turn.dropped.clone());
        effects.extend(dropped.map(|turn_id| Effect::DropTurn { turn_id }));
        if wants_thread && !self.thread_ready {
            effects.push(Effect::EnsureThread);
        }
        let answers = self.given.iter().filter(|given| !given.held).cloned();
        effects.extend(answers.map(|given| Effect::Answer { key: given.key, answer: given.answer }));
        match (&self.turn, &self.wish) {
            (Some(turn), _) => self.unfinished_of(turn, &mut effects),
            (None, Some(wished)) if self.thread_ready => effects.push(wished.effect()),
            (None, _) => {}
        }
        effects.extend(self.errands());
        effects
    }

    /// Whether Codex was asked for something beside messages, and has not answered: a start looks after it.
    #[must_use]
    pub fn has_errands(&self) -> bool {
        self.putting || self.naming
    }

    /// What was asked of Codex beside messages and has not been answered. A thread is named while it is not put away.
    pub(crate) fn errands(&self) -> Vec<Effect> {
        let put = |away: bool| self.putting && self.put_away == away;
        let name = self.settings.name.clone().filter(|_| self.naming);
        let taken_out = put(false).then_some(Effect::Unarchive);
        let put_away = put(true).then_some(Effect::Archive);
        taken_out.into_iter().chain(name.map(Effect::SetName)).chain(put_away).collect()
    }

    /// Whether Codex has a thread that can hear its name, loaded or not.
    pub(crate) fn can_be_named(&self) -> bool {
        let stored = matches!(self.thread_source(), ThreadSource::Resume { .. });
        self.thread_id.is_some() && stored && (self.putting || !self.put_away)
    }

    fn unfinished_of(&self, turn: &Turn, effects: &mut Vec<Effect>) {
        if turn.interrupt.as_ref().is_some_and(|interrupt| interrupt.forced) {
            effects.push(Effect::KillProcess);
        }
        if turn.examining {
            effects.push(turn.examine());
            return;
        }
        let Some(turn_id) = &turn.turn_id else {
            effects.extend(turn.start().filter(|_| self.thread_ready));
            return;
        };
        if turn.interrupt.as_ref().is_some_and(|interrupt| turn.started && !interrupt.again) {
            effects.extend(turn.interrupt_id().map(|turn_id| Effect::Interrupt { turn_id }));
        }
        for queued in &turn.joining {
            let (message_id, input) = (queued.id, queued.input.to_vec());
            effects.push(Effect::Steer { message_id, input, turn_id: turn_id.clone() });
        }
        for text in &turn.telling {
            effects.push(Effect::Tell { turn_id: turn_id.clone(), text: text.clone() });
        }
    }
}
