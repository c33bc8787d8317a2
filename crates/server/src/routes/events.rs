//! The events of one session: a page of them, or a stream that goes on.

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use bytes::Bytes;
use selvedge_dialects::Dialect;
use selvedge_runtime::{Error, Events, Settled, Written};
use selvedge_session::{Code, Event, SessionId};
use serde::Deserialize;
use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Ref, RefOr, Schema,
        schema::{AnyOfBuilder, ObjectBuilder, Type},
    },
};

use super::sockets;
use crate::{
    gateway::Gateway,
    in_path::InPath,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
    spoken,
    sse::{self, Source},
    strict::Asked,
};

/// Events in one page.
pub(super) const MOST: usize = 1_000;
/// Events in one chunk of a stream, and its bytes: enough that a flood costs little for each, and little to hold for a
/// reader that stands still.
const CHUNK: usize = 512;
const CHUNK_BYTES: usize = 64 << 10;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(events))
}

/// From where on.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Reading {
    /// The last event that is not wanted; 0, unless given.
    after: Option<u64>,
    /// At most so many in a page; 1,000, unless fewer are wanted.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Of a stream: what is there already is told shortly, see above.
    settled: Option<bool>,
    /// In another program's language, see above; `events` is our own.
    #[param(schema_with = dialects)]
    dialect: Option<String>,
    /// For readers that cannot send a header.
    #[serde(rename = "token")]
    _token: Option<String>,
}

/// What `dialect` may be.
fn dialects() -> utoipa::openapi::Object {
    let names = Dialect::ALL.map(|(name, _)| name);
    let names = std::iter::once("events").chain(names);
    let meaning = "In another program's language, see above; `events` is our own.";
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).description(Some(meaning)).build()
}

/// Some events of a session.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "it describes what is written from the journal's own bytes")]
struct EventList {
    /// In order, without a gap.
    events: Vec<Event>,
    /// The session's newest event: there is more as long as it is not among these.
    last_seq: u64,
}

/// Some messages of a session, in another program's language.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "it describes what a dialect says")]
struct MessageList {
    /// In order.
    events: Vec<SpokenMessage>,
    /// The newest message: there is more as long as it is not among these.
    last_seq: u64,
}

/// A message as it is in that language, with its number.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "it describes what a dialect says")]
struct SpokenMessage {
    /// Its number among the messages.
    seq: u64,
    #[serde(flatten)]
    message: std::collections::BTreeMap<String, Value>,
}

/// A page: of events, or of messages.
struct Listed;

impl PartialSchema for Listed {
    fn schema() -> RefOr<Schema> {
        let lists = [EventList::name(), MessageList::name()].map(|name| Ref::from_schema_name(&*name));
        lists.into_iter().fold(AnyOfBuilder::new(), AnyOfBuilder::item).into()
    }
}

impl ToSchema for Listed {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((EventList::name().into(), EventList::schema()));
        EventList::schemas(schemas);
        schemas.push((MessageList::name().into(), MessageList::schema()));
        MessageList::schemas(schemas);
    }
}

/// What happened in a session, after a number.
///
/// With `Accept: text/event-stream` a stream: history, then live, without a seam. Each event has its number as `id`, its
/// type as `event` and itself as `data`; `Last-Event-ID` goes on where a reader was, and beats `after`. The stream ends when
/// the session is removed or the gateway ends.
///
/// A stream with `settled=true` is for who wants to know how things stand and not how they came about. Of what is there when
/// it is opened it leaves out the pieces that a whole item holds, and tells an item that began and ended with nothing in
/// between once, by its `item.completed`. Pieces that no whole item holds are joined into one. Such an event has `began`: the
/// `seq` and `at` of the first that it stands for. So numbers are passed over. An event `settled` with `{"seq": N}` says that
/// what comes is live; from then on nothing is left out.
///
/// With `dialect` messages take the place of events: each as it is in that language, with `seq`, its number. Then `after`, `id`
/// and `last_seq` are numbers of messages too.
#[utoipa::path(
    get, path = "/v1/sessions/{id}/events", tag = "events",
    params(("id" = SessionId, Path), Reading),
    responses(
        (status = 200, description = "Events, or with `dialect` messages", content((Listed = "application/json"), (str = "text/event-stream"))),
        Problems
    )
)]
async fn events(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    Asked(reading): Asked<Reading>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if let Some(name) = reading.dialect.as_deref().filter(|name| *name != "events") {
        return in_dialect(&gateway, id, sockets::dialect(name)?, (&reading, &headers)).await;
    }
    let runtime = gateway.runtime();
    if sse::is_wanted(&headers) {
        let last = sse::last_event_id(&headers)?;
        let after = place(last, &reading)?;
        let misplaced = sse::misplaced(last);
        if reading.settled == Some(true) {
            let settled = runtime.settled_events(id, after).await.map_err(misplaced)?;
            return Ok(sse::response(Settling(settled), None));
        }
        let events = runtime.events(id, after).await.map_err(misplaced)?;
        return Ok(sse::response(Following(events), None));
    }
    if reading.settled == Some(true) {
        let words = "`settled` is for a stream: a page has every event";
        return Err(Problem::coded(Code::QueryInvalid, words).field("settled"));
    }
    let limit = limit(reading.limit)?;
    let page = runtime.event_page(id, place(None, &reading)?, limit).await.map_err(sse::misplaced(None))?;
    Ok(json(&page.events, &format!("\"last_seq\":{}", page.last_seq)))
}

