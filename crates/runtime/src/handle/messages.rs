//! A session's messages: what was said, where each stands, and how it ended.

use selvedge_journal::Store as _;
use selvedge_session::{InputPart, MessageId, Session, Timestamp, What};
use serde::Serialize;

use super::{SessionHandle, not_found, open_view};
use crate::{
    error::Error,
    events::Written,
    ledger::table,
    view::{MessageState, MessageView},
};

/// Messages in a list, unless more are wanted.
const LIST: usize = 100;

/// A message with what was said.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MessageDetail {
    /// Where it stands and, when it has ended, its result.
    #[serde(flatten)]
    pub message: MessageView,
    /// When it was accepted.
    pub accepted_at: Timestamp,
    /// What was said.
    pub input: Vec<InputPart>,
    /// Who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// Its place in the queue, from 0, while it waits there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
}

/// Which messages to list.
#[derive(Debug, Clone, Default)]
pub struct MessageFilter {
    /// Only in this state.
    pub state: Option<MessageState>,
    /// After this message.
    pub after: Option<MessageId>,
    /// At most so many; 100, unless given.
    pub limit: Option<usize>,
}

/// Some messages, and where the list goes on.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MessageListing {
    /// In the order in which they were accepted; those that wait alone, in the order in which they will run.
    pub items: Vec<MessageDetail>,
    /// Where to go on, if there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<MessageId>,
}

/// A message in the index: which, and the event that accepted it.
#[derive(Clone, Copy)]
struct Place {
    id: MessageId,
    seq: u64,
}

impl SessionHandle {
    /// A message with what was said.
    pub async fn message_detail(&self, id: MessageId) -> Result<MessageDetail, Error> {
        let seq = self.place_of(table::ACCEPTED, id).await?.ok_or_else(|| not_found(id))?;
        let session = self.look().await?.session;
        self.described(&session, Place { id, seq }).await
    }

    /// The queue and the past, page by page.
    pub async fn messages(&self, filter: &MessageFilter) -> Result<MessageListing, Error> {
        let session = self.look().await?.session;
        if filter.state.is_some_and(|state| !state.is_end()) {
            return self.open_of(&session, filter).await;
        }
        let limit = filter.limit.unwrap_or(LIST).max(1);
        let mut after = filter.after;
        let mut items = Vec::new();
        loop {
            let page = self.places(after, limit).await?;
            let Some(last) = page.last() else { return Ok(MessageListing { items, next_cursor: None }) };
            after = Some(last.id);
            for place in page {
                let found = self.described(&session, place).await?;
                if filter.state.is_some_and(|state| state != found.message.state) {
                    continue;
                }
                items.push(found);
                if items.len() == limit {
                    return Ok(MessageListing { items, next_cursor: Some(place.id) });
                }
            }
        }
    }

    /// Those that wait or run, in their order. There are never many: no page of them is cut.
    async fn open_of(&self, session: &Session, filter: &MessageFilter) -> Result<MessageListing, Error> {
        let mut items = Vec::new();
        for id in session.running().into_iter().chain(session.queued()) {
            let Some(seq) = self.place_of(table::ACCEPTED, id).await? else { continue };
            let found = self.described(session, Place { id, seq }).await?;
            if filter.state == Some(found.message.state) {
                items.push(found);
            }
        }
        Ok(MessageListing { items, next_cursor: None })
    }

    /// The session's messages after one, in the order in which they were accepted: their ids tell the time.
    async fn places(&self, after: Option<MessageId>, limit: usize) -> Result<Vec<Place>, Error> {
        let own = format!("{}/", self.id);
        let after = after.map_or_else(|| own.clone(), |after| format!("{own}{after}"));
        let found = self.store().list(table::MESSAGES, Some(&after), limit).await?;
        let place = |found: &selvedge_journal::Found| {
            let id = found.key.strip_prefix(&own)?.parse().ok()?;
            let value: serde_json::Value = serde_json::from_slice(&found.value).ok()?;
            Some(Place { id: MessageId(id), seq: value["seq"].as_u64()? })
        };
        Ok(found.iter().map_while(place).collect())
    }

    async fn described(&self, session: &Session, place: Place) -> Result<MessageDetail, Error> {
        let Place { id, seq } = place;
        let message = match self.finished_view(id).await? {
            Some(ended) => ended,
            None => match open_view(session, id) {
                Some(open) => open,
                // It was accepted after the look, or has ended since.
                None => self.message(id).await?,
            },
        };
        let (accepted_at, said, sender) = self.said(id, seq).await?;
        let queued = session.queue().enumerate().find(|(_, queued)| queued.id == id);
        let queued = queued.filter(|_| message.state == MessageState::Queued);
        let position = queued.as_ref().map(|(position, _)| *position);
        let input = queued.map_or(said, |(_, queued)| queued.input.to_vec());
        Ok(MessageDetail { message, accepted_at, input, sender, position })
    }

    /// When it was accepted, what it says, and who said it.
    async fn said(
        &self,
        id: MessageId,
        seq: u64,
    ) -> Result<(Timestamp, Vec<InputPart>, Option<String>), Error> {
        let Some((at, What::MessageAccepted(accepted))) = self.event_at(seq).await? else {
            return Err(not_found(id));
        };
        let reworded = match self.place_of(table::REWORDED, id).await? {
            Some(seq) => self.event_at(seq).await?,
            None => None,
        };
        let input = match reworded {
            Some((_, What::MessageUpdated(it))) => it.input.unwrap_or(accepted.input),
            _ => accepted.input,
        };
        Ok((at, input, accepted.sender))
    }

    async fn event_at(&self, seq: u64) -> Result<Option<(Timestamp, What)>, Error> {
        let mut events = self.events(seq.saturating_sub(1)).await?;
        let event = events.there(1).await?.first().map(Written::read).transpose()?;
        Ok(event.map(|event| (event.at, event.what)))
    }
}
