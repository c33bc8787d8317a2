//! Every address of the gateway, and the description of it: the routes make both.

mod account;
mod diff;
mod events;
mod feed;
mod files;
mod fs;
mod health;
mod models;
mod usage;

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
        .merge(events::routes())
        .merge(feed::routes())
        .merge(diff::routes())
        .merge(files::routes())
        .merge(fs::routes())
        .merge(models::routes())
        .merge(account::routes())
        .merge(usage::routes())
        .split_for_parts()
}