/// The same in another program's language.
async fn in_dialect(
    gateway: &Gateway,
    id: SessionId,
    dialect: Dialect,
    (reading, headers): (&Reading, &HeaderMap),
) -> Result<Response, Problem> {
    if reading.settled == Some(true) {
        let words = "`settled` is for our own events: a dialect tells everything";
        return Err(Problem::coded(Code::QueryInvalid, words).field("settled"));
    }
    let streamed = sse::is_wanted(headers);
    let last = if streamed { sse::last_event_id(headers)? } else { None };
    let after = place(last, reading)?;
    let opened = spoken::Reading::open(gateway.runtime(), id, dialect, after).await;
    let mut spoken = opened.map_err(sse::misplaced(last))?;
    if streamed {
        return Ok(sse::response(Speaking(spoken), None));
    }
    let limit = limit(reading.limit)?;
    let mut said = spoken.there().await?;
    let newest = said.last().map_or(after, |spoken| spoken.number);
    said.truncate(limit);
    let texts: Vec<_> = said.iter().map(|spoken| spoken.numbered()).collect();
    Ok(page(texts.iter().map(String::as_bytes), &format!("\"last_seq\":{newest}")))
}

/// The last event that is not wanted.
fn place(last: Option<&str>, reading: &Reading) -> Result<u64, Problem> {
    let Some(id) = last else { return Ok(reading.after.unwrap_or(0)) };
    let wrong = |_| Error::coded(Code::QueryInvalid, format!("{id:?} is no number of an event"));
    id.parse().map_err(wrong).map_err(sse::misplaced(last))
}

/// How many are wanted at once.
pub(super) fn limit(wanted: Option<usize>) -> Result<usize, Problem> {
    match wanted.unwrap_or(MOST) {
        limit @ 1..=MOST => Ok(limit),
        _ => {
            let words = format!("`limit` is a number from 1 to {MOST}");
            Err(Problem::coded(Code::QueryInvalid, words).field("limit"))
        }
    }
}

/// A page of events as they lie in the journal, and one field beside them.
pub(super) fn json<'a>(events: impl IntoIterator<Item = &'a Written>, field: &str) -> Response {
    page(events.into_iter().map(|event| event.text.as_ref()), field)
}

fn page<'a>(events: impl IntoIterator<Item = &'a [u8]>, field: &str) -> Response {
    let mut body = b"{\"events\":[".to_vec();
    for (index, event) in events.into_iter().enumerate() {
        if index > 0 {
            body.push(b',');
        }
        body.extend_from_slice(event);
    }
    body.extend_from_slice(b"],");
    body.extend_from_slice(field.as_bytes());
    body.push(b'}');
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

struct Following(Events);

impl Source for Following {
    async fn frames(&mut self) -> Result<Bytes, Error> {
        let mut out = Vec::new();
        for event in self.0.next_within(CHUNK, CHUNK_BYTES).await? {
            sse::put(&mut out, event.seq, &event);
        }
        Ok(out.into())
    }
}

struct Speaking(spoken::Reading);

impl Source for Speaking {
    async fn frames(&mut self) -> Result<Bytes, Error> {
        let mut out = Vec::new();
        for spoken in self.0.next().await? {
            sse::say(&mut out, spoken.number, &spoken.name, spoken.numbered().as_bytes());
        }
        Ok(out.into())
    }
}

struct Settling(Settled);

impl Source for Settling {
    async fn frames(&mut self) -> Result<Bytes, Error> {
        let mut out = Vec::new();
        let page = self.0.next_within(CHUNK, CHUNK_BYTES).await?;
        for event in page.events {
            sse::put(&mut out, event.seq, &event);
        }
        if let Some(seq) = page.settled {
            let said = format!("id: {seq}\nevent: settled\ndata: {{\"seq\":{seq}}}\n\n");
            out.extend_from_slice(said.as_bytes());
        }
        Ok(out.into())
    }
}
