//! Whether it lives, and whether it takes work.

use axum::extract::State;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::gateway::Gateway;

pub(super) fn routes() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new().routes(routes!(healthz)).routes(routes!(readyz))
}

/// Whether it lives.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = str)))]
async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether it takes work: the journal is open.
#[utoipa::path(get, path = "/readyz", tag = "health", responses((status = 200, body = str)))]
async fn readyz(State(gateway): State<Gateway>) -> &'static str {
    let _open = gateway.runtime();
    "ok\n"
}
