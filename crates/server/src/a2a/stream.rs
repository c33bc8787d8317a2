//! A task over server-sent events: first the task as it stands, then what happens to it, until it has ended.

use std::{convert::Infallible, time::Duration};

use axum::{
    body::Body,
    http::{HeaderValue, header},
    response::Response,
};
use bytes::Bytes;
use futures_util::stream;
use selvedge_runtime::Error;
use serde_json::{Value, json};
use tokio::{sync::watch, time::timeout};

use super::{
    desk::{Desk, Sent, fault},
    following::Following,
    notes::Whose,
    words::{Fault, Kind, OfTask, Send, Update},
};

/// After so much silence a comment says that we are still there.
const SILENCE: Duration = Duration::from_secs(15);

/// How a binding writes what is told: as it is, or as the result of a call.
pub(crate) type Wrap = Box<dyn Fn(Result<Value, Fault>) -> Value + std::marker::Send>;

/// A stream under way.
struct Telling {
    following: Box<Following>,
    whose: Whose,
    /// Rings when some task ended without an event.
    closings: watch::Receiver<()>,
    wrap: Wrap,
    /// How much of what was said is wanted.
    history: Option<usize>,
    /// It also ends when the task waits for somebody.
    rests: bool,
    begun: bool,
    ended: bool,
}

impl Desk {
    /// `SendStreamingMessage`.
    pub(crate) async fn send_and_follow(&self, params: &Value, wrap: Wrap) -> Result<Response, Fault> {
        let asked = Send::read(params)?;
        let closings = self.gateway.deliveries().closings();
        match self.send(&asked).await? {
            Sent::Message(message) => Ok(once(&wrap(Ok(json!({"message": message.json()}))))),
            Sent::Task(mut following) if self.is_plain(&asked) => {
                self.settled(&mut following).await?;
                Ok(once(&wrap(Ok(self.plainly(&following, &asked)))))
            }
            Sent::Task(following) => {
                let telling = self.telling(following, closings, wrap);
                Ok(response(Telling { rests: true, history: asked.history, ..telling }))
            }
        }
    }

    fn telling(&self, following: Box<Following>, closings: watch::Receiver<()>, wrap: Wrap) -> Telling {
        let whose = self.whose.clone();
        let (history, rests, begun, ended) = (None, false, false, false);
        Telling { following, whose, closings, wrap, history, rests, begun, ended }
    }

    /// `SubscribeToTask`.
    pub(crate) async fn subscribe(&self, params: &Value, wrap: Wrap) -> Result<Response, Fault> {
        let asked = OfTask::read(params)?;
        // Before the first look, so that nothing ends in between.
        let closings = self.gateway.deliveries().closings();
        let following = Box::new(self.follow(&asked.id).await?);
        if following.telling().state().is_end() {
            let message = format!("the task {} has ended: there is nothing more to hear of it", asked.id);
            return Err(Fault::new(Kind::Unsupported, message).about("taskId", &asked.id));
        }
        let telling = self.telling(following, closings, wrap);
        Ok(response(Telling { history: asked.history, ..telling }))
    }
}

/// Who does not read is not asked: the next chunk is made when it is wanted.
fn response(telling: Telling) -> Response {
    let chunks = stream::unfold(telling, |mut telling| async move {
        let chunk = telling.next().await?;
        Some((Ok::<_, Infallible>(chunk), telling))
    });
    of(Body::from_stream(chunks))
}

/// A stream of one thing.
fn once(said: &Value) -> Response {
    of(Body::from(frame(None, said)))
}

fn of(body: Body) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Asks nginx not to hold frames back.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

fn frame(seq: Option<u64>, said: &Value) -> String {
    let id = seq.map(|seq| format!("id: {seq}\n")).unwrap_or_default();
    format!("{id}data: {said}\n\n")
}

impl Telling {
    async fn next(&mut self) -> Option<Bytes> {
        if self.ended {
            return None;
        }
        if !self.begun {
            self.begun = true;
            return Some(self.first());
        }
        let waits = self.following.telling().state().waits();
        let told = tokio::select! {
            told = timeout(SILENCE, self.following.next()) => match told {
                Ok(told) => told,
                // Another program may have closed it.
                Err(_silence) => self.look_whether_closed().await,
            },
            Ok(()) = self.closings.changed(), if waits => self.look_whether_closed().await,
        };
        match told {
            Ok(told) if told.is_empty() => Some(Bytes::from_static(b":\n\n")),
            Ok(told) => Some(self.frames(&told)),
            Err(error) => {
                self.ended = true;
                Some(Bytes::from(frame(None, &(self.wrap)(Err(fault(error))))))
            }
        }
    }

    /// What waits may be given up, which no event says.
    async fn look_whether_closed(&mut self) -> Result<Vec<(u64, Update)>, Error> {
        if !self.following.telling().state().waits() {
            return Ok(Vec::new());
        }
        self.following.look_whether_closed(&self.whose).await
    }

    fn frames(&mut self, told: &[(u64, Update)]) -> Bytes {
        let (task, context) = self.names();
        let frame = |(seq, update): &(u64, Update)| {
            frame(Some(*seq), &(self.wrap)(Ok(update.json(&task, &context, *seq))))
        };
        let frames: String = told.iter().map(frame).collect();
        self.look_for_the_end();
        Bytes::from(frames)
    }

    fn first(&mut self) -> Bytes {
        self.look_for_the_end();
        let task = self.following.telling().task().with_history(self.history);
        let task = json!({"task": task.json()});
        Bytes::from(frame(Some(self.following.seq()), &(self.wrap)(Ok(task))))
    }

    fn look_for_the_end(&mut self) {
        let state = self.following.telling().state();
        self.ended = state.is_end() || (self.rests && state.waits());
    }

    fn names(&self) -> (String, String) {
        let found = self.following.found();
        (found.id.to_string(), found.note.context.clone())
    }
}
