//! What of a step is asked across sessions: the index lines and the summary of its record.

use selvedge_session::{Event, What};
use serde_json::{Value, json};

use super::{Actor, Look};
use crate::{
    ledger::{Draft, table},
    view::{Backend, Summary},
};

impl Actor {
    /// Notes what others will look up.
    pub(super) fn tell(&self, draft: &mut Draft, events: &[Event]) {
        for event in events {
            match &event.what {
                What::ItemStarted(_) | What::ItemCompleted(_) | What::ItemDelta(_) => continue,
                What::MessageAccepted(it) => {
                    draft.index(table::ACCEPTED, it.message_id, Some(self.place(event)));
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
                _ => {}
            }
            draft.notable();
        }
    }

    fn place(&self, event: &Event) -> Value {
        json!({"seq": event.seq, "at": event.at})
    }

    /// The summary, if something notable happened, and whether a start has to look after the session.
    pub(super) fn sum_up(&mut self, draft: &mut Draft) {
        let open = self.session.has_work() || self.session.has_errands();
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
