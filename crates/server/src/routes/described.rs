//! The description of every route, for programs.

use axum::response::IntoResponse as _;

use crate::{
    answer::Answer,
    openapi::Problems,
    routed::{Routes, routes},
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(openapi))
}

/// This description.
#[utoipa::path(get, path = "/openapi.json", tag = "health", responses((status = 200, body = serde_json::Value, description = "OpenAPI 3.1."), Problems))]
async fn openapi() -> axum::response::Response {
    // It is asked for once by whoever builds against it: nothing is gained by keeping it.
    Answer::ok(super::openapi()).into_response()
}
