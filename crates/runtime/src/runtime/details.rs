//! Sessions with everything that is told about them, many at once: from the index and from git, without waking any.

use std::collections::HashMap;

use bytes::Bytes;
use selvedge_journal::Store as _;
use serde::Serialize;

use super::{Listing, Runtime};
use crate::{error::Error, handle::SessionDetail, ledger::table, request::Filter, view::Summary};

/// Sessions whose settings are read at once.
const TOGETHER: usize = 50;
/// Settings of about so many bytes are in one page: instructions and tools can be long.
const LONGEST: usize = 8 << 20;

/// Some sessions with everything that is told about them, and where the list goes on.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Listing))]
pub struct DetailListing {
    /// In the order in which they were made.
    pub items: Vec<SessionDetail>,
    /// Where to go on, if there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl Runtime {
    /// The same as [`Runtime::sessions`] with everything that is told about each: what it works with, and what git says,
    /// which may be some seconds old. A page ends early where it would be too long.
    pub async fn session_details(&self, filter: &Filter) -> Result<DetailListing, Error> {
        let listing = self.with_settings(self.sessions(filter).await?).await?;
        self.with_git(listing).await
    }

    async fn with_settings(&self, listing: Listing) -> Result<DetailListing, Error> {
        let Listing { items: summaries, next_cursor } = listing;
        let mut items: Vec<SessionDetail> = Vec::with_capacity(summaries.len());
        let mut room = LONGEST;
        for some in summaries.chunks(TOGETHER) {
            let mut found = self.settings_of(some).await?;
            for summary in some {
                if room == 0
                    && let Some(last) = items.last()
                {
                    let next_cursor = Some(last.summary.id.to_string());
                    return Ok(DetailListing { items, next_cursor });
                }
                // One without settings was removed meanwhile.
                let Some(value) = found.remove(&summary.id.to_string()) else { continue };
                let Ok(settings) = serde_json::from_slice(&value) else { continue };
                items.push(SessionDetail { summary: summary.clone(), settings, git: None });
                room = room.saturating_sub(value.len());
            }
        }
        Ok(DetailListing { items, next_cursor })
    }

    async fn settings_of(&self, sessions: &[Summary]) -> Result<HashMap<String, Bytes>, Error> {
        let keys = sessions.iter().map(|summary| summary.id.to_string()).collect();
        let found = self.house.store.look_up_all(table::SETTINGS, keys).await?;
        Ok(found.into_iter().map(|found| (found.key, found.value)).collect())
    }

    async fn with_git(&self, mut listing: DetailListing) -> Result<DetailListing, Error> {
        let (mut asked, mut places) = (Vec::new(), Vec::new());
        for (index, SessionDetail { summary, settings, .. }) in listing.items.iter().enumerate() {
            if self.house.may_ask_git(summary.id, settings).await {
                asked.push(index);
                places.push((settings.cwd.as_str(), settings.base_commit.as_deref()));
            }
        }
        let facts = self.house.git.facts(&places).await;
        for (index, git) in asked.into_iter().zip(facts) {
            let (Some(git), Some(item)) = (git, listing.items.get_mut(index)) else { continue };
            let hidden = self.house.hidden_of(item.summary.id, &item.settings).await?;
            item.git = Some(git.without(&hidden));
        }
        Ok(listing)
    }
}

#[cfg(test)]
mod tests;
