//! Between two messages a session leaves an app-server whose binary or login is no longer the one on the disk, or whose threads
//! look for their tools where the gateway was: its thread is loaded again elsewhere, and readers see nothing but
//! `codex.restarted`.

use selvedge_session::{Heard, Input, Status, TurnEnd};

use super::{Actor, Leave};

impl Actor {
    /// Before something new is asked of an idle session.
    pub(super) async fn move_if_outdated(&mut self) -> Result<(), Leave> {
        let under_way = self.lane_busy && self.coming_back.is_none();
        let busy = self.session.has_work() || under_way || !self.lane.is_empty();
        if busy || !self.sits_in_the_past() {
            return Ok(());
        }
        self.move_on();
        self.take(vec![Input::Heard(Heard::Parted)]).await
    }

    /// At the end of a turn, before the next message of the queue is begun: the thread counts as not loaded from there on.
    /// A turn that was cut may have left commands behind, which only its app-server can end: then it stays until it is idle.
    pub(super) fn move_at_the_end(&mut self, heard: &mut Vec<Heard>) {
        let end = heard.iter().position(|heard| self.is_own_end(heard));
        if let Some(end) = end
            && !self.session.has_children_at_work()
            && self.sits_in_the_past()
        {
            heard.insert(end, Heard::Parted);
            self.move_on();
        }
    }

    fn is_own_end(&self, heard: &Heard) -> bool {
        let Heard::TurnEnded(place, TurnEnd { status: Status::Completed, .. }) = heard else { return false };
        self.session.thread_id() == Some(place.thread.as_str())
    }

    /// Where we are about to go on counts only if the agent's tools are elsewhere now: then nothing new is begun there.
    fn sits_in_the_past(&self) -> bool {
        let astray = self.coming_back.as_ref().is_some_and(|seat| seat.generation.is_astray());
        astray || self.attachment.as_ref().is_some_and(|it| it.seat.is_outdated())
    }

    fn move_on(&mut self) {
        self.moved_from = self.process;
        self.leave();
    }
}
