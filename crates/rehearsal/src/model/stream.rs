//! Beats over time: the body of a streamed response. It lives as long as the client listens and the server runs.

use std::{collections::VecDeque, io};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use tokio::{sync::watch, task::yield_now, time::sleep};

use super::response::Beat;

/// A body that plays the beats, and is cut when the server stops.
pub(super) fn body(beats: Vec<Beat>, stopped: watch::Receiver<bool>) -> Body {
    let state = (VecDeque::from(beats), stopped);
    Body::from_stream(stream::unfold(state, |(mut beats, mut stopped)| async move {
        let next = tokio::select! {
            chunk = next_chunk(&mut beats) => chunk?,
            _ = stopped.wait_for(|stopped| *stopped) => Err(io::Error::other("the rehearsal has ended")),
        };
        if next.is_err() {
            beats.clear();
        }
        Some((next, (beats, stopped)))
    }))
}

/// The next event; an error is what cuts the connection.
async fn next_chunk(beats: &mut VecDeque<Beat>) -> Option<io::Result<Bytes>> {
    loop {
        match beats.pop_front()? {
            Beat::Event(event) => return Some(Ok(chunk(&event))),
            Beat::Pause(time) => sleep(time).await,
            Beat::Cut => {
                // One pause, so that what was said is sent before the connection goes.
                yield_now().await;
                return Some(Err(io::Error::other("cut, as the scenario says")));
            }
            Beat::Forever => std::future::pending().await,
        }
    }
}

fn chunk(event: &serde_json::Value) -> Bytes {
    let kind = event.get("type").and_then(serde_json::Value::as_str).unwrap_or("message");
    Bytes::from(format!("event: {kind}\ndata: {event}\n\n"))
}
