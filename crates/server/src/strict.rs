//! Bodies and queries that are taken at their word: JSON, not too large, nothing unknown, and the place of what is wrong.

mod words;

use axum::{
    body::{Body, HttpBody as _},
    extract::{FromRequest, FromRequestParts, Request},
    http::{header, request::Parts},
};
use http_body_util::{BodyExt as _, Limited};
use selvedge_session::Code;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::{
    by_name::ByName,
    gateway::{Gateway, Options},
    problem::Problem,
};

/// A JSON body. None, or `null`, is `{}`.
pub(crate) struct Strict<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Gateway> for Strict<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let body = read(body, gateway.options()).await?;
        if body.is_empty() {
            return parse(b"{}").map(Self);
        }
        if !is_json(&parts) {
            return Err(Problem::of(Code::MediaTypeUnsupported));
        }
        parse(if &body[..] == b"null" { b"{}" } else { &body }).map(Self)
    }
}

/// What stands after `?`.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let asked = axum::extract::Query::try_from_uri(&parts.uri);
        let axum::extract::Query(asked) = asked.map_err(|error| wrong_query(&error.body_text()))?;
        Ok(Self(asked))
    }
}

/// The whole of a body, unless it is too large, does not come in time, or breaks off.
pub(crate) async fn read(body: Body, limits: &Options) -> Result<bytes::Bytes, Problem> {
    let Options { max_body, body_time, .. } = *limits;
    let too_large = || {
        let detail = format!("the body is larger than {} MiB", max_body >> 20);
        Problem::coded(Code::BodyTooLarge, detail)
    };
    // One that says itself how long it is need not come first.
    if body.size_hint().lower() > max_body as u64 {
        return Err(too_large());
    }
    let read = timeout(body_time, Limited::new(body, max_body).collect()).await;
    let read = read.map_err(|_elapsed| {
        let detail = format!("the body was not there within {} s", body_time.as_secs_f64());
        Problem::coded(Code::BodyTooSlow, detail)
    })?;
    read.map(http_body_util::Collected::to_bytes).map_err(|error| {
        if error.is::<http_body_util::LengthLimitError>() {
            too_large()
        } else {
            Problem::coded(Code::BodyInvalid, format!("the body broke off: {error}"))
        }
    })
}

fn is_json(parts: &Parts) -> bool {
    let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).map(str::trim).unwrap_or_default();
    kind.eq_ignore_ascii_case("application/json") || kind.to_ascii_lowercase().ends_with("+json")
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let ByName(value) = serde_path_to_error::deserialize(&mut json).map_err(|error| wrong(&error))?;
    json.end().map_err(|error| Problem::coded(Code::BodyInvalid, words::of_body(&error)))?;
    Ok(value)
}

/// axum's words are a sentence, then the parameter unless it is none, then what is wrong with it.
fn wrong_query(said: &str) -> Problem {
    let said = said.split_once("query string: ").map_or(said, |(_, said)| said);
    let (field, said) = said.split_once(": ").filter(|(field, _)| !field.contains(' ')).unwrap_or(("", said));
    let field = NAMING.iter().find_map(|before| named(said, before)).unwrap_or(field);
    Problem::coded(Code::QueryInvalid, words::of_query(said)).field(field)
}

/// What is wrong, and where. A body that is no JSON has no field yet: its words say the line and column.
fn wrong(error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let inner = error.inner();
    let problem = Problem::coded(Code::BodyInvalid, words::of_body(inner));
    if !inner.is_data() {
        return problem;
    }
    let path = error.path().to_string();
    let path = path.strip_suffix('.').unwrap_or(&path);
    let said = inner.to_string();
    let name = NAMING.iter().find_map(|before| named(&said, before));
    problem.field(match (path, name) {
        ("", Some(name)) => name.to_owned(),
        // The path of an unknown field ends with it, that of any other before it.
        (path, Some(name)) if !said.starts_with(UNKNOWN) => format!("{path}.{name}"),
        (path, _) => path.to_owned(),
    })
}

const UNKNOWN: &str = "unknown field `";
/// How serde's words about a field begin, before its name.
const NAMING: [&str; 3] = [UNKNOWN, "missing field `", "duplicate field `"];

/// Whether a part has only what its kind has; which others it might have, and whether it does.
pub(crate) fn only(kind: &str, place: &str, others: &[(&str, bool)]) -> Result<(), Problem> {
    let Some((name, _)) = others.iter().find(|(_, given)| *given) else { return Ok(()) };
    Err(Problem::coded(Code::BodyInvalid, format!("{kind} has no `{name}`")).field(format!("{place}.{name}")))
}

/// A part lacks what its kind has.
pub(crate) fn lacks(name: &str, place: &str) -> Problem {
    Problem::coded(Code::BodyInvalid, format!("missing field `{name}`")).field(format!("{place}.{name}"))
}

/// The name in serde's words about a field.
fn named<'words>(words: &'words str, before: &str) -> Option<&'words str> {
    words.strip_prefix(before)?.split('`').next()
}
