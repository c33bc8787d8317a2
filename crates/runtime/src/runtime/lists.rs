//! What is asked across sessions: from the index, without waking any.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use selvedge_journal::{Found, SessionId as Key, Store as _};
use selvedge_session::{Code, Event, Lifecycle, SessionId, What};
use serde::{Deserialize, Serialize};

use super::{Runtime, create::read_event};
use crate::{
    actor,
    error::Error,
    handle::SessionHandle,
    ledger::table,
    notes, removed,
    request::Filter,
    usage,
    view::{PendingApproval, PendingToolCall, Summary},
};

/// Entries read at once.
const PAGE: usize = 500;
/// Sessions in a list, unless more are wanted.
const LIST: usize = 100;

/// Some sessions, and where the list goes on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    /// In the order in which they were made.
    pub items: Vec<Summary>,
    /// Where to go on, if there is more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl Runtime {
    /// Sessions in the order in which they were made.
    pub async fn sessions(&self, filter: &Filter) -> Result<Listing, Error> {
        let limit = filter.limit.unwrap_or(LIST).max(1);
        // What takes nearly all needs no more than it shows.
        let at_once = if filter.is_narrow() { PAGE } else { limit.min(PAGE) };
        let mut cursor = filter.cursor.clone();
        let mut items = Vec::new();
        loop {
            let page = self.house.store.list(table::SESSIONS, cursor.as_deref(), at_once).await?;
            let Some(last) = page.last() else { return Ok(Listing { items, next_cursor: None }) };
            cursor = Some(last.key.clone());
            for found in &page {
                let Some(mut summary) = summary_of(found) else { continue };
                self.notice_left(&mut summary).await?;
                if !filter.takes(&summary) {
                    continue;
                }
                items.push(summary);
                if items.len() == limit {
                    return Ok(Listing { items, next_cursor: Some(found.key.clone()) });
                }
            }
        }
    }

    /// A session that a dead owner left at work is not at work: whoever uses it next finds out what became of it.
    pub(crate) async fn notice_left(&self, summary: &mut Summary) -> Result<(), Error> {
        if matches!(summary.state, Lifecycle::Running | Lifecycle::Waiting | Lifecycle::Starting)
            && !actor::has_living_owner(&self.house, summary.id).await?
        {
            summary.state = Lifecycle::Recovering;
        }
        Ok(())
    }

    /// The one session whose id ends like this.
    pub async fn find(&self, ending: &str) -> Result<SessionHandle, Error> {
        let mut cursor = None;
        let mut matching = Vec::new();
        loop {
            let page = self.house.store.list(table::SESSIONS, cursor.as_deref(), PAGE).await?;
            let Some(last) = page.last() else { break };
            cursor = Some(last.key.clone());
            matching
                .extend(page.into_iter().filter(|found| found.key.ends_with(ending)).map(|found| found.key));
        }
        match matching.as_slice() {
            [one] => {
                let id = one.parse().map_err(|_| Error::of(Code::NotFound))?;
                Ok(self.handle(SessionId(id)))
            }
            [] => Err(Error::coded(Code::NotFound, format!("no session's id ends with {ending:?}"))),
            many => Err(Error::coded(
                Code::AmbiguousId,
                format!("{} sessions' ids end with {ending:?}", many.len()),
            )),
        }
    }

    /// Everything that Codex asks a person, oldest first.
    pub async fn approvals(&self) -> Result<Vec<PendingApproval>, Error> {
        let mut pending = Vec::new();
        for event in self.open_questions(table::APPROVALS).await? {
            let Event { session_id, at, turn_id, what: What::ApprovalRequested(it), .. } = event else {
                continue;
            };
            let (approval_id, kind, request) = (it.approval_id, it.kind, it.request);
            pending.push(PendingApproval { approval_id, session_id, kind, request, turn_id, at });
        }
        pending.sort_by_key(|approval| approval.at);
        Ok(pending)
    }

    /// Every open call of a session's own tools, oldest first.
    pub async fn tool_calls(&self) -> Result<Vec<PendingToolCall>, Error> {
        let mut pending = Vec::new();
        for event in self.open_questions(table::TOOL_CALLS).await? {
            let Event { session_id, at, turn_id, what: What::ToolRequested(it), .. } = event else {
                continue;
            };
            let (tool_call_id, tool, arguments) = (it.tool_call_id, it.tool, it.arguments);
            pending.push(PendingToolCall { tool_call_id, session_id, tool, arguments, turn_id, at });
        }
        pending.sort_by_key(|call| call.at);
        Ok(pending)
    }

    /// Removes the sessions of which nothing was heard for so long, but those with work to do.
    pub async fn prune(&self, older_than: Duration) -> Result<Vec<SessionId>, Error> {
        let now = self.house.clock.now().0;
        let before = now.saturating_sub(i64::try_from(older_than.as_millis()).unwrap_or(i64::MAX));
        let mut busy: Vec<String> = self.house.awake().iter().map(SessionId::to_string).collect();
        busy.extend(self.house.open_sessions().await?.iter().map(SessionId::to_string));
        let last: Mutex<HashMap<Key, u64>> = Mutex::default();
        let keep = |info: &selvedge_journal::SessionInfo| {
            last.lock().unwrap_or_else(PoisonError::into_inner).insert(info.id.clone(), info.head.seq);
            notes::is_log(&info.id) || usage::is_log(&info.id) || busy.iter().any(|id| id == info.id.as_str())
        };
        let mut places = self.in_worktrees().await?;
        for going in self.quiet_since(before, &busy).await? {
            usage::keep(&self.house, going).await;
        }
        let removed = self.house.store.prune(before, keep).await?;
        let last = last.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut ids = Vec::new();
        for key in removed {
            let Ok(id) = key.as_str().parse().map(SessionId) else { continue };
            let last_seq = last.get(&key).copied().unwrap_or_default();
            removed::say(&self.house.store, &self.house.clock, id, last_seq).await;
            self.forget(id).await?;
            ids.push(id);
        }
        self.leave_worktrees(ids.iter().filter_map(|id| places.remove(id)).collect()).await?;
        Ok(ids)
    }

    /// Sessions that may have been quiet for so long: what is notable is not all that is heard.
    async fn quiet_since(&self, before: i64, busy: &[String]) -> Result<Vec<SessionId>, Error> {
        let mut quiet = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = self.house.store.list(table::SESSIONS, cursor.as_deref(), PAGE).await?;
            let Some(last) = page.last() else { return Ok(quiet) };
            cursor = Some(last.key.clone());
            let found = page.iter().filter_map(|found| serde_json::from_slice::<Summary>(&found.value).ok());
            let found = found.filter(|found| found.updated_at.0 <= before);
            quiet.extend(found.map(|found| found.id).filter(|id| !busy.contains(&id.to_string())));
        }
    }

    /// Sessions with a turn or a queue that this program works on.
    pub async fn at_work(&self) -> Result<Vec<SessionHandle>, Error> {
        let awake = self.house.awake();
        let open = self.house.open_sessions().await?.into_iter().filter(|id| awake.contains(id));
        Ok(open.map(|id| self.handle(id)).collect())
    }

    /// The events that asked what is still open.
    async fn open_questions(&self, table: &'static str) -> Result<Vec<Event>, Error> {
        let mut events = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = self.house.store.list(table, cursor.as_deref(), PAGE).await?;
            let Some(last) = page.last() else { return Ok(events) };
            cursor = Some(last.key.clone());
            for found in &page {
                let value: serde_json::Value = serde_json::from_slice(&found.value).unwrap_or_default();
                let after = value["seq"].as_u64().unwrap_or_default().saturating_sub(1);
                // Removed or closed meanwhile: no longer open.
                let Ok(mut reader) = self.house.store.reader(&found.session, after).await else { continue };
                if let Some(event) = reader.try_page(1).await?.first() {
                    events.push(read_event(&event.body)?);
                }
            }
        }
    }

    /// A new start for the app-servers of a session.
    pub(crate) async fn forgive(&self, id: SessionId) -> Result<(), Error> {
        let settings = self.handle(id).settings().await?;
        let environment = actor::environment(&self.house, id, &settings).await?;
        self.house.fleet.forgive(&Arc::new(environment));
        Ok(())
    }
}

impl Filter {
    fn is_narrow(&self) -> bool {
        self.state.is_some() || !self.labels.is_empty()
    }

    fn takes(&self, summary: &Summary) -> bool {
        let labels = self.labels.iter().all(|(name, value)| summary.labels.get(name) == Some(value));
        labels
            && (self.archived || !summary.archived)
            && self.state.is_none_or(|state| state == summary.state)
    }
}

fn summary_of(found: &Found) -> Option<Summary> {
    serde_json::from_slice(&found.value).ok()
}
