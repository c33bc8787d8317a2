//! What has been seen of the sessions of a replay: which messages have ended, and whether anything is still to come.

use std::collections::{HashMap, HashSet};

use selvedge_runtime::{Error, SessionHandle};
use selvedge_session::{Event, Lifecycle, MessageId, SessionId, What};

/// States in which something is still to come.
const AT_WORK: [Lifecycle; 4] =
    [Lifecycle::Starting, Lifecycle::Running, Lifecycle::Waiting, Lifecycle::Recovering];

#[derive(Default)]
pub(super) struct Progress {
    /// Messages that have not ended.
    open: HashSet<MessageId>,
    /// Turns of each session that have ended.
    ended: HashMap<SessionId, usize>,
    /// The last event of each session that was seen.
    seen: HashMap<SessionId, u64>,
}

impl Progress {
    pub(super) fn sent(&mut self, message: MessageId) {
        self.open.insert(message);
    }

    pub(super) fn heard(&mut self, session: SessionId, seq: u64, event: &Event) {
        self.seen.insert(session, seq);
        match &event.what {
            What::MessageFinished(it) => drop(self.open.remove(&it.message_id)),
            What::TurnCompleted(_) if event.thread_id.is_none() => {
                *self.ended.entry(session).or_default() += 1;
            }
            _ => {}
        }
    }

    /// So many turns of a session have ended.
    pub(super) fn ended(&self, session: SessionId) -> usize {
        self.ended.get(&session).copied().unwrap_or(0)
    }

    /// Nothing goes on in any of them, and all of it was seen.
    pub(super) async fn is_at_rest(
        &self,
        sessions: impl Iterator<Item = &SessionHandle>,
    ) -> Result<bool, Error> {
        if !self.open.is_empty() {
            return Ok(false);
        }
        for session in sessions {
            let summary = session.summary().await?;
            let seen = self.seen.get(&session.id()).copied().unwrap_or(0);
            if summary.queued > 0 || AT_WORK.contains(&summary.state) || seen < summary.last_seq {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
