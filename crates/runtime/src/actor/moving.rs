//! Between two messages a session leaves an app-server whose binary or login is no longer the one on the disk, or whose threads
//! look for their tools where the gateway was: its thread is loaded again elsewhere, and readers see nothing but
//! `codex.restarted`. It leaves before its next message, or as soon as somebody else has found out: who stays keeps the old
//! app-server alive for nothing.

use std::sync::Arc;

use selvedge_session::{Heard, Input, Status, TurnEnd};
use tokio::task::JoinSet;

use super::{Actor, Leave};
use crate::fleet::Seat;

/// Waits until the app-server there is found to be outdated, and until what was asked of it is answered.
pub(super) async fn sent_away(seat: Option<&Seat>, asking: &mut JoinSet<()>) {
    let Some(seat) = seat else { return std::future::pending().await };
    seat.outdated().await;
    while asking.join_next().await.is_some() {}
}

impl Actor {
    /// Before something new is asked of an idle session.
    pub(super) async fn move_if_outdated(&mut self) -> Result<(), Leave> {
        if self.is_at_work() || !self.sits_in_the_past() {
            return Ok(());
        }
        self.move_away().await
    }

    /// Whether it can leave at once when its app-server is found to be outdated. A thread that is stored nowhere is kept
    /// until there is something to be asked that the old one may not be able to answer.
    pub(super) fn may_be_sent_away(&self) -> bool {
        !self.is_at_work() && self.coming_back.is_none() && !self.session.settings().ephemeral
    }

    pub(super) async fn move_away(&mut self) -> Result<(), Leave> {
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

    /// Whether something is under way at the app-server: also what sub-agents still do when the turn has ended.
    fn is_at_work(&self) -> bool {
        let under_way = self.lane_busy && self.coming_back.is_none();
        let waits = under_way || !self.lane.is_empty();
        waits || self.session.has_work() || self.session.has_children_at_work()
    }

    fn is_own_end(&self, heard: &Heard) -> bool {
        let Heard::TurnEnded(place, TurnEnd { status, .. }) = heard else { return false };
        let is_cut = match status {
            Status::Completed => false,
            Status::Failed => self.session.is_being_stopped(),
            _ => true,
        };
        !is_cut && self.session.thread_id() == Some(place.thread.as_str())
    }

    /// Where we are about to go on counts too: nothing new is begun there.
    fn sits_in_the_past(&self) -> bool {
        self.seat_of_now().is_some_and(|seat| seat.is_outdated())
    }

    fn seat_of_now(&self) -> Option<&Arc<Seat>> {
        self.attachment.as_ref().map(|it| &it.seat).or(self.coming_back.as_ref())
    }

    fn move_on(&mut self) {
        self.moved_from = self.process;
        if let (Some(seat), Some(thread_id)) = (self.seat_of_now(), self.session.thread_id()) {
            // A task that still has the seat in its hands listens for nobody.
            seat.mute(thread_id);
        }
        self.leave();
    }
}
