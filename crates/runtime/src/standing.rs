//! How everything stands, in numbers: a few questions to the index, however many sessions there are.

use bytes::Bytes;
use selvedge_journal::Store as _;
use selvedge_session::{Lifecycle, SessionId, Timestamp};
use serde::{Deserialize, de::IntoDeserializer as _};
use serde_json::Value;

use crate::{actor, error::Error, ledger::table, runtime::Runtime};

/// Entries read at once.
const PAGE: usize = 500;
/// Instead of a state, of a session that was put away.
const ARCHIVED: &str = "archived";

/// How sessions, queues and questions stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    sessions: Vec<(Lifecycle, u64)>,
    /// Sessions that were put away; they count to no state.
    pub archived: u64,
    /// Messages that wait in queues.
    pub queued: u64,
    /// Approvals that wait.
    pub approvals: Waiting,
    /// Tool calls that wait.
    pub tool_calls: Waiting,
}

/// What waits for an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Waiting {
    /// How many.
    pub count: u64,
    /// Since when the oldest of them waits.
    pub oldest: Option<Timestamp>,
}

impl Standing {
    /// Sessions in this state.
    #[must_use]
    pub fn sessions(&self, state: Lifecycle) -> u64 {
        self.sessions.iter().filter(|(known, _)| *known == state).map(|(_, count)| count).sum()
    }

    fn add(&mut self, said: &[u8], count: u64) {
        match read(said) {
            Some((Some(state), queued)) => {
                self.sessions.push((state, count));
                self.queued += queued * count;
            }
            Some((None, _)) => self.archived += count,
            None => {}
        }
    }

    /// One of those in a state is really in another.
    fn move_one(&mut self, from: Lifecycle, to: Lifecycle) {
        if let Some((_, count)) = self.sessions.iter_mut().find(|(state, count)| *state == from && *count > 0)
        {
            *count -= 1;
            self.sessions.push((to, 1));
        }
    }
}

impl Runtime {
    /// How everything stands, in numbers.
    pub async fn standing(&self) -> Result<Standing, Error> {
        let mut standing = Standing::default();
        for (said, count) in self.house.store.counts(table::STANDING).await? {
            standing.add(&said, count);
        }
        for state in self.left_behind().await? {
            standing.move_one(state, Lifecycle::Recovering);
        }
        standing.approvals = self.waiting(table::APPROVALS).await?;
        standing.tool_calls = self.waiting(table::TOOL_CALLS).await?;
        Ok(standing)
    }

    /// The states of sessions that a dead owner left at work, as in [`Runtime::sessions`]. Our own are awake.
    async fn left_behind(&self) -> Result<Vec<Lifecycle>, Error> {
        let awake = self.house.awake();
        let mut left = Vec::new();
        for id in self.house.open_sessions().await?.into_iter().filter(|id| !awake.contains(id)) {
            if let Some(state) = self.said_state(id).await?
                && matches!(state, Lifecycle::Running | Lifecycle::Waiting | Lifecycle::Starting)
                && !actor::has_living_owner(&self.house, id).await?
            {
                left.push(state);
            }
        }
        Ok(left)
    }

    async fn said_state(&self, id: SessionId) -> Result<Option<Lifecycle>, Error> {
        let found = self.house.store.look_up(table::STANDING, &id.to_string()).await?;
        Ok(found.first().and_then(|found| read(&found.value)?.0))
    }

    async fn waiting(&self, table: &'static str) -> Result<Waiting, Error> {
        #[derive(Deserialize)]
        struct Asked {
            at: Timestamp,
        }
        let mut waiting = Waiting::default();
        let mut cursor: Option<String> = None;
        loop {
            let page = self.house.store.list(table, cursor.as_deref(), PAGE).await?;
            let Some(last) = page.last() else { return Ok(waiting) };
            cursor = Some(last.key.clone());
            waiting.count += page.len() as u64;
            let asked = page.iter().filter_map(|found| serde_json::from_slice::<Asked>(&found.value).ok());
            waiting.oldest = asked.map(|asked| asked.at).chain(waiting.oldest).min();
        }
    }
}

/// What a summary says that is counted: its state and its queue. Sessions that say the same are counted together.
pub(crate) fn said(summary: &Value) -> Bytes {
    let state =
        if summary["archived"] == true { ARCHIVED } else { summary["state"].as_str().unwrap_or_default() };
    Bytes::from(format!("{state} {}", summary["queued"].as_u64().unwrap_or_default()))
}

/// The state, or nothing of a session that was put away, and the queue.
fn read(said: &[u8]) -> Option<(Option<Lifecycle>, u64)> {
    let (state, queued) = str::from_utf8(said).ok()?.split_once(' ')?;
    let queued = queued.parse().ok()?;
    if state == ARCHIVED {
        return Some((None, queued));
    }
    let state: Result<_, serde_json::Error> = Lifecycle::deserialize(state.into_deserializer());
    Some((Some(state.ok()?), queued))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sessions_are_counted_by_what_their_summaries_say() {
        let mut standing = Standing::default();
        let summaries = [
            (json!({"state": "idle", "queued": 0}), 7),
            (json!({"state": "running", "queued": 2, "archived": false}), 3),
            (json!({"state": "running", "queued": 0}), 1),
            (json!({"state": "stopped", "queued": 0, "archived": true}), 5),
            (json!({"state": "of a later version", "queued": 9}), 1),
        ];
        for (summary, count) in summaries {
            standing.add(&said(&summary), count);
        }
        standing.move_one(Lifecycle::Running, Lifecycle::Recovering);
        let states = [Lifecycle::Idle, Lifecycle::Running, Lifecycle::Recovering, Lifecycle::Stopped];
        assert_eq!(states.map(|state| standing.sessions(state)), [7, 3, 1, 0]);
        assert_eq!((standing.archived, standing.queued), (5, 6));
    }
}
