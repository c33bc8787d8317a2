//! Every address of the gateway, and the description of it: the routes make both.

mod account;
mod approvals;
mod control;
mod described;
mod diff;
mod docs;
mod events;
mod feed;
mod files;
mod fs;
mod health;
mod messages;
mod metrics;
mod models;
mod page;
mod pending;
mod pictures;
mod sessions;
mod sockets;
mod tool_calls;
mod usage;

use axum::{Router, middleware};
use utoipa::openapi::OpenApi;

use crate::{
    a2a, deeds,
    gateway::Gateway,
    idempotent, mcp,
    openapi::{Api, keys, links, strict_parts},
    routed::Routes,
};

/// Everything that is answered.
pub fn router(gateway: Gateway) -> Router {
    let again = middleware::from_fn_with_state(gateway.clone(), idempotent::keep);
    let finish = middleware::from_fn_with_state(gateway.clone(), deeds::finish);
    all().router().layer(again).layer(finish).with_state(gateway)
}

/// The description of it, as OpenAPI 3.1.
#[must_use]
pub fn openapi() -> OpenApi {
    let mut api = all().describe(<Api as utoipa::OpenApi>::openapi());
    keys(&mut api);
    strict_parts(&mut api);
    links::from_a_session(&mut api);
    api
}

fn all() -> Routes {
    Routes::new()
        .merge(health::routes())
        .merge(sessions::routes())
        .merge(control::routes())
        .merge(messages::routes())
        .merge(approvals::routes())
        .merge(tool_calls::routes())
        .merge(events::routes())
        .merge(feed::routes())
        .merge(diff::routes())
        .merge(files::routes())
        .merge(pictures::routes())
        .merge(fs::routes())
        .merge(models::routes())
        .merge(account::routes())
        .merge(usage::routes())
        .merge(metrics::routes())
        .merge(docs::routes())
        .merge(a2a::routes())
        .merge(mcp::routes())
        .merge(page::routes())
        .merge(sockets::routes())
        .merge(described::routes())
}
