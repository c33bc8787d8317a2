//! What is told of each request when it is answered, to whoever listens: nothing that it brought but its kind.

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request},
    http::{Method, StatusCode},
};
use tracing::Level;

use super::text;

/// Under this name it is told; `otlp` makes spans of it.
const REQUEST: &str = "selvedge::request";

/// A request that somebody wants to hear of.
pub(super) struct Told {
    begun: Instant,
    method: Method,
    route: Option<MatchedPath>,
    traceparent: Option<String>,
}

impl Told {
    /// Nothing, if nobody listens.
    pub(super) fn of(request: &Request) -> Option<Self> {
        tracing::enabled!(target: REQUEST, Level::DEBUG).then(|| Self {
            begun: Instant::now(),
            method: request.method().clone(),
            route: request.extensions().get().cloned(),
            traceparent: text(request.headers(), "traceparent").map(str::to_owned),
        })
    }

    pub(super) fn answered(self, status: StatusCode) {
        let Self { begun, method, route, traceparent } = self;
        let duration_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        let (method, status) = (method.as_str(), status.as_u16());
        let (route, traceparent) = (route.as_ref().map(MatchedPath::as_str), traceparent.as_deref());
        tracing::debug!(target: REQUEST, method, route, status, duration_us, traceparent, "request answered");
    }
}
