//! What is asked of Codex beside messages: a name, an archive. Each is asked until it is answered, by whichever app-server.

use super::Deciding;
use crate::{effect::Effect, fact::Fact, state::Session};

impl Deciding<'_> {
    /// A thread that is new, or could not hear its name before, is told it now. Otherwise it is on its way.
    pub(super) fn tell_name(&mut self, first: bool, changed: bool) {
        let Session { name_due, naming, settings, .. } = &*self.session;
        let (due, wanted) = (*name_due, first || *name_due || (*naming && changed));
        match settings.name.clone().filter(|_| wanted) {
            Some(name) => {
                self.note(Fact::Naming);
                self.effect(Effect::SetName(name));
            }
            None if due => self.note(Fact::Named { told: true }),
            None => {}
        }
    }

    /// What was asked of the app-server beside messages and was not answered is asked of the next one.
    pub(super) fn repeat_errands(&mut self) {
        if self.session.naming && !self.session.can_be_named() {
            self.note(Fact::Named { told: false });
        }
        self.output.effects.extend(self.session.errands());
    }

    pub(super) fn put_away_answered(&mut self, away: bool) {
        if self.session.putting && self.session.put_away == away {
            self.note(Fact::PutAwayDone);
        }
    }

    /// An older name's answer says nothing of the newest.
    pub(super) fn named(&mut self, name: &str, told: bool) {
        if self.session.naming && self.session.settings.name.as_deref() == Some(name) {
            self.note(Fact::Named { told });
        }
    }
}
