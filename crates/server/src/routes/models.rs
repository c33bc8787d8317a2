//! What can be chosen: models, and who answers for Codex.

use axum::extract::State;
use selvedge_runtime::{BackendFound, Model};
use serde::Serialize;

use crate::{
    answer::Answer,
    gateway::Gateway,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(models)).routes(routes!(backends))
}

/// Models that can be chosen.
#[derive(Serialize, utoipa::ToSchema)]
struct Models {
    /// In Codex's own order.
    items: Vec<Model>,
}

/// The models of Codex's catalogue.
#[utoipa::path(
    get, path = "/v1/models", tag = "choices",
    responses(
        (status = 200, description = "Models", body = Models),
        Problems
    )
)]
async fn models(State(gateway): State<Gateway>) -> Result<Answer<Models>, Problem> {
    let items = gateway.runtime().models().await?;
    Ok(Answer::ok(Models { items }))
}

/// Who can answer for Codex.
#[derive(Serialize, utoipa::ToSchema)]
struct Backends {
    /// The one that sessions get, unless they choose, is the first.
    items: Vec<BackendFound>,
}

/// Who can answer for Codex: Codex itself, or the stand-in, for whoever asks for it by name.
#[utoipa::path(
    get, path = "/v1/backends", tag = "choices",
    responses((status = 200, description = "Backends, usable or not", body = Backends), Problems)
)]
async fn backends(State(gateway): State<Gateway>) -> Answer<Backends> {
    Answer::ok(Backends { items: gateway.runtime().backends().await })
}
