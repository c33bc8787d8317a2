//! The files of a session: pictures that were sent to it, and completion of what lies where it works.

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, header},
};
use selvedge_runtime::PathFound;
use selvedge_session::SessionId;
use serde::{Deserialize, Serialize};

use crate::{
    answer::Answer,
    gateway::Gateway,
    in_path::InPath,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
    strict::Asked,
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(complete)).routes(routes!(attachment))
}

/// What is looked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// A few letters of a path; the nearest files and directories, unless given.
    #[serde(default)]
    query: String,
}

/// Files and directories that fit.
#[derive(Serialize, utoipa::ToSchema)]
struct Found {
    /// The best first, at most 50.
    items: Vec<PathFound>,
}

/// Completion: the files and directories where a session works that fit a few letters, what git ignores left out.
#[utoipa::path(
    get, path = "/v1/sessions/{id}/files", tag = "files",
    params(("id" = SessionId, Path), Wanted),
    responses(
        (status = 200, description = "What fits", body = Found),
        Problems
    )
)]
async fn complete(
    State(gateway): State<Gateway>,
    InPath(id): InPath<SessionId>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Answer<Found>, Problem> {
    let items = gateway.runtime().complete(id, &wanted.query).await?;
    Ok(Answer::ok(Found { items }))
}

/// A picture that was sent to a session, by its SHA-256.
#[utoipa::path(
    get, path = "/v1/sessions/{id}/files/{sha256}", tag = "files",
    params(("id" = SessionId, Path), ("sha256" = String, Path, description = "As `message.accepted` names it")),
    responses(
        (status = 200, description = "The picture", body = Vec<u8>, content_type = "image/*"),
        Problems
    )
)]
async fn attachment(
    State(gateway): State<Gateway>,
    InPath((id, sha256)): InPath<(SessionId, String)>,
) -> Result<(HeaderMap, Vec<u8>), Problem> {
    let bytes = gateway.runtime().attachment(id, &sha256).await?;
    Ok((headers(&sha256, &bytes), bytes))
}

/// What a hash names never changes.
fn headers(sha256: &str, bytes: &[u8]) -> HeaderMap {
    let short = sha256.get(..12).unwrap_or(sha256);
    headers_of(bytes, short, "private, max-age=31536000, immutable")
}

/// What it is, is seen in its first bytes and not believed from who sent it: only a picture is shown, anything else is
/// saved.
pub(super) fn headers_of(bytes: &[u8], name: &str, kept: &'static str) -> HeaderMap {
    let kind = picture(bytes);
    let (media_type, shown) =
        kind.map_or(("application/octet-stream", "attachment"), |(media, _)| (media, "inline"));
    let ending = kind.map_or("bin", |(_, ending)| ending);
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    // Two words of ours around a name of ours: it can be written.
    if let Ok(shown) = HeaderValue::try_from(format!("{shown}; filename=\"{name}.{ending}\"")) {
        headers.insert(header::CONTENT_DISPOSITION, shown);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    headers
}

/// The kinds of pictures that browsers show and that run nothing.
pub(super) fn picture(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some(("image/png", "png")),
        [0xff, 0xd8, 0xff, ..] => Some(("image/jpeg", "jpg")),
        [b'G', b'I', b'F', b'8', ..] => Some(("image/gif", "gif")),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(("image/webp", "webp")),
        _ => None,
    }
}
