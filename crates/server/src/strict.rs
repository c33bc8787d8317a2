//! Bodies and queries that are taken at their word: JSON, not too large, nothing unknown, and the place of what is wrong.

use axum::{
    body::Body,
    extract::{FromRequest, FromRequestParts, Request},
    http::{header, request::Parts},
};
use http_body_util::{BodyExt as _, Limited};
use selvedge_session::Code;
use serde::de::DeserializeOwned;

use crate::{by_name::ByName, gateway::Gateway, problem::Problem};

/// A JSON body. None, or `null`, is `{}`.
pub(crate) struct Strict<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Gateway> for Strict<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let body = read(body, gateway.options().max_body).await?;
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

pub(crate) async fn read(body: Body, most: usize) -> Result<bytes::Bytes, Problem> {
    let read = Limited::new(body, most).collect().await;
    read.map(http_body_util::Collected::to_bytes).map_err(|error| {
        if error.is::<http_body_util::LengthLimitError>() {
            let most = most >> 20;
            Problem::coded(Code::BodyTooLarge, format!("the body is larger than {most} MiB"))
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
    json.end().map_err(|error| Problem::coded(Code::BodyInvalid, error.to_string()))?;
    Ok(value)
}

/// axum's words are a sentence, then the parameter unless it is none, then what is wrong with it.
fn wrong_query(words: &str) -> Problem {
    let words = words.split_once("query string: ").map_or(words, |(_, words)| words);
    let (field, words) =
        words.split_once(": ").filter(|(field, _)| !field.contains(' ')).unwrap_or(("", words));
    let field = named(words, "unknown field `").unwrap_or(field);
    Problem::coded(Code::QueryInvalid, words).field(field)
}

/// What is wrong, and where.
fn wrong(error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let path = error.path().to_string();
    let path = path.strip_suffix('.').unwrap_or(&path);
    let words = error.inner().to_string();
    let words = if is_secret(path) { without_quotes(&words) } else { words };
    let field = match (path, named(&words, "unknown field `"), named(&words, "missing field `")) {
        ("", Some(field), _) | ("", _, Some(field)) => field.to_owned(),
        // The path of an unknown field ends with it, that of a missing one before it.
        (path, _, Some(field)) => format!("{path}.{field}"),
        (path, ..) => path.to_owned(),
    };
    Problem::coded(Code::BodyInvalid, words).field(field)
}

/// Whether values lie there that must not come back.
fn is_secret(path: &str) -> bool {
    let first = path.split(['.', '[']).next().unwrap_or_default();
    matches!(first, "env" | "mcp_servers")
}

/// serde's words say what was found, in quotes.
fn without_quotes(words: &str) -> String {
    match (words.find('"'), words.rfind('"')) {
        (Some(first), Some(last)) if first < last => {
            format!("{}\"…\"{}", &words[..first], &words[last + 1..])
        }
        _ => words.to_owned(),
    }
}

/// The name in serde's words about a field.
fn named<'words>(words: &'words str, before: &str) -> Option<&'words str> {
    words.strip_prefix(before)?.split('`').next()
}
