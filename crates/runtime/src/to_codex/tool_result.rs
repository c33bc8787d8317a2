//! What one of the session's own tools gave, in Codex's words.

use selvedge_protocol::say::{
    DynamicToolCallOutputContentItem as Item, DynamicToolCallResponse,
    InputImageDynamicToolCallOutputContentItem as Image, InputTextDynamicToolCallOutputContentItem as Text,
};
use selvedge_session::Json;
use serde_json::Value;

/// The answer to `item/tool/call`. The content is text, a list of `{type: text|image}`, or what Codex itself takes.
#[must_use]
pub fn tool(success: bool, content: &Json) -> DynamicToolCallResponse {
    let content = serde_json::from_str(content.text()).unwrap_or_default();
    let items = match content {
        Value::Null => Vec::new(),
        Value::Array(parts) => parts.into_iter().map(item).collect(),
        one => vec![item(one)],
    };
    DynamicToolCallResponse::new(items, success)
}

/// One part. What has no word of its own reaches the model as its JSON text: nothing a tool says is lost.
fn item(part: Value) -> Item {
    let field = |key: &str| part[key].as_str();
    match (field("type"), field("text"), field("url")) {
        (Some("text"), Some(text), _) => Text::new(text).into(),
        (Some("image"), _, Some(url)) => image(url),
        (Some("inputText" | "inputImage" | "inputAudio"), ..) => Item::Other(part),
        _ => match part {
            Value::String(text) => Text::new(text).into(),
            other => Text::new(other.to_string()).into(),
        },
    }
}

/// Codex fetches nothing: a picture elsewhere is named, so that the call does not fail for it.
fn image(url: &str) -> Item {
    if url.starts_with("data:") { Image::new(url).into() } else { Text::new(format!("image: {url}")).into() }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;

    #[test]
    fn content_is_said_in_codex_words_and_nothing_of_it_is_lost() {
        let cases = [
            (json!("done"), json!([{"type": "inputText", "text": "done"}])),
            (json!([{"type": "text", "text": "a"}]), json!([{"type": "inputText", "text": "a"}])),
            (
                json!([{"type": "image", "url": "data:image/png;base64,AA=="}]),
                json!([{"type": "inputImage", "imageUrl": "data:image/png;base64,AA=="}]),
            ),
            (
                json!([{"type": "image", "url": "https://example.com/a.png"}]),
                json!([{"type": "inputText", "text": "image: https://example.com/a.png"}]),
            ),
            (json!([{"type": "inputText", "text": "b"}]), json!([{"type": "inputText", "text": "b"}])),
            (json!({"count": 3}), json!([{"type": "inputText", "text": "{\"count\":3}"}])),
            (json!(null), json!([])),
        ];
        for (content, items) in cases {
            let said = to_value(tool(true, &Json::from(content))).unwrap();
            assert_eq!(said, json!({"success": true, "contentItems": items}));
        }
    }
}
