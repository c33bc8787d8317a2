//! Server-sent events, written around the journal's own bytes: many in one chunk when they are there, a comment in
//! silence, and an end when there is nothing more to come.

mod ending;

pub(crate) use ending::until;

use std::{convert::Infallible, fmt, io::Write as _, time::Duration};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use bytes::Bytes;
use futures_util::{Stream, stream};
use selvedge_runtime::{Error, Written};
use selvedge_session::Code;
use tokio::time::timeout;

use crate::{accepted, problem::Problem};

/// After so much silence a comment says that we are still there; proxies end what says nothing.
const SILENCE: Duration = Duration::from_secs(15);
const STILL_HERE: Bytes = Bytes::from_static(b":\n\n");
/// When a reader that lost us comes back, in milliseconds.
const RETRY: u32 = 1_000;

/// As documents write it; headers are found however they are written.
const LAST_EVENT_ID: &str = "Last-Event-ID";

/// Where frames come from.
pub(crate) trait Source: Send + 'static {
    /// The frames of what comes next, at least one; waits for it. Dropping the future loses nothing.
    fn frames(&mut self) -> impl Future<Output = Result<Bytes, Error>> + Send;
}

/// Whether events are wanted as a stream.
pub(crate) fn is_wanted(headers: &HeaderMap) -> bool {
    accepted::names(headers, &header::ACCEPT, "text/event-stream")
}

/// The last event a reader had before it lost us.
pub(crate) fn last_event_id(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let Some(id) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let id = id.to_str().map_err(|_unreadable| {
        Problem::coded(Code::QueryInvalid, "it is the `id` of no event").field(LAST_EVENT_ID)
    })?;
    Ok(Some(id.trim()).filter(|id| !id.is_empty()))
}

/// A place where no reader can be is refused by what it was said with: its `Last-Event-ID`, else `after`.
pub(crate) fn misplaced(last: Option<&str>) -> impl Fn(Error) -> Problem {
    let field = if last.is_some() { LAST_EVENT_ID } else { "after" };
    move |error| match error.code {
        Code::CursorAhead | Code::QueryInvalid => Problem::from(error).field(field),
        _ => error.into(),
    }
}

/// Adds one event to what is sent at once.
pub(crate) fn put(out: &mut Vec<u8>, id: impl fmt::Display, event: &Written) {
    say(out, id, &event.name(), &event.text);
}

/// Adds one message of a type, on one line.
pub(crate) fn say(out: &mut Vec<u8>, id: impl fmt::Display, name: &str, text: &[u8]) {
    out.reserve(text.len() + name.len() + 48);
    // Writing into memory does not fail.
    let _written = write!(out, "id: {id}\nevent: ");
    out.extend(name.bytes().filter(|letter| !letter.is_ascii_control()));
    out.extend_from_slice(b"\ndata: ");
    out.extend_from_slice(text);
    out.extend_from_slice(b"\n\n");
}

/// The stream of a source. With an id it begins with that place, so that a reader that loses us before its first event
/// comes back to the same.
pub(crate) fn response(source: impl Source, begins_at: Option<String>) -> Response {
    let id = begins_at.map(|id| format!("id: {id}\n")).unwrap_or_default();
    let opening = Bytes::from(format!("retry: {RETRY}\n{id}\n"));
    let mut response = Response::new(Body::from_stream(chunks(source, opening)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Asks nginx not to hold frames back.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// Who does not read is not asked: the next chunk is made when it is wanted.
fn chunks(source: impl Source, opening: Bytes) -> impl Stream<Item = Result<Bytes, Infallible>> {
    let reading = Reading { opening: Some(opening), source: Some(source) };
    stream::unfold(reading, |mut reading| async move {
        let chunk = reading.next().await?;
        Some((Ok(chunk), reading))
    })
}

/// A stream under way.
struct Reading<S> {
    opening: Option<Bytes>,
    /// Until it has ended.
    source: Option<S>,
}

impl<S: Source> Reading<S> {
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(opening) = self.opening.take() {
            return Some(opening);
        }
        match timeout(SILENCE, self.source.as_mut()?.frames()).await {
            Ok(Ok(frames)) => Some(frames),
            Err(_silence) => Some(STILL_HERE),
            Ok(Err(error)) => {
                self.source = None;
                last_words(&error)
            }
        }
    }
}

/// A session that was removed ends in silence: whoever asks again learns it. Anything else is said.
fn last_words(error: &Error) -> Option<Bytes> {
    let Error { code, message, .. } = error;
    let message = message.replace(['\n', '\r'], " ");
    (*code != Code::NotFound).then(|| Bytes::from(format!(": {code}: {message}\n\n")))
}

#[cfg(test)]
mod tests;
