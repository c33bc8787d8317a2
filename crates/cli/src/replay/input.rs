//! What a recorded client said, as it is said again.

use std::{fs, path::Path};

use selvedge_runtime::{Message, Part};
use selvedge_session::{Json, Options};
use serde_json::Value;

/// The message of a `turn/start` or `turn/steer`.
pub(super) fn message(params: &Value) -> Message {
    let parts = params["input"].as_array().into_iter().flatten().map(part);
    let schema = params.get("outputSchema").filter(|schema| schema.is_object());
    let options =
        Options { output_schema: schema.map(|schema| Json::from(schema.clone())), ..Options::default() };
    let mut input: Vec<_> = parts.collect();
    if input.is_empty() {
        // Early clients said plain text.
        input.push(Part::Text(params["input"].as_str().unwrap_or("(nothing was said)").to_owned()));
    }
    Message { input, options, sender: Some("recording".into()), ..Message::default() }
}

fn part(part: &Value) -> Part {
    match part["type"].as_str().unwrap_or_default() {
        "text" => Part::Text(part["text"].as_str().unwrap_or_default().to_owned()),
        "image" if part["url"].as_str().is_some_and(|url| url.starts_with("data:")) => {
            Part::ImageUrl(part["url"].as_str().unwrap_or_default().to_owned())
        }
        "localImage" => picture(Path::new(part["path"].as_str().unwrap_or_default())),
        other => Part::Text(format!("(a part of type {other:?} that is not in the recording)")),
    }
}

/// A picture lies beside the sessions that it was sent in; elsewhere it is only named.
fn picture(path: &Path) -> Part {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let kind = match extension {
        "png" | "gif" | "webp" => extension,
        "jpg" | "jpeg" => "jpeg",
        _ => "",
    };
    match fs::read(path) {
        Ok(data) if !kind.is_empty() => Part::Image { data, media_type: format!("image/{kind}") },
        _ => Part::Text(format!("(a picture that is not here: {})", path.display())),
    }
}
