//! Follows a session's stream, and comes back after the last event it has handed on when the stream breaks.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use selvedge_runtime::{Error, Written};
use selvedge_session::{Code, SessionId};
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};

use super::{
    FIRST_PAUSE, Gateway, LONGEST_PAUSE,
    answer::Answer,
    ask::Ask,
    sse::{Frame, Parser},
    words,
};
use crate::place::Heard;

/// A gateway says something every 15 s; after so much silence the connection is dead.
const SILENCE: Duration = Duration::from_secs(45);

pub(super) struct Reader {
    gateway: Gateway,
    session: SessionId,
    /// The last event that was handed on.
    after: u64,
    heard: mpsc::Sender<Result<Heard, Error>>,
    lost: Option<Lost>,
}

/// Since when nothing is heard, and whether that was said.
struct Lost {
    since: Instant,
    pause: Duration,
    said: bool,
}

/// How a stream ended.
enum Ended {
    /// The connection broke, or the gateway ended: worth another try.
    Broke(String),
    /// It will be the same another time.
    Refused(Error),
    /// Nobody listens any more.
    Unheard,
}

impl Reader {
    pub(super) fn new(
        gateway: Gateway,
        session: SessionId,
        after: u64,
        heard: mpsc::Sender<Result<Heard, Error>>,
    ) -> Self {
        Self { gateway, session, after, heard, lost: None }
    }

    /// Until nobody listens, or there is nothing more to hear.
    pub(super) async fn read(mut self) {
        loop {
            let error = match self.follow().await {
                Ended::Broke(why) => match self.pause(&why).await {
                    None => continue,
                    Some(error) => error,
                },
                Ended::Refused(error) => error,
                Ended::Unheard => return,
            };
            // Nobody may listen any more: then nobody has to know.
            let _unheard = self.heard.send(Err(error)).await;
            return;
        }
    }

    async fn follow(&mut self) -> Ended {
        let mut body = match self.open().await {
            Ok(body) => body,
            Err(ended) => return ended,
        };
        if self.lost.take().is_some_and(|lost| lost.said) && self.hand_on(Heard::Back).await.is_none() {
            return Ended::Unheard;
        }
        let mut parser = Parser::default();
        loop {
            let chunk = match chunk(&mut body).await {
                Ok(chunk) => chunk,
                Err(why) => return Ended::Broke(why),
            };
            let events = match parser.feed(&chunk).and_then(|frames| self.written(frames)) {
                Ok(events) => events,
                Err(why) => return Ended::Broke(why),
            };
            let Some(last) = events.last().map(|last| last.seq) else { continue };
            if self.hand_on(Heard::Events(events)).await.is_none() {
                return Ended::Unheard;
            }
            self.after = last;
        }
    }

    async fn open(&self) -> Result<Incoming, Ended> {
        let ask = Ask::get(format!("/v1/sessions/{}/events?after={}", self.session, self.after))
            .header("accept", "text/event-stream".to_owned())
            .header("last-event-id", self.after.to_string());
        let target = self.gateway.target();
        let response = self.gateway.response(&ask, &target).await.map_err(Ended::Broke)?;
        let status = response.status();
        if status.is_success() {
            super::answer::of_our_version(response.headers(), &target).map_err(Ended::Refused)?;
            return Ok(response.into_body());
        }
        let answer = Answer::whole(response).await.map_err(Ended::Broke)?;
        match answer.understood(&target) {
            // A proxy whose gateway is away, or a gateway that has too much to do.
            Err(error) if status.is_server_error() || error.code == Code::TooManyAttempts => {
                Err(Ended::Broke(error.message))
            }
            Err(error) => Err(Ended::Refused(error)),
            Ok(_) => Err(Ended::Broke(format!("it answered {status}"))),
        }
    }

    /// Events that follow what was handed on, without a gap; those before it are left out.
    fn written(&self, frames: Vec<Frame>) -> Result<Vec<Written>, String> {
        let mut last = self.after;
        let mut events = Vec::with_capacity(frames.len());
        for Frame { id, data } in frames {
            let seq = id.parse().map_err(|_| format!("{id:?} is no number of an event"))?;
            if seq <= last {
                continue;
            }
            if seq != last + 1 {
                return Err(format!("event {seq} came after {last}"));
            }
            last = seq;
            events.push(Written { seq, text: data });
        }
        Ok(events)
    }

    /// Waits a little before the next try; the error, when there have been enough.
    async fn pause(&mut self, why: &str) -> Option<Error> {
        let target = self.gateway.target();
        let tried = self.lost.is_some();
        let lost =
            self.lost.get_or_insert_with(|| Lost { since: Instant::now(), pause: FIRST_PAUSE, said: false });
        if lost.since.elapsed() >= target.patience {
            return Some(words::gone(&target, self.session, why));
        }
        let (pause, say) = (lost.pause, tried && !lost.said);
        lost.pause = (pause * 2).min(LONGEST_PAUSE);
        // One that is there again at once is not worth a word.
        lost.said |= say;
        if say {
            self.hand_on(Heard::Lost).await?;
        }
        sleep(pause).await;
        self.gateway.look_again();
        None
    }

    async fn hand_on(&self, heard: Heard) -> Option<()> {
        self.heard.send(Ok(heard)).await.ok()
    }
}

async fn chunk(body: &mut Incoming) -> Result<Bytes, String> {
    match timeout(SILENCE, body.frame()).await {
        Err(_silence) => Err(format!("it has said nothing for {} s", SILENCE.as_secs())),
        Ok(None) => Err("it ended the stream".to_owned()),
        Ok(Some(Err(error))) => Err(error.to_string()),
        Ok(Some(Ok(frame))) => Ok(frame.into_data().unwrap_or_default()),
    }
}
