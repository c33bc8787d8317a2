//! What the gateway itself counts, as it happens.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use axum::http::StatusCode;

use super::Page;

/// The classes of a status, by its first digit.
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// The gateway's own counters.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    answers: [AtomicU64; CLASSES.len()],
    requests: Arc<AtomicU64>,
    streams: Arc<AtomicU64>,
}

/// Somebody who is counted as long as this is not dropped.
#[derive(Debug)]
pub(crate) struct Present(Arc<AtomicU64>);

impl Metrics {
    /// A request that is not yet answered.
    pub(crate) fn request(&self) -> Present {
        Present::new(&self.requests)
    }

    /// A reader of events.
    pub(crate) fn stream(&self) -> Present {
        Present::new(&self.streams)
    }

    /// One more answer.
    pub(crate) fn answered(&self, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100);
        if let Some(counter) = class.checked_sub(1).and_then(|class| self.answers.get(class)) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn write(&self, page: &mut Page) {
        let counted = self.answers.iter().map(|counter| counter.load(Ordering::Relaxed));
        let answers = CLASSES.into_iter().zip(counted);
        page.counters("http_answers", "Answers by the class of their status", ("class", answers));
        let requests = self.requests.load(Ordering::Relaxed);
        page.gauge("http_requests_in_flight", "Requests that are not yet answered", requests);
        let streams = self.streams.load(Ordering::Relaxed);
        page.gauge("event_streams", "Readers that follow events", streams);
    }
}

impl Present {
    fn new(counter: &Arc<AtomicU64>) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(counter))
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
