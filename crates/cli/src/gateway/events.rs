//! A session's events behind a gateway: pages of what is there, and a stream that goes on.

use bytes::Bytes;
use selvedge_runtime::{Error, Written};
use selvedge_session::{Code, SessionId};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::{sync::mpsc, task::JoinSet};

use super::{Gateway, ask::Ask, reader::Reader, words};
use crate::place::Heard;

/// Chunks that may wait to be shown; the rest waits at the gateway.
const AHEAD: usize = 4;
/// The gateway gives no longer page.
const LONGEST_PAGE: usize = 1_000;

/// A reader with a cursor.
pub(crate) struct Events {
    gateway: Gateway,
    session: SessionId,
    /// The last event that was handed on.
    after: u64,
    stream: Option<Stream>,
}

/// Read by a task of its own, so that waiting for it can be given up at any time. The task ends with this.
struct Stream {
    heard: mpsc::Receiver<Result<Heard, Error>>,
    _reading: JoinSet<()>,
}

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Numbered {
    seq: u64,
}

impl Events {
    pub(super) fn new(gateway: Gateway, session: SessionId, after: u64) -> Self {
        Self { gateway, session, after, stream: None }
    }

    /// What comes next; waits for it. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<Heard, Error> {
        let stream = self.stream.get_or_insert_with(|| {
            let (sender, heard) = mpsc::channel(AHEAD);
            let mut reading = JoinSet::new();
            reading.spawn(Reader::new(self.gateway.clone(), self.session, self.after, sender).read());
            Stream { heard, _reading: reading }
        });
        let heard = stream.heard.recv().await;
        let heard = heard.unwrap_or_else(|| Err(Error::coded(Code::Internal, "the events have ended")))?;
        if let Heard::Events(events) = &heard
            && let Some(last) = events.last()
        {
            self.after = last.seq;
        }
        Ok(heard)
    }

    /// The next events that are there already.
    pub(crate) async fn there(&mut self, limit: usize) -> Result<Vec<Written>, Error> {
        let (session, after, limit) = (self.session, self.after, limit.min(LONGEST_PAGE));
        let ask = Ask::get(format!("/v1/sessions/{session}/events?after={after}&limit={limit}"));
        let answer = self.gateway.answered(&ask).await?;
        let events = written(answer.body()).map_err(|error| {
            words::foreign(&self.gateway.target(), &format!("its events cannot be read: {error}"))
        })?;
        self.after = events.last().map_or(after, |last| last.seq);
        Ok(events)
    }
}

/// Each event as the very bytes that were sent.
fn written(body: &Bytes) -> Result<Vec<Written>, serde_json::Error> {
    let page: Page<'_> = serde_json::from_slice(body)?;
    let one = |raw: &&RawValue| {
        let Numbered { seq } = serde_json::from_str(raw.get())?;
        Ok(Written { seq, text: body.slice_ref(raw.get().as_bytes()) })
    };
    page.events.iter().map(one).collect()
}
