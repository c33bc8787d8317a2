//! The description of every route, for programs.

use axum::response::IntoResponse as _;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{answer::Answer, gateway::Gateway, openapi::Problems};

pub(super) fn routes() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new().routes(routes!(openapi))
}

/// This description.
#[utoipa::path(get, path = "/openapi.json", tag = "health", responses((status = 200, body = serde_json::Value, description = "OpenAPI 3.1."), Problems))]
async fn openapi() -> axum::response::Response {
    // It is asked for once by whoever builds against it: nothing is gained by keeping it.
    Answer::ok(super::openapi()).into_response()
}
