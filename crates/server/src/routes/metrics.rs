//! What Prometheus reads.

use axum::{
    extract::State,
    http::{HeaderName, header},
};

use crate::{
    gateway::Gateway,
    metrics,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
};

const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(read))
}

/// Counters and gauges in the text format of OpenMetrics.
#[utoipa::path(get, path = "/metrics", tag = "health", operation_id = "metrics", responses(
    (status = 200, body = str, content_type = "application/openmetrics-text", description = "As they stand."), Problems
))]
async fn read(State(gateway): State<Gateway>) -> Result<([(HeaderName, &'static str); 1], String), Problem> {
    let text = metrics::text(&gateway).await?;
    Ok(([(header::CONTENT_TYPE, KIND)], text))
}
