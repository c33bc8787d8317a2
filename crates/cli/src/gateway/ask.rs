//! One request: what is asked, and under which key, so that it is done once however often it is sent.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Method, Request, header, http};
use serde::Serialize;
use uuid::Uuid;

use super::Target;

/// What is asked of a gateway.
#[derive(Debug)]
pub(super) struct Ask {
    method: Method,
    /// After the gateway's own address.
    path: String,
    body: Bytes,
    headers: Vec<(&'static str, String)>,
}

impl Ask {
    pub(super) fn get(path: impl Into<String>) -> Self {
        Self { method: Method::GET, path: path.into(), body: Bytes::new(), headers: Vec::new() }
    }

    /// With a key of its own: sent twice, it is done once.
    pub(super) fn post(path: impl Into<String>, body: &impl Serialize) -> Self {
        let key = Uuid::now_v7().to_string();
        Self { method: Method::POST, ..Self::get(path) }.json(body).header("idempotency-key", key)
    }

    pub(super) fn patch(path: impl Into<String>, body: &impl Serialize) -> Self {
        Self { method: Method::PATCH, ..Self::get(path) }.json(body)
    }

    pub(super) fn delete(path: impl Into<String>) -> Self {
        Self { method: Method::DELETE, ..Self::get(path) }
    }

    fn json(mut self, body: &impl Serialize) -> Self {
        // Our own words can be written.
        self.body = serde_json::to_vec(body).unwrap_or_default().into();
        self.header("content-type", "application/json".to_owned())
    }

    pub(super) fn header(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    /// What was removed cannot be removed again: that would be told as a mistake.
    pub(super) fn may_repeat(&self) -> bool {
        self.method != Method::DELETE
    }

    pub(super) fn request(&self, target: &Target) -> http::Result<Request<Full<Bytes>>> {
        let mut request = Request::builder().method(&self.method).uri(target.address.of(&self.path));
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if let Some(token) = &target.token {
            let mut value = header::HeaderValue::try_from(format!("Bearer {}", token.reveal()))?;
            // Whatever shows headers leaves this one out.
            value.set_sensitive(true);
            request = request.header(header::AUTHORIZATION, value);
        }
        request.body(Full::new(self.body.clone()))
    }
}
