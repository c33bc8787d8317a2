//! The endpoints: any path that ends in `responses` or `models`, whatever stands before it.

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::Response,
};
use bytes::Bytes;
use tokio::sync::watch;

use super::{
    play::{Played, Reply, play},
    record::{RecordedRequest, Records},
    request::Request,
    stream,
};
use crate::scenario::Scenario;

/// A conversation with a few answers of 2 MB is longer than axum's own limit.
const MAX_BODY: usize = 256 << 20;

/// What every request needs.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    pub(super) scenario: Arc<Scenario>,
    pub(super) records: Arc<Records>,
    pub(super) stopped: watch::Receiver<bool>,
}

pub(super) fn router(stage: Stage) -> Router {
    Router::new().fallback(answer).layer(DefaultBodyLimit::max(MAX_BODY)).with_state(stage)
}

/// A request for an answer.
struct Asked {
    path: String,
    authorization: Option<String>,
    body: Bytes,
}

async fn answer(
    State(stage): State<Stage>,
    (method, uri): (Method, Uri),
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let last = uri.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    match (&method, last) {
        (&Method::POST, "responses") => {
            let authorization = headers.get(header::AUTHORIZATION).and_then(|it| it.to_str().ok());
            let (path, authorization) = (uri.path().to_owned(), authorization.map(str::to_owned));
            respond(&stage, Asked { path, authorization, body })
        }
        // 0.98 asks at every thread's start; a list without models makes it use its own.
        (&Method::GET, "models") => json(StatusCode::OK, r#"{"object":"list","data":[],"models":[]}"#.into()),
        _ => json(StatusCode::NOT_FOUND, error(&format!("rehearsal: {method} {} is not played", uri.path()))),
    }
}

fn respond(stage: &Stage, asked: Asked) -> Response {
    let Asked { path, authorization, body } = asked;
    let request = match Request::read(&body) {
        Ok(request) => request,
        Err(why) => {
            return json(StatusCode::BAD_REQUEST, error(&format!("rehearsal: unreadable request: {why}")));
        }
    };
    let Played { reply, rule, step } = play(&stage.scenario, &request);
    let user_text = request.user_text;
    stage.records.add(RecordedRequest { path, authorization, body, user_text, rule, step });
    match reply {
        Reply::Status { status, body } => {
            json(StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), body)
        }
        Reply::Stream(beats) => {
            with_type("text/event-stream", Response::new(stream::body(beats, stage.stopped.clone())))
        }
    }
}

fn error(message: &str) -> String {
    serde_json::json!({"error": {"message": message}}).to_string()
}

fn json(status: StatusCode, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    with_type("application/json", response)
}

fn with_type(kind: &'static str, mut response: Response) -> Response {
    response.headers_mut().insert(header::CONTENT_TYPE, axum::http::HeaderValue::from_static(kind));
    response
}
