//! What the state says is still to be done: how effects survive a crash between the record and the deed.

use crate::{
    effect::{Cut, Effect},
    state::{Session, Turn},
};

impl Session {
    /// Everything that is under way with Codex, as the effects that began it.
    #[must_use]
    pub fn unfinished(&self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let runs = !(self.held || self.stopped) && self.broken.is_none();
        let wants_thread = match &self.turn {
            Some(turn) => turn.turn_id.is_none() && !turn.examining,
            None => runs && !self.queue.is_empty(),
        };
        if wants_thread && !self.thread_ready {
            effects.push(Effect::EnsureThread);
        }
        if let Some(turn) = &self.turn {
            self.unfinished_of(turn, &mut effects);
        }
        effects
    }

    fn unfinished_of(&self, turn: &Turn, effects: &mut Vec<Effect>) {
        let opener = turn.opener.as_ref();
        if turn.examining {
            let message_id = opener.map(|opener| opener.id);
            effects.push(Effect::Examine { message_id, turn_id: turn.turn_id.clone() });
            return;
        }
        let Some(turn_id) = &turn.turn_id else {
            if let Some(opener) = opener.filter(|_| self.thread_ready) {
                effects.push(Effect::StartTurn {
                    message_id: opener.id,
                    attempt: opener.attempts,
                    input: opener.input.clone(),
                    options: Box::new(opener.options.clone()),
                    after: self.cut.clone().map(|cut| Cut { input: cut.input, partial: cut.partial }),
                });
            }
            return;
        };
        if turn.interrupt.as_ref().is_some_and(|interrupt| turn.started && !interrupt.again) {
            effects.push(Effect::Interrupt { turn_id: turn_id.clone() });
        }
        for queued in &turn.joining {
            let (message_id, input) = (queued.id, queued.input.clone());
            effects.push(Effect::Steer { message_id, input, turn_id: turn_id.clone() });
        }
    }
}
