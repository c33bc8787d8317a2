//! Sessions: made, listed, looked at, changed, removed.

mod create;
mod list;
mod patch;

use axum::{
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use selvedge_runtime::{DetailListing, SessionDetail};
use selvedge_session::SessionId;

pub(super) use self::list::page;
use self::{create::CreateSession, list::Wanted, patch::PatchSession};
use crate::{
    answer::Answer,
    gateway::Gateway,
    idempotent::Maker,
    in_path::InPath,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
    strict::{Asked, Strict},
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(create, list)).routes(routes!(one, update, remove))
}

/// Makes a session.
///
/// It costs nothing until its first message. Values of `env` and `mcp_servers` are secrets: no answer has them.
#[utoipa::path(
    post, operation_id = "create_session", path = "/v1/sessions", tag = "sessions", request_body = CreateSession,
    responses((status = 201, body = SessionDetail, description = "It is there."), Problems)
)]
async fn create(
    State(gateway): State<Gateway>,
    maker: Maker,
    Strict(body): Strict<CreateSession>,
) -> Result<Response, Problem> {
    let new = body.checked(&gateway, maker.key).await?;
    let session = gateway.runtime().create(new).await?;
    made(session.detail().await?)
}

/// A session that was just made, and where it is from now on.
pub(super) fn made(detail: SessionDetail) -> Result<Response, Problem> {
    let place = format!("/v1/sessions/{}", detail.summary.id);
    let mut response = Answer::created(detail).into_response();
    if let Ok(place) = HeaderValue::from_str(&place) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

/// Sessions, in the order in which they were made.
///
/// Those put away are left out, unless `archived=true`. None is woken. What git says may be some seconds old, and is left
/// out where git does not answer in time. A page may be shorter than `limit`: only without `next_cursor` it is the last.
#[utoipa::path(
    get, operation_id = "list_sessions", path = "/v1/sessions", tag = "sessions", params(Wanted),
    responses((status = 200, body = DetailListing, description = "Some of them."), Problems)
)]
async fn list(
    State(gateway): State<Gateway>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Answer<DetailListing>, Problem> {
    Ok(Answer::ok(gateway.runtime().session_details(&wanted.filter()?).await?))
}

/// A session with everything that is told about it.
#[utoipa::path(
    get, operation_id = "get_session", path = "/v1/sessions/{id}", tag = "sessions", params(("id" = SessionId, Path)),
    responses((status = 200, body = SessionDetail, description = "As it stands."), Problems)
)]
async fn one(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
) -> Result<Answer<SessionDetail>, Problem> {
    Ok(Answer::ok(gateway.runtime().session(id).await?.detail().await?))
}

/// Changes how a session works, from the next turn on.
#[utoipa::path(
    patch, operation_id = "update_session", path = "/v1/sessions/{id}", tag = "sessions", params(("id" = SessionId, Path)),
    request_body = Option<PatchSession>,
    responses((status = 200, body = SessionDetail, description = "As it is now."), Problems)
)]
async fn update(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    Strict(body): Strict<PatchSession>,
) -> Result<Answer<SessionDetail>, Problem> {
    let session = gateway.runtime().session(id).await?;
    session.update(body.checked()?).await?;
    Ok(Answer::ok(session.detail().await?))
}

/// Ends a session and removes it with everything only it uses.
///
/// Its turn is interrupted, and waited for.
#[utoipa::path(
    delete, operation_id = "delete_session", path = "/v1/sessions/{id}", tag = "sessions", params(("id" = SessionId, Path)),
    responses((status = 204, description = "It is gone."), Problems)
)]
async fn remove(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
) -> Result<StatusCode, Problem> {
    gateway.runtime().session(id).await?.remove().await?;
    Ok(StatusCode::NO_CONTENT)
}
