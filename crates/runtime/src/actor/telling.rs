//! What of a step is asked across sessions: the index lines and the summary of its record.

use selvedge_session::{Event, What, data::UsageUpdated};
use serde_json::{Value, json};

use super::{Actor, Look};
use crate::{
    ledger::{Draft, table},
    usage::{self, Under},
    view::{Backend, Summary},
};

impl Actor {
    /// Notes what others will look up.
    pub(super) fn tell(&mut self, draft: &mut Draft, events: &[Event]) {
        for event in events {
            match &event.what {
                What::ItemStarted(_) | What::ItemCompleted(_) | What::ItemDelta(_) => continue,
                What::MessageAccepted(it) => {
                    draft.index(table::ACCEPTED, it.message_id, Some(self.place(event)));
                }
                What::MessageUpdated(it) if it.input.is_some() => {
                    draft.index(table::REWORDED, it.message_id, Some(self.place(event)));
                }
                What::MessageFinished(it) => {
                    draft.index(table::FINISHED, it.message_id, Some(self.place(event)));
                    draft.snapshot = true;
                }
                What::ApprovalRequested(it) => {
                    draft.index(table::APPROVALS, it.approval_id, Some(self.place(event)));
                }
                What::ApprovalResolved(it) => draft.index(table::APPROVALS, it.approval_id, None),
                What::ToolRequested(it) => {
                    draft.index(table::TOOL_CALLS, it.tool_call_id, Some(self.place(event)));
                }
                What::ToolResolved(it) => draft.index(table::TOOL_CALLS, it.tool_call_id, None),
                What::UsageUpdated(it) => self.count(draft, event, it),
                _ => {}
            }
            draft.notable();
        }
    }

    /// What was used counts to the day, and to the model that the turn runs with. A sub-agent's counts to the same.
    fn count(&mut self, draft: &mut Draft, event: &Event, it: &UsageUpdated) {
        let chosen = self.session.turn_model().or(self.session.settings().model.as_deref());
        let loaded =
            self.attachment.as_ref().and_then(|attachment| attachment.now.made_with.model.as_deref());
        let (day, model) = (usage::day_of(event.at), chosen.or(loaded));
        let counting = Under::of(self.counting.take(), self.id, event, (&day, model));
        let (key, value) = counting.line(it);
        draft.index(table::USAGE, key, value);
        self.counting = Some(counting);
    }

    fn place(&self, event: &Event) -> Value {
        json!({"seq": event.seq, "at": event.at})
    }

    /// The summary, if something notable happened, and whether a start has to look after the session.
    pub(super) fn sum_up(&mut self, draft: &mut Draft) {
        let open = self.session.has_work() || self.session.has_errands() || self.session.has_calls();
        if open != self.indexed_open {
            self.indexed_open = open;
            draft.index(table::OPEN, self.id, open.then_some(Value::Bool(true)));
            draft.notable();
        }
        if draft.is_notable()
            && let Ok(summary) = serde_json::to_value(self.summary())
        {
            draft.index(table::SESSIONS, self.id, Some(summary));
        }
    }

    pub(super) fn look(&self) -> Look {
        Look { summary: self.summary(), session: Box::new(self.session.clone()) }
    }

    fn summary(&self) -> Summary {
        let backend = Backend {
            version: self.backend_version.clone(),
            ..Backend::of(self.session.settings(), &self.house.config)
        };
        Summary::of(&self.session, self.created_at, self.house.clock.now(), backend)
    }
}
