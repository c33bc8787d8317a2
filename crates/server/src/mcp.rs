//! MCP over HTTP with a session's own tools, at an address that is this session's alone.
//!
//! A call becomes `tool.requested` like any other and is answered in the same ways; whoever called holds the request open
//! until then. Each request stands for itself: there is nothing that a gateway could lose between two of them.

mod agent;
mod content;
mod tools;

pub(crate) use agent::recognise;

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    response::Response,
    routing::post,
};
use rmcp::transport::{
    StreamableHttpServerConfig, StreamableHttpService,
    streamable_http_server::session::never::NeverSessionManager,
};
use selvedge_session::{Code, SessionId};

use self::{agent::Agent, tools::Tools};
use crate::{gateway::Gateway, in_path::InPath, problem::Problem, routed::Routes, strict};

/// Where the endpoints are; a session's id follows.
pub(crate) const PLACE: &str = "/mcp/";

/// Its words are MCP's: OpenAPI describes ours.
pub(crate) fn routes() -> Routes {
    Routes::new().route("/mcp/{session}", post(serve))
}

async fn serve(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    mut request: Request,
) -> Result<Response, Problem> {
    // Once more, for whoever serves our routes without the guard.
    recognise(&gateway, &mut request);
    let by_agent = request.extensions().get::<Agent>().is_some();
    let session = match gateway.runtime().session(id).await {
        // The secret went with its session.
        Err(error) if by_agent && error.code == Code::NotFound => {
            return Err(Problem::coded(Code::Unauthenticated, "nobody has this token"));
        }
        session => session?,
    };
    if session.summary().await?.archived {
        return Err(Problem::of(Code::Archived));
    }
    let specs = session.settings().await?.tools;
    let tools = Tools::new(session, specs, by_agent);
    // Within the gateway's limits, and refused in its words.
    let (parts, body) = request.into_parts();
    let body = strict::read(body, gateway.options()).await?;
    let request = Request::from_parts(parts, Body::from(body));
    let service = StreamableHttpService::new(
        move || Ok(tools.clone()),
        Arc::new(NeverSessionManager::default()),
        config(&gateway),
    );
    Ok(service.handle(request).await.map(Body::new))
}

/// By which name we were called is looked at before anybody comes here.
fn config(gateway: &Gateway) -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .disable_allowed_hosts()
        .with_max_request_body_bytes(gateway.options().max_body)
}
