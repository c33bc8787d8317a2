//! The page at its own addresses, and the files it loads.

use axum::{
    extract::Path,
    http::HeaderMap,
    response::{IntoResponse as _, Response},
    routing::get,
};

use crate::{guard, page, routed::Routes};

/// Which part of it is shown is the page's own affair: a link to any of them leads there.
const SHOWN_AT: [&str; 5] = ["/", "/s/{*session}", "/inbox", "/new", "/usage"];

/// None of them is described: they are no part of the API.
pub(super) fn routes() -> Routes {
    let shown = SHOWN_AT.iter().fold(Routes::new(), |routes, path| routes.route(path, get(index)));
    let with_files = page::beside_index().fold(shown, |routes, file| {
        let answer = async |headers: HeaderMap| file.answer(&headers);
        routes.route(&format!("/{}", file.path), get(answer))
    });
    with_files.route("/assets/{*name}", get(asset))
}

async fn index(headers: HeaderMap) -> Response {
    page::index().answer(&headers)
}

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    match page::find(&format!("assets/{name}")) {
        Some(file) => file.answer(&headers),
        None => guard::nothing_there().await.into_response(),
    }
}
