//! Pictures that an agent looked at or made, which lie somewhere on this machine: asked for by the event that names them, so that
//! nobody names a path.

mod file;

use std::path::{Path, PathBuf};

use axum::{extract::State, http::HeaderMap};
use selvedge_runtime::Written;
use selvedge_session::{Code, Json, SessionId, What};
use serde_json::Value;

use super::files::headers_of;
use crate::{
    gateway::Gateway,
    in_path::InPath,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(picture))
}

/// The picture that an event's item names by its path: what the agent looked at (`imageView`) or made (`imageGeneration`).
///
/// It is read where it lies, as it is now. Only PNG, JPEG, GIF and WebP of at most 20 MiB are answered, told by their bytes; with
/// `--allow-root` only from there, links resolved. Anything else is not found.
#[utoipa::path(
    get, path = "/v1/sessions/{id}/events/{seq}/picture", tag = "files",
    params(("id" = SessionId, Path), ("seq" = u64, Path, description = "The number of the `item.started` or `item.completed` event")),
    responses(
        (status = 200, description = "The picture", body = Vec<u8>, content_type = "image/*"),
        Problems
    )
)]
async fn picture(
    State(gateway): State<Gateway>,
    InPath((id, seq)): InPath<(SessionId, u64)>,
) -> Result<(HeaderMap, Vec<u8>), Problem> {
    let named = named_by(&gateway, id, seq).await?.ok_or_else(|| none(seq))?;
    let cwd = PathBuf::from(gateway.runtime().session(id).await?.summary().await?.cwd);
    let roots = gateway.runtime().config().allow_roots.clone();
    // Off the async threads: it may lie somewhere slow.
    let read = tokio::task::spawn_blocking(move || file::read(&cwd.join(named), &roots)).await;
    let bytes = read.ok().flatten().ok_or_else(|| none(seq))?;
    // A file may be made anew under the same name.
    Ok((headers_of(&bytes, &format!("event-{seq}"), "private, max-age=60"), bytes))
}

/// One answer for everything: whoever asks learns nothing of what lies on this machine.
fn none(seq: u64) -> Problem {
    let problem = Problem::coded(Code::NotFound, format!("event {seq} names no picture that can be shown"));
    let hint = "it has to be there still, be a PNG, JPEG, GIF or WebP of at most 20 MiB, and lie under `--allow-root` if that is set";
    Problem { hint: Some(hint.to_owned()), ..problem }
}

/// The path that an event names, if there is such an event and it is about a picture.
async fn named_by(gateway: &Gateway, id: SessionId, seq: u64) -> Result<Option<PathBuf>, Problem> {
    let Some(before) = seq.checked_sub(1) else { return Ok(None) };
    let page = match gateway.runtime().event_page(id, before, 1).await {
        Err(error) if error.code == Code::CursorAhead => return Ok(None),
        page => page?,
    };
    Ok(page.events.first().and_then(path_in))
}

fn path_in(event: &Written) -> Option<PathBuf> {
    match event.read().ok()?.what {
        What::ItemStarted(it) | What::ItemCompleted(it) => path_of(&it.item),
        _ => None,
    }
}

fn path_of(item: &Json) -> Option<PathBuf> {
    let item: Value = serde_json::from_str(item.text()).ok()?;
    let path = match item["type"].as_str()? {
        "imageView" => &item["path"],
        "imageGeneration" => &item["savedPath"],
        _ => return None,
    };
    path.as_str().filter(|path| !path.is_empty()).map(|path| Path::new(path).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_items_about_pictures_name_one() {
        let path = |item: &str| path_of(&serde_json::from_str(item).unwrap());
        assert_eq!(path(r#"{"type":"imageView","path":"/a.png"}"#), Some("/a.png".into()));
        let made = r#"{"type":"imageGeneration","savedPath":"/b.png","path":"/etc/passwd"}"#;
        assert_eq!(path(made), Some("/b.png".into()));
        for other in [
            r#"{"type":"fileChange","path":"/a.png"}"#,
            r#"{"type":"imageView"}"#,
            r#"{"type":"imageView","path":""}"#,
            r#"{"type":"imageGeneration","savedPath":null}"#,
            r#"{"type":"imageView","path":["/a.png"]}"#,
        ] {
            assert_eq!(path(other), None, "{other}");
        }
    }
}
