//! Lists of what waits: only that is kept.

use serde::Deserialize;

/// What is wanted of it.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Pending {
    /// Only what waits is listed; what came of the others is in their session's events.
    #[serde(rename = "state")]
    #[param(rename = "state", inline)]
    _state: Option<Waits>,
}

/// What waits.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum Waits {
    /// For an answer.
    Pending,
}
