//! A page that shows `/openapi.json`: its own, with nothing loaded from elsewhere.

use axum::{
    http::{HeaderName, header},
    routing::get,
};

use crate::{
    openapi::Problems,
    routed::{Routes, routes},
};

type File = ([(HeaderName, &'static str); 1], &'static str);

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(page))
        .route("/docs/docs.css", get(style))
        .route("/docs/docs.js", get(script))
}

/// This description, for people.
#[utoipa::path(get, path = "/docs", tag = "health", operation_id = "docs", responses(
    (status = 200, body = str, content_type = "text/html", description = "A page."), Problems
))]
async fn page() -> File {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], include_str!("../docs/docs.html"))
}

async fn style() -> File {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("../docs/docs.css"))
}

async fn script() -> File {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("../docs/docs.js"))
}
