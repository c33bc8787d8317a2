//! `offer_artifact`: a file of the agent's directory, a link or data, that becomes an artifact of the task.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use selvedge_session::{Json, ToolSpec};
use serde_json::{Map, Value, json};

use super::{Call, Came, Place};

pub(super) const NAME: &str = crate::a2a::words::OFFER;

pub(super) fn spec() -> ToolSpec {
    let text = |words: &str| json!({"type": "string", "description": words});
    ToolSpec {
        name: NAME.to_owned(),
        description: "Gives whoever asked a file you made, a link or data, beside your answer.".to_owned(),
        input_schema: Json::from(json!({
            "type": "object",
            "properties": {
                "path": text("The file, inside your working directory."),
                "url": text("A link, instead of a file."),
                "data": {"description": "Any JSON, instead of a file."},
                "name": text("What it is called."),
                "description": text("What it is."),
                "media_type": text("For example text/csv."),
            },
            "additionalProperties": false,
        })),
        timeout_seconds: Some(60),
    }
}

/// Keeps it with the session. What the model is told says what was kept: the artifact is made of it.
pub(super) async fn run(place: &Place, call: &Call) -> Came {
    let said = |name: &str| call.arguments[name].as_str().filter(|text| !text.is_empty());
    let mut offered = Map::from_iter([("artifactId".to_owned(), json!(call.id))]);
    for (name, field) in [("name", "name"), ("description", "description"), ("media_type", "mediaType")] {
        offered.extend(said(name).map(|text| (field.to_owned(), json!(text))));
    }
    let data = call.arguments.get("data").filter(|data| !data.is_null());
    match (said("path"), said("url"), data) {
        (Some(path), None, None) => keep(place, call, path, &mut offered).await?,
        (None, None, Some(data)) => {
            offered.insert("data".to_owned(), data.clone());
        }
        (None, Some(url), None) if url.starts_with("https://") || url.starts_with("http://") => {
            let last = url.split(['?', '#']).next().and_then(|path| path.rsplit('/').next());
            let filename = said("name").or(last).filter(|name| !name.is_empty());
            offered.extend(filename.map(|name| ("filename".to_owned(), json!(name))));
            offered.insert("url".to_owned(), json!(url));
        }
        (None, Some(url), None) => return Err(format!("{url:?} is no http or https link")),
        _ => return Err("give `path`, `url` or `data`, one of them".to_owned()),
    }
    Ok(Value::Object(Map::from_iter([("offered".to_owned(), Value::Object(offered))])).to_string())
}

async fn keep(
    place: &Place,
    call: &Call,
    path: &str,
    offered: &mut Map<String, Value>,
) -> Result<(), String> {
    let session = place.gateway.runtime().session(call.session).await.map_err(|error| error.message)?;
    let cwd = PathBuf::from(session.settings().await.map_err(|error| error.message)?.cwd);
    let (asked, most) = (cwd.join(path), place.agent.max_file_bytes);
    let read = tokio::task::spawn_blocking(move || read(&cwd, &asked, most)).await;
    let bytes = read.map_err(|_| "the file cannot be read".to_owned())??;
    let filename = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or("file");
    let guessed = kind(filename, &bytes);
    offered.entry("mediaType").or_insert_with(|| json!(guessed));
    offered.entry("name").or_insert_with(|| json!(filename));
    offered.insert("filename".to_owned(), json!(filename));
    let sha256 = session.keep_file(guessed, bytes).await.map_err(|error| error.message)?;
    offered.insert("sha256".to_owned(), json!(sha256));
    Ok(())
}

/// A file inside the directory, links resolved.
fn read(cwd: &Path, asked: &Path, most: usize) -> Result<Vec<u8>, String> {
    let unreadable = |error: io::Error| format!("{}: {error}", asked.display());
    let (cwd, path) =
        (fs::canonicalize(cwd).map_err(unreadable)?, fs::canonicalize(asked).map_err(unreadable)?);
    if !path.starts_with(&cwd) {
        return Err(format!("{} is outside your working directory", asked.display()));
    }
    let metadata = fs::metadata(&path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(format!("{} is no file", asked.display()));
    }
    if metadata.len() > most as u64 {
        return Err(format!("{} is larger than {most} bytes", asked.display()));
    }
    fs::read(&path).map_err(unreadable)
}

fn kind(name: &str, bytes: &[u8]) -> &'static str {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("json") => "application/json",
        Some("csv") => "text/csv",
        Some("md") => "text/markdown",
        Some("html" | "htm") => "text/html",
        Some("pdf") => "application/pdf",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("svg") => "image/svg+xml",
        Some("zip") => "application/zip",
        _ if std::str::from_utf8(bytes).is_ok() => "text/plain",
        _ => "application/octet-stream",
    }
}
