//! What is asked across a gateway's sessions.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use selvedge_runtime::{Answer, Error, Filter, Listing, PendingApproval, Summary};
use selvedge_session::{ApprovalId, Code, Lifecycle, SessionId};
use serde::Deserialize;
use uuid::Uuid;

use super::{Gateway, Session, ask::Ask, encoded, session::Answered};
use crate::place::New;

/// The gateway gives no longer page.
const PAGE: usize = 1_000;

#[derive(Deserialize)]
struct Pending {
    items: Vec<PendingApproval>,
}

impl Gateway {
    pub(crate) async fn create(&self, new: &New) -> Result<Session, Error> {
        let made: Summary = self.ask(Ask::post("/v1/sessions", new)).await?;
        Ok(self.session(made.id))
    }

    fn session(&self, id: SessionId) -> Session {
        Session::new(self.clone(), id)
    }

    /// Some sessions; which states and labels are wanted is not asked by any command.
    pub(crate) async fn sessions(&self, filter: &Filter) -> Result<Listing, Error> {
        let (archived, limit) = (filter.archived, filter.limit.unwrap_or(PAGE).min(PAGE));
        let cursor = filter.cursor.as_deref().map(|cursor| format!("&cursor={}", encoded(cursor)));
        let cursor = cursor.unwrap_or_default();
        self.ask(Ask::get(format!("/v1/sessions?archived={archived}&limit={limit}{cursor}"))).await
    }

    /// Every session, those put away too.
    async fn all(&self) -> Result<Vec<Summary>, Error> {
        let mut filter = Filter { archived: true, ..Filter::default() };
        let mut all = Vec::new();
        loop {
            let Listing { items, next_cursor } = self.sessions(&filter).await?;
            all.extend(items);
            filter.cursor = next_cursor;
            if filter.cursor.is_none() {
                return Ok(all);
            }
        }
    }

    /// The one session whose id ends like this.
    pub(crate) async fn find(&self, ending: &str) -> Result<Session, Error> {
        if let Ok(id) = ending.parse::<Uuid>() {
            return self.session(SessionId(id)).summary().await.map(|summary| self.session(summary.id));
        }
        let all = self.all().await?;
        let matching: Vec<_> = all.iter().filter(|it| it.id.to_string().ends_with(ending)).collect();
        match matching.as_slice() {
            [one] => Ok(self.session(one.id)),
            [] => Err(Error::coded(Code::NotFound, format!("no session's id ends with {ending:?}"))),
            many => Err(Error::coded(
                Code::AmbiguousId,
                format!("{} sessions' ids end with {ending:?}", many.len()),
            )),
        }
    }

    pub(crate) async fn approvals(&self) -> Result<Vec<PendingApproval>, Error> {
        let pending: Pending = self.ask(Ask::get("/v1/approvals?state=pending")).await?;
        Ok(pending.items)
    }

    pub(crate) async fn answer(&self, id: ApprovalId, answer: Answer) -> Result<(), Error> {
        self.tell(Ask::post(format!("/v1/approvals/{id}"), &Answered::from(answer))).await
    }

    /// Removes the sessions of which nothing was heard for so long. Each is looked at again before: it may have come to life.
    pub(crate) async fn prune(&self, older_than: Duration) -> Result<Vec<SessionId>, Error> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let before = i64::try_from(now.saturating_sub(older_than).as_millis()).unwrap_or(i64::MAX);
        let mut removed = Vec::new();
        for seen in self.all().await?.iter().filter(|seen| is_left(seen, before)) {
            let session = self.session(seen.id);
            match session.summary().await {
                Ok(summary) if is_left(&summary, before) => session.remove().await?,
                Ok(_) => continue,
                // Somebody else removed it.
                Err(error) if error.code == Code::NotFound => continue,
                Err(error) => return Err(error),
            }
            removed.push(seen.id);
        }
        Ok(removed)
    }
}

/// Nothing was heard of it since, and it has nothing to do.
fn is_left(session: &Summary, before: i64) -> bool {
    let rests = matches!(session.state, Lifecycle::Idle | Lifecycle::Stopped | Lifecycle::Failed);
    rests && session.queued == 0 && session.updated_at.0 < before
}
