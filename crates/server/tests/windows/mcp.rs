//! A client of MCP in a few lines: each request stands for itself.

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::{Method, Response, body::Incoming};
use serde_json::{Value, json};

use crate::support::http::{Answer, Http};

#[derive(Clone)]
pub(crate) struct Mcp {
    http: Http,
    path: String,
}

impl Mcp {
    /// At a session's endpoint, as somebody.
    pub(crate) fn at(http: &Http, session: &str) -> Self {
        let http = http.clone().with("accept", "application/json, text/event-stream");
        Self { http, path: format!("/mcp/{session}") }
    }

    /// What a request is answered.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let answer = self.try_ask(method, params).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        said(&answer.body)
    }

    /// The same, whatever comes.
    pub(crate) async fn try_ask(&self, method: &str, params: Value) -> Answer {
        let (parts, body) = self.open(method, params).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// Asks, and leaves the answer to be read. Dropped, the connection breaks.
    pub(crate) async fn open(&self, method: &str, params: Value) -> Response<Incoming> {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        self.http.open(Method::POST, &self.path, Some(Bytes::from(request.to_string()))).await
    }

    /// Calls `look`.
    pub(crate) async fn look(&self, mark: &str) -> Response<Incoming> {
        self.open("tools/call", json!({"name": "look", "arguments": {"mark": mark}})).await
    }
}

/// What an answer says, read to its end.
pub(crate) async fn read(response: Response<Incoming>) -> Value {
    said(&response.into_body().collect().await.unwrap().to_bytes())
}

fn said(body: &[u8]) -> Value {
    let text = String::from_utf8_lossy(body);
    let mut data =
        text.lines().filter_map(|line| line.strip_prefix("data:")).filter(|data| !data.trim().is_empty());
    let last = data.next_back().unwrap_or(&text);
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {text}"))
}
