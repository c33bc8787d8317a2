//! What is wanted of a session beside messages: stop, go on, fork, put away.

use axum::{extract::State, response::Response};
use selvedge_runtime::{Error, Fork, SessionHandle, Summary};
use selvedge_session::{Json, MessageId, SessionId};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::sessions::made;
use crate::{
    answer::Answer,
    gateway::Gateway,
    idempotent::{Maker, Once},
    in_path::InPath,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
    strict::Strict,
};

type Accepted = Result<Answer<Summary>, Problem>;

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(interrupt))
        .routes(routes!(start))
        .routes(routes!(stop))
        .routes(routes!(compact))
        .routes(routes!(review))
        .routes(routes!(archive))
        .routes(routes!(unarchive))
        .routes(routes!(fork))
}

/// Nothing is said with it.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// How a turn is stopped.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
struct InterruptTurn {
    /// By killing its process, now.
    #[serde(default)]
    force: bool,
}

/// What is reviewed.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
struct ReviewChanges {
    /// In Codex's words, for example `{"type": "baseBranch", "branch": "main"}`; what is not committed, unless given.
    #[schema(value_type = Option<Object>)]
    target: Option<Map<String, Value>>,
}

/// What is forked.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
struct ForkSession {
    /// Up to the end of this message's turn; all of it, unless given.
    after_message_id: Option<MessageId>,
}

/// Stops the running turn.
#[utoipa::path(
    post, operation_id = "interrupt_session", path = "/v1/sessions/{id}/interrupt", tag = "sessions", params(("id" = SessionId, Path)),
    request_body = Option<InterruptTurn>,
    responses((status = 202, body = Summary, description = "It is being stopped."), Problems)
)]
async fn interrupt(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    once: Once,
    Strict(InterruptTurn { force }): Strict<InterruptTurn>,
) -> Accepted {
    done(&gateway, (id, once), async |session| session.interrupt(force).await).await
}

/// Goes on after `failed`, `stopped` or a held queue.
#[utoipa::path(
    post, operation_id = "start_session", path = "/v1/sessions/{id}/start", tag = "sessions", params(("id" = SessionId, Path)),
    request_body = Option<Nothing>,
    responses((status = 202, body = Summary, description = "It goes on."), Problems)
)]
async fn start(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    once: Once,
    Strict(Nothing {}): Strict<Nothing>,
) -> Accepted {
    done(&gateway, (id, once), async |session| session.start().await).await
}

/// Stops a session: its turn is interrupted, its queue ends.
#[utoipa::path(
    post, operation_id = "stop_session", path = "/v1/sessions/{id}/stop", tag = "sessions", params(("id" = SessionId, Path)),
    request_body = Option<Nothing>,
    responses((status = 202, body = Summary, description = "It stops."), Problems)
)]
async fn stop(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    once: Once,
    Strict(Nothing {}): Strict<Nothing>,
) -> Accepted {
    done(&gateway, (id, once), async |session| session.stop().await).await
}

/// Lets Codex sum the conversation up.
#[utoipa::path(
    post, operation_id = "compact_session", path = "/v1/sessions/{id}/compact", tag = "sessions", params(("id" = SessionId, Path)),
    request_body = Option<Nothing>,
    responses((status = 202, body = Summary, description = "It will be done."), Problems)
)]
async fn compact(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    once: Once,
    Strict(Nothing {}): Strict<Nothing>,
) -> Accepted {
    done(&gateway, (id, once), async |session| session.compact().await).await
}

/// Lets Codex review what was changed.
#[utoipa::path(
    post, operation_id = "review_session", path = "/v1/sessions/{id}/review", tag = "sessions", params(("id" = SessionId, Path)),
    request_body = Option<ReviewChanges>,
    responses((status = 202, body = Summary, description = "It will be done."), Problems)
)]
async fn review(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    once: Once,
    Strict(ReviewChanges { target }): Strict<ReviewChanges>,
) -> Accepted {
    let params = Json::from(target.map_or_else(|| json!({}), |target| json!({"target": target})));
    done(&gateway, (id, once), async |session| session.review(params).await).await
}

/// Puts a session away: it stops, and Codex archives its thread.
#[utoipa::path(
    post, operation_id = "archive_session", path = "/v1/sessions/{id}/archive", tag = "sessions", params(("id" = SessionId, Path)),
    request_body = Option<Nothing>,
    responses((status = 202, body = Summary, description = "It is put away."), Problems)
)]
async fn archive(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    once: Once,
    Strict(Nothing {}): Strict<Nothing>,
) -> Accepted {
    done(&gateway, (id, once), async |session| session.archive().await).await
}

/// Takes a session out again.
#[utoipa::path(
    post, operation_id = "unarchive_session", path = "/v1/sessions/{id}/unarchive", tag = "sessions", params(("id" = SessionId, Path)),
    request_body = Option<Nothing>,
    responses((status = 202, body = Summary, description = "It is there again."), Problems)
)]
async fn unarchive(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    once: Once,
    Strict(Nothing {}): Strict<Nothing>,
) -> Accepted {
    done(&gateway, (id, once), async |session| session.unarchive().await).await
}

/// Makes a session from this one's history, whole or up to a message. It keeps its tools and settings.
#[utoipa::path(
    post, operation_id = "fork_session", path = "/v1/sessions/{id}/fork", tag = "sessions", request_body = Option<ForkSession>,
    params(("id" = SessionId, Path)),
    responses((status = 201, body = selvedge_runtime::SessionDetail, description = "It is there."), Problems)
)]
async fn fork(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    maker: Maker,
    Strict(ForkSession { after_message_id }): Strict<ForkSession>,
) -> Result<Response, Problem> {
    let session = gateway.runtime().session(id).await?;
    let forked = session.fork(Fork { after: after_message_id, idempotency_key: maker.key }).await?;
    made(forked.detail().await?)
}

/// Has it done, and tells how the session stands.
async fn done(
    gateway: &Gateway,
    (id, Once(key)): (SessionId, Once),
    act: impl AsyncFnOnce(&SessionHandle) -> Result<(), Error>,
) -> Accepted {
    let session = gateway.runtime().session(id).await?.keyed(key);
    act(&session).await?;
    Ok(Answer::accepted(session.summary().await?))
}
