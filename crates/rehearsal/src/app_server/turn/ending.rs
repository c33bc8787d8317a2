//! How a turn ends: completed, interrupted or failed, and what is said in which order.

use serde_json::{Value, json};

use super::{
    super::{
        items::{now_ms, turn_error},
        messages,
        outbox::Out,
        store::Record,
        thread::{Status, TurnStatus},
        views,
        wire::RequestId,
    },
    Cut, Played, Playing,
};

impl Playing {
    /// Ends the turn, unless something was said that it has not heard; then it goes on.
    pub(super) async fn end(&mut self, played: Played) -> bool {
        let (status, error) = match played {
            Ok(()) => (TurnStatus::Completed, None),
            Err(Cut::Interrupted | Cut::Steered) => (TurnStatus::Interrupted, None),
            Err(Cut::Failed { message, info }) => (TurnStatus::Failed, Some(turn_error(&message, &info))),
        };
        let unheard = self.close(status, error.as_ref());
        if let Some(signal) = unheard {
            self.ear.take(signal).await;
            return self.ear.is_interrupted() && Box::pin(self.end(Err(Cut::Interrupted))).await;
        }
        self.say_end(status, error.as_ref()).await;
        true
    }

    /// Gives the thread back. Under its lock, so that a message is either heard or finds the thread idle.
    fn close(&mut self, status: TurnStatus, error: Option<&Value>) -> Option<super::super::thread::Signal> {
        let mut state = self.thread.state();
        if status == TurnStatus::Completed
            && let Some(signal) = self.ear.unheard()
        {
            return Some(signal);
        }
        state.active = None;
        let turn_id = &self.id;
        if status == TurnStatus::Interrupted {
            state.last_interrupted = Some(turn_id.clone());
        } else if self.can_be_unread {
            state.first_unread.get_or_insert_with(|| turn_id.clone());
        }
        let completed_at = now_ms() / 1000;
        let duration_ms = i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX);
        state.updated_at = completed_at;
        if let Some(turn) = state.turns.iter_mut().rev().find(|turn| turn.id == *turn_id) {
            (turn.status, turn.error) = (status, error.cloned());
            (turn.completed_at, turn.duration_ms) = (Some(completed_at), Some(duration_ms));
        }
        drop(state);
        let turn = turn_id.clone();
        let record = Record::TurnEnded { turn, status, error: error.cloned(), completed_at, duration_ms };
        self.server.store.append(&self.thread, &record);
        None
    }

    async fn say_end(&mut self, status: TurnStatus, error: Option<&Value>) {
        if let Some(error) = error {
            self.status(Status::SystemError).await;
            self.tell(&self.place().error(error)).await;
        }
        if status != TurnStatus::Interrupted && self.can_be_unread {
            let state = self.thread.state().touch_read_state();
            self.tell(&messages::read_state(self.thread.id(), &state)).await;
        }
        let interrupts = self.ear.take_interrupts();
        let deferred = std::mem::take(&mut self.thread.state().deferred_interrupts);
        for id in interrupts.into_iter().chain(deferred) {
            self.answer_interrupt(&id).await;
        }
        if error.is_none() {
            self.status(Status::Idle).await;
        }
        self.say_completed().await;
        for id in std::mem::take(&mut self.unanswered) {
            self.tell(&messages::request_resolved(self.thread.id(), id)).await;
        }
    }

    async fn answer_interrupt(&self, id: &RequestId) {
        self.server.outbox.send(Out::Lines(messages::response(id, &Ok(json!({}))))).await;
    }

    async fn say_completed(&self) {
        if self.server.faults.no_turn_completed {
            return;
        }
        let value = {
            let state = self.thread.state();
            state.turns.iter().rev().find(|turn| turn.id == self.id).map(views::ended_turn)
        };
        if let Some(value) = value {
            self.tell(&messages::turn_completed(self.thread.id(), &value)).await;
        }
    }
}
