//! A2A's addresses: the card, JSON-RPC, and HTTP+JSON, of the default agent and of each by its name.

use std::collections::HashMap;

use axum::{
    body::Body,
    extract::{Path, Request, State},
    http::{HeaderMap, header, request::Parts},
    response::{IntoResponse as _, Response},
    routing::{any, get, post},
};
use bytes::Bytes;

use super::{
    card::{self, Asked},
    desk::Desk,
    notes::Whose,
    rest, rpc,
    words::{Fault, Kind},
};
use crate::{
    access::{Caller, Scope, Visit},
    gateway::Gateway,
    guard,
    routed::Routes,
    strict,
};

/// Where everybody looks for the card.
const CARD: &str = "/.well-known/agent-card.json";

pub(crate) fn routes() -> Routes {
    let mut routes = Routes::new().route(CARD, get(show_card));
    for place in ["/a2a", "/a2a/{agent}"] {
        routes = routes
            .route(&format!("{place}{CARD}"), get(show_card))
            .route(place, post(over_rpc))
            .route(&format!("{place}/"), post(over_rpc))
            .route(&format!("{place}/rest/{{*path}}"), any(over_rest));
    }
    routes.merge(super::inbox::routes())
}

/// Whether an address is open to everybody: a card has to be read before anybody can know how to ask.
pub(crate) fn is_open(path: &str) -> bool {
    path == CARD || (path.starts_with("/a2a/") && path.ends_with(CARD))
}

async fn show_card(
    State(gateway): State<Gateway>,
    Path(names): Path<HashMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    let Some(agent) = gateway.options().agents.find(names.get("agent").map(String::as_str)) else {
        return guard::nothing_there().await.into_response();
    };
    let asked = Asked { base: &base(&headers), locked: gateway.options().locked, extended: false };
    card::answer(&card::card(&agent, &asked), gateway.begun(), &headers)
}

/// The gateway as this caller reaches it.
fn base(headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    format!("http://{host}")
}

async fn over_rpc(
    State(gateway): State<Gateway>,
    Path(names): Path<HashMap<String, String>>,
    who: (Caller, Visit),
    request: Request,
) -> Response {
    let (Parts { uri, headers, .. }, body) = request.into_parts();
    let Some(desk) = desk(&gateway, &names, who, &headers) else {
        return guard::nothing_there().await.into_response();
    };
    match read(&gateway, body).await {
        Ok(body) => rpc::call(&desk, &uri, &headers, &body).await,
        Err(fault) => rpc::refuse(&fault, &headers),
    }
}

async fn over_rest(
    State(gateway): State<Gateway>,
    Path(names): Path<HashMap<String, String>>,
    who: (Caller, Visit),
    request: Request,
) -> Response {
    let (Parts { method, uri, headers, .. }, body) = request.into_parts();
    let Some(desk) = desk(&gateway, &names, who, &headers) else {
        return guard::nothing_there().await.into_response();
    };
    let body = match read(&gateway, body).await {
        Ok(body) => body,
        Err(fault) => return rest::refuse(&fault, &headers),
    };
    let path = names.get("path").map(String::as_str).unwrap_or_default();
    let request = rest::Request { method: &method, path, uri: &uri, headers: &headers, body: &body };
    rest::answer(&desk, &request).await
}

/// The whole body, unless there is too much of it, it takes too long, or it breaks off.
async fn read(gateway: &Gateway, body: Body) -> Result<Bytes, Fault> {
    strict::read(body, gateway.options()).await.map_err(|problem| {
        let kind = match problem.status {
            413 => Kind::TooLarge,
            408 => Kind::TooSlow,
            _ => Kind::InvalidRequest,
        };
        Fault::new(kind, problem.detail)
    })
}

fn desk(
    gateway: &Gateway,
    names: &HashMap<String, String>,
    (caller, visit): (Caller, Visit),
    headers: &HeaderMap,
) -> Option<Desk> {
    let agent = gateway.options().agents.find(names.get("agent").map(String::as_str))?;
    let owner = caller.name.strip_suffix("/http").unwrap_or(&caller.name).to_owned();
    let whose = Whose { agent: agent.key.clone(), owner };
    Some(Desk {
        gateway: gateway.clone(),
        agent,
        whose,
        may_approve: visit.may(Scope::Approve),
        base: base(headers),
    })
}
