//! What happens in all sessions: what a dashboard needs.

use axum::{extract::State, http::HeaderMap, response::Response};
use bytes::Bytes;
use selvedge_runtime::{Error, Feed};
use selvedge_session::Event;
use serde::Deserialize;

use super::events::{json, limit};
use crate::{
    gateway::Gateway,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
    sse::{self, Source},
    strict::Asked,
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(feed))
}

/// From where on.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Reading {
    /// The `id` of the last event that is not wanted, or `now`; everything there is, unless given.
    after: Option<String>,
    /// At most so many in a page; 1,000, unless fewer are wanted.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// For readers that cannot send a header.
    #[serde(rename = "token")]
    _token: Option<String>,
}

/// Some events of all sessions.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "it describes what is written from the journal's own bytes")]
struct FeedList {
    /// In the order in which they became durable.
    events: Vec<Event>,
    /// Where to go on: `after` of the next page.
    cursor: String,
}

/// What happens in all sessions: their lifecycle, messages, approvals, tool calls and usage, and what became of their
/// app-servers.
///
/// With `Accept: text/event-stream` a stream, whose `id` is a cursor to be kept and given back as it is: in `Last-Event-ID`,
/// which beats `after`. `after=now` begins with what happens next; its place is the stream's first `id`, so a list that is
/// read after the stream was opened misses nothing. A removed session says `session.removed`.
#[utoipa::path(
    get, path = "/v1/events", tag = "events", params(Reading),
    responses(
        (status = 200, description = "Events", content((FeedList = "application/json"), (str = "text/event-stream"))),
        Problems
    )
)]
async fn feed(
    State(gateway): State<Gateway>,
    Asked(reading): Asked<Reading>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let after = reading.after.as_deref();
    if sse::is_wanted(&headers) {
        let last = sse::last_event_id(&headers)?;
        let feed = gateway.runtime().feed(last.or(after)).await.map_err(sse::misplaced(last))?;
        let begins_at = (after == Some(Feed::NOW)).then(|| feed.cursor());
        return Ok(sse::response(Watching(feed), begins_at));
    }
    let page = gateway.runtime().feed_page(after, limit(reading.limit)?).await;
    let page = page.map_err(sse::misplaced(None))?;
    Ok(json(page.events.iter().map(|noted| &noted.event), &format!("\"cursor\":\"{}\"", page.cursor)))
}

struct Watching(Feed);

impl Source for Watching {
    async fn frames(&mut self) -> Result<Bytes, Error> {
        let mut out = Vec::new();
        for noted in self.0.next().await? {
            sse::put(&mut out, noted.cursor, &noted.event);
        }
        Ok(out.into())
    }
}
