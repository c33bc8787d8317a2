//! Sockets for clients of other programs, and what those ask beside them.

use axum::{extract::State, response::Response, routing::get};
use selvedge_session::Code;
use serde::Serialize;

use crate::{
    answer::Answer,
    gateway::Gateway,
    in_path::InPath,
    problem::Problem,
    routed::Routes,
    sockets::{Opening, serve_browser},
};

/// Their shapes are others': OpenAPI describes ours.
pub(super) fn routes() -> Routes {
    Routes::new()
        .route("/ws/browser/{id}", get(browser))
        .route("/api/backends", get(backends))
        .route("/api/backends/{id}/models", get(models))
}

/// The Companion's browser protocol.
async fn browser(opening: Opening) -> Response {
    opening.open("companion", serve_browser)
}

/// A backend, as the Companion lists it.
#[derive(Serialize)]
struct Backend {
    id: &'static str,
    name: &'static str,
    available: bool,
}

async fn backends(State(gateway): State<Gateway>) -> Answer<[Backend; 1]> {
    // Whoever answers for Codex by default: the stand-in says so where it is used.
    let found = gateway.runtime().backends().await;
    let available = found.first().is_some_and(|backend| backend.found);
    Answer::ok([Backend { id: "codex", name: "Codex", available }])
}

/// A model, as the Companion lists it.
#[derive(Serialize)]
struct Model {
    value: String,
    label: String,
    description: String,
}

async fn models(
    State(gateway): State<Gateway>,
    InPath(backend): InPath<String>,
) -> Result<Answer<Vec<Model>>, Problem> {
    if backend != "codex" {
        return Err(Problem::coded(Code::NotFound, format!("there is no backend {backend:?}")));
    }
    let models = gateway.runtime().models().await?;
    let model = |model: selvedge_runtime::Model| Model {
        value: model.id,
        label: model.name,
        description: model.description.unwrap_or_default(),
    };
    Ok(Answer::ok(models.into_iter().map(model).collect()))
}
