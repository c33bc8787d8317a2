//! Who is logged in to Codex.

use axum::extract::State;
use selvedge_runtime::Account;

use crate::{
    answer::Answer,
    gateway::Gateway,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(account))
}

/// Who is logged in to Codex, and how much of the account's limits is used.
#[utoipa::path(
    get, path = "/v1/account", tag = "choices",
    responses(
        (status = 200, description = "The account", body = Account),
        Problems
    )
)]
async fn account(State(gateway): State<Gateway>) -> Result<Answer<Account>, Problem> {
    Ok(Answer::ok(gateway.runtime().account().await?))
}
