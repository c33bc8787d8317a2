//! `Idempotency-Key`: the same key gives the same answer, once.
//!
//! What makes something (a session, a message, a fork) hands its key to the runtime, which keeps it with what it made.
//! Of every other POST the answer is kept here, by who asks, what is asked, and the key.

use axum::{
    body::{Body, Bytes},
    extract::{FromRequestParts, MatchedPath, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http_body_util::BodyExt as _;
use selvedge_runtime::{Error, Kept};
use selvedge_session::Code;

use crate::{access::Caller, gateway::Gateway, problem::Problem, strict};

const HEADER: &str = "idempotency-key";
/// The longest key.
const LONGEST: usize = 255;
/// What keeps its keys itself.
const MAKERS: [&str; 3] = ["/v1/sessions", "/v1/sessions/{id}/messages", "/v1/sessions/{id}/fork"];

/// Who makes something, and with which key.
pub(crate) struct Maker {
    pub(crate) name: String,
    /// The caller's own, so that two callers may use the same.
    pub(crate) key: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for Maker {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Ok(caller) = Caller::from_request_parts(parts, state).await;
        let key = given(&parts.headers)?.map(|key| format!("{}/{key}", caller.name));
        Ok(Self { name: caller.name, key })
    }
}

/// Gives the answer again that was given under a key before.
pub(crate) async fn keep(State(gateway): State<Gateway>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let key = match given(&parts.headers) {
        Ok(Some(key)) if is_kept_here(&parts) => key.to_owned(),
        Err(problem) => return problem.into_response(),
        Ok(_) => return next.run(Request::from_parts(parts, body)).await,
    };
    let Ok(caller) = Caller::from_request_parts(&mut parts, &()).await;
    let key = format!("{}/{}/{key}", caller.name, parts.uri.path());
    let body = match strict::read(body, gateway.options().max_body).await {
        Ok(body) => body,
        Err(problem) => return problem.into_response(),
    };
    let asked = body.to_vec();
    let work = async { kept(next.run(Request::from_parts(parts, Body::from(body))).await).await };
    match gateway.runtime().once(&key, &asked, work).await {
        Ok(kept) => again(kept),
        Err(Refused(response)) => *response,
    }
}

/// An answer that is not kept.
struct Refused(Box<Response>);

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self(Box::new(Problem::from(error).into_response()))
    }
}

fn is_kept_here(parts: &Parts) -> bool {
    let route = parts.extensions.get::<MatchedPath>();
    parts.method == Method::POST && route.is_some_and(|route| !MAKERS.contains(&route.as_str()))
}

fn given(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let Some(key) = headers.get(HEADER) else { return Ok(None) };
    let key = key.to_str().ok().filter(|key| (1..=LONGEST).contains(&key.len()));
    let wrong = || {
        let detail = format!("an idempotency key has 1 to {LONGEST} characters of ASCII");
        Problem::coded(Code::InvalidArgument, detail).field("Idempotency-Key")
    };
    key.map(Some).ok_or_else(wrong)
}

/// What went well is kept; what was refused changed nothing, and may be tried again.
async fn kept(response: Response) -> Result<Kept, Refused> {
    if !response.status().is_success() {
        return Err(Refused(Box::new(response)));
    }
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.map(http_body_util::Collected::to_bytes);
    // Our own answers lie in memory: they are read whole.
    let body = body.unwrap_or_else(|_| Bytes::new());
    Ok(Kept { status, body: String::from_utf8_lossy(&body).into_owned() })
}

fn again(kept: Kept) -> Response {
    let mut response = Response::new(Body::from(kept.body));
    *response.status_mut() = StatusCode::from_u16(kept.status).unwrap_or(StatusCode::OK);
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
