//! Every address of the gateway, and the description of it: the routes make both.

mod docs;
mod health;
mod metrics;

use axum::Router;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::gateway::Gateway;

/// Everything that is answered.
pub fn router(gateway: Gateway) -> Router {
    described().0.with_state(gateway)
}

/// The description of it, as OpenAPI 3.1.
#[must_use]
pub fn openapi() -> OpenApi {
    described().1
}

fn described() -> (Router<Gateway>, OpenApi) {
    OpenApiRouter::new()
        .merge(health::routes())
        .merge(docs::routes())
        .merge(metrics::routes())
        .split_for_parts()
}
