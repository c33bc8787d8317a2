//! `Idempotency-Key`: the same key gives the same answer, once.
//!
//! The answer of every POST is kept here, by who asks, where, and the key: so it is the same, to the letter, whatever became
//! since of what it speaks of. A gateway may be killed between a deed and its answer, so what a deed changes in a session is
//! written together with the key by the runtime: then it is not done again, and answered as it stands.

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
use serde_json::Value;

use crate::{access::Caller, gateway::Gateway, problem::Problem, strict};

const HEADER: &str = "idempotency-key";
/// The longest key.
const LONGEST: usize = 255;

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

/// The key of what is wanted of a session: the caller's own, for this address alone.
pub(crate) struct Once(pub(crate) Option<String>);

impl<S: Sync> FromRequestParts<S> for Once {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Ok(caller) = Caller::from_request_parts(parts, state).await;
        Ok(Self(given(&parts.headers)?.map(|key| scoped(&caller, parts, key))))
    }
}

fn scoped(caller: &Caller, parts: &Parts, key: &str) -> String {
    format!("{}/{}/{key}", caller.name, parts.uri.path())
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
    let key = scoped(&caller, &parts, &key);
    let body = match strict::read(body, gateway.options()).await {
        Ok(body) => body,
        Err(problem) => return problem.into_response(),
    };
    let asked = meant(&body);
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
    parts.method == Method::POST && parts.extensions.get::<MatchedPath>().is_some()
}

/// A body as it is meant: the order of its fields and the space between them are nobody's question, and none is an empty one.
fn meant(body: &[u8]) -> Vec<u8> {
    let read = if body.is_empty() { Ok(Value::Null) } else { serde_json::from_slice(body) };
    let written = match read {
        Ok(Value::Null) => return b"{}".to_vec(),
        Ok(read) => serde_json::to_vec(&read),
        Err(none) => Err(none),
    };
    written.unwrap_or_else(|_no_json| body.to_vec())
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
    let place =
        response.headers().get(header::LOCATION).and_then(|place| place.to_str().ok()).map(str::to_owned);
    let body = response.into_body().collect().await.map(http_body_util::Collected::to_bytes);
    // Our own answers lie in memory: they are read whole.
    let body = body.unwrap_or_else(|_| Bytes::new());
    Ok(Kept { status, body: String::from_utf8_lossy(&body).into_owned(), place })
}

fn again(kept: Kept) -> Response {
    let mut response = Response::new(Body::from(kept.body));
    *response.status_mut() = StatusCode::from_u16(kept.status).unwrap_or(StatusCode::OK);
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    if let Some(place) = kept.place.and_then(|place| HeaderValue::try_from(place).ok()) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_that_mean_the_same_are_the_same() {
        let meant = |body: &str| String::from_utf8(meant(body.as_bytes())).unwrap();
        assert_eq!(meant("{\"b\": [1, {\"d\":2, \"c\":3}],\n\"a\": 1}"), r#"{"a":1,"b":[1,{"c":3,"d":2}]}"#);
        for empty in ["", "null", "{}", " { } "] {
            assert_eq!(meant(empty), "{}");
        }
        assert_ne!(meant(r#"{"a":[1,2]}"#), meant(r#"{"a":[2,1]}"#));
        assert_eq!(meant("{no"), "{no");
    }
}
