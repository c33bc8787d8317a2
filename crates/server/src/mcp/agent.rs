//! A session's own agent, known by the secret in its thread's configuration.

use axum::{
    extract::Request,
    http::{HeaderMap, header},
};
use selvedge_session::SessionId;

use super::PLACE;
use crate::{access::Caller, gateway::Gateway};

/// The request is the agent's, and about its own tools.
#[derive(Debug, Clone, Copy)]
pub(super) struct Agent;

/// Whether a request is made by the agent of the session that it names. Then nothing deeper sees the secret; what
/// anybody else brings is left for those who know tokens.
pub(crate) fn recognise(gateway: &Gateway, request: &mut Request) -> bool {
    let Some(session) = named(request.uri().path()) else { return false };
    let known =
        bearer(request.headers()).is_some_and(|secret| gateway.runtime().knows_tools_secret(session, secret));
    if known {
        request.headers_mut().remove(header::AUTHORIZATION);
        request.extensions_mut().insert(Agent);
        request.extensions_mut().insert(Caller { name: "agent/mcp".to_owned() });
    }
    known
}

fn named(path: &str) -> Option<SessionId> {
    path.strip_prefix(PLACE)?.parse().ok().map(SessionId)
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, secret) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}
