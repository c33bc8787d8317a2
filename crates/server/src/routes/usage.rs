//! What was used.

use axum::extract::State;
use selvedge_runtime::{UsageGroup, UsageReport};
use serde::Deserialize;

use crate::{
    answer::Answer,
    gateway::Gateway,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
    strict::Asked,
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(usage))
}

/// How it is summed up.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// By day (in UTC, unless given), model or session.
    #[serde(default)]
    #[param(inline)]
    group: UsageGroup,
}

/// Tokens and cost of all sessions, by day, model or session. The total is the sum of what the sessions say of themselves
/// and of what removed ones had used; by session, those are one: `removed`.
#[utoipa::path(
    get, path = "/v1/usage", tag = "choices", params(Wanted),
    responses(
        (status = 200, description = "Usage", body = UsageReport),
        Problems
    )
)]
async fn usage(
    State(gateway): State<Gateway>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Answer<UsageReport>, Problem> {
    Ok(Answer::ok(gateway.runtime().usage(wanted.group).await?))
}
