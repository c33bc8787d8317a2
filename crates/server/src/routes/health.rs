//! Whether it lives, and whether it takes work.

use axum::extract::State;
use selvedge_session::Code;

use crate::{
    gateway::Gateway,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(healthz)).routes(routes!(readyz))
}

/// Whether it lives.
#[utoipa::path(get, path = "/healthz", tag = "health", security(()), responses(
    (status = 200, body = str, description = "It does."), Problems
))]
async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether it takes work: the journal is open, and it is not ending.
#[utoipa::path(get, path = "/readyz", tag = "health", security(()), responses(
    (status = 200, body = str, description = "It does."), Problems
))]
async fn readyz(State(gateway): State<Gateway>) -> Result<&'static str, Problem> {
    if gateway.is_draining() { Err(Problem::of(Code::Draining)) } else { Ok("ok\n") }
}
