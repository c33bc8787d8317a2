//! Sockets for clients of other programs, and what those ask beside them.

use axum::{extract::State, response::Response, routing::get};
use selvedge_dialects::Dialect;
use selvedge_session::Code;
use serde::{Deserialize, Serialize};

use crate::{
    answer::Answer,
    gateway::Gateway,
    in_path::InPath,
    problem::Problem,
    routed::Routes,
    sockets::{Opening, Source, serve_browser, serve_stream},
    spoken::Reading,
    sse,
    strict::Asked,
};

/// Their shapes are others': OpenAPI describes ours.
pub(super) fn routes() -> Routes {
    Routes::new()
        .route("/ws/browser/{id}", get(browser))
        .route("/ws/stream/{id}", get(stream))
        .route("/api/backends", get(backends))
        .route("/api/backends/{id}/models", get(models))
}

/// The Companion's browser protocol.
async fn browser(opening: Opening) -> Response {
    opening.open("companion", serve_browser)
}

/// What a socket reads.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// In which language; our own events, unless given.
    dialect: Option<String>,
    /// The last message that is not wanted.
    after: Option<u64>,
}

/// Any dialect, and wishes in it or in plain words.
async fn stream(Asked(wanted): Asked<Wanted>, opening: Opening) -> Result<Response, Problem> {
    let after = wanted.after.unwrap_or(0);
    let (runtime, id) = (opening.guest.gateway.runtime(), opening.guest.session.id());
    let misplaced = sse::misplaced(None);
    let (source, surface) = match wanted.dialect.as_deref() {
        None | Some("events") => (Source::Events(runtime.events(id, after).await.map_err(misplaced)?), "ws"),
        Some(name) => {
            let dialect = dialect(name)?;
            let reading = Reading::open(runtime, id, dialect, after).await.map_err(misplaced)?;
            (Source::Dialect(Box::new(reading)), surface(dialect))
        }
    };
    Ok(opening.open(surface, |guest, wire| serve_stream(guest, wire, source)))
}

/// A dialect by its name.
pub(super) fn dialect(name: &str) -> Result<Dialect, Problem> {
    let unknown = |error: selvedge_dialects::UnknownDialect| {
        Problem::coded(Code::QueryInvalid, error.to_string()).field("dialect")
    };
    name.parse().map_err(unknown)
}

/// By which name its listeners are known.
fn surface(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Companion => "companion",
        Dialect::Yaar | Dialect::YaarSeed => "yaar",
        Dialect::Caic | Dialect::CaicSeed => "caic",
    }
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
