//! What stands above a request: version, extensions, content types.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::Response,
};
use serde_json::Value;

use super::{
    agents::Agent,
    card::VERSION,
    words::{Fault, Kind},
};
use crate::accepted;

const NAME: &str = "a2a-version";
/// The form of its own that A2A has for JSON.
const OWN: &str = "application/a2a+json";

/// Whether it is in the version that is spoken here. Nothing said means 0.3.
pub(crate) fn version(headers: &HeaderMap, uri: &Uri) -> Result<(), Fault> {
    let said = headers.get(NAME).and_then(|value| value.to_str().ok()).map(str::trim);
    let asked = said.filter(|said| !said.is_empty()).map(str::to_owned).or_else(|| in_query(uri));
    // A patch version changes nothing: major and minor count.
    let is_spoken = |asked: &str| {
        asked == VERSION || asked.strip_prefix(VERSION).is_some_and(|rest| rest.starts_with('.'))
    };
    match asked {
        Some(asked) if is_spoken(&asked) => Ok(()),
        asked => {
            let asked = asked.unwrap_or_else(|| "0.3".to_owned());
            let message = format!("A2A {asked} is not spoken here: send `A2A-Version: {VERSION}`");
            Err(Fault::new(Kind::Version, message).about("supportedVersions", VERSION))
        }
    }
}

/// Whether who asks knows what it has to know.
pub(crate) fn extensions(agent: &Agent, headers: &HeaderMap) -> Result<(), Fault> {
    let lines = headers.get_all("a2a-extensions").iter().filter_map(|line| line.to_str().ok());
    let known: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
    let missing = agent.extensions.iter().find(|it| it.required && !known.contains(&it.uri.as_str()));
    match missing {
        None => Ok(()),
        Some(it) => {
            let message =
                format!("the agent is asked with the extension {}: name it in `A2A-Extensions`", it.uri);
            Err(Fault::new(Kind::ExtensionRequired, message).about("extension", &it.uri))
        }
    }
}

fn in_query(uri: &Uri) -> Option<String> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(NAME)).map(|(_, value)| value.to_owned())
}

/// Whether a body comes as JSON.
pub(crate) fn content_type(headers: &HeaderMap) -> Result<(), Fault> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).map(str::trim).unwrap_or_default();
    if kind.eq_ignore_ascii_case("application/json") || kind.eq_ignore_ascii_case(OWN) {
        return Ok(());
    }
    let message = format!("a body of {kind:?} is not taken: send `Content-Type: application/json`");
    Err(Fault::new(Kind::ContentType, message).about("mediaType", kind))
}

/// An answer, in the form that was asked for.
pub(crate) fn answer(status: u16, said: &Value, asked: &HeaderMap) -> Response {
    let own = accepted::names(asked, &header::ACCEPT, OWN);
    let mut response = Response::new(Body::from(said.to_string()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let kind = HeaderValue::from_static(if own { OWN } else { "application/json" });
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response.headers_mut().insert("a2a-version", HeaderValue::from_static(VERSION));
    response
}
