//! What a session changed.

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, header},
};
use selvedge_session::SessionId;
use serde::Deserialize;

use crate::{
    gateway::Gateway,
    in_path::InPath,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
    strict::Asked,
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(diff))
}

/// Of what.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// One turn alone; all, unless given.
    turn: Option<String>,
}

/// What a session changed since it was made, as a unified diff; with `turn`, what that turn said it changed.
///
/// In a git repository it is what git sees, new files included; elsewhere what the turns said that they changed.
#[utoipa::path(
    get, path = "/v1/sessions/{id}/diff", tag = "files",
    params(("id" = SessionId, Path), Wanted),
    responses(
        (status = 200, description = "A unified diff; empty if nothing changed", body = str, content_type = "text/x-diff"),
        Problems
    )
)]
async fn diff(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    Asked(wanted): Asked<Wanted>,
) -> Result<(HeaderMap, String), Problem> {
    let diff = gateway.runtime().changes(id, wanted.turn.as_deref()).await?;
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/x-diff; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok((headers, diff))
}
