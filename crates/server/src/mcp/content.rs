//! What a tool gave, in MCP's words.

use rmcp::model::ContentBlock;
use selvedge_session::Json;
use serde_json::Value;

/// The content is text, or a list of `{type: text|image}`.
pub(super) fn blocks(content: &Json) -> Vec<ContentBlock> {
    match serde_json::from_str(content.text()).unwrap_or_default() {
        Value::Null => Vec::new(),
        Value::Array(parts) => parts.into_iter().map(block).collect(),
        one => vec![block(one)],
    }
}

/// One part. What has no word of its own reaches the model as its JSON text: nothing a tool says is lost.
fn block(part: Value) -> ContentBlock {
    let field = |key: &str| part[key].as_str();
    match (field("type"), field("text"), field("url")) {
        (Some("text"), Some(text), _) => ContentBlock::text(text),
        (Some("image"), _, Some(url)) => image(url),
        _ => match part {
            Value::String(text) => ContentBlock::text(text),
            other => ContentBlock::text(other.to_string()),
        },
    }
}

/// Nobody fetches anything: a picture elsewhere is named.
fn image(url: &str) -> ContentBlock {
    let data = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    match data {
        Some((kind, data)) => ContentBlock::image(data, kind),
        None => ContentBlock::text(format!("image: {url}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;

    #[test]
    fn content_is_said_in_mcps_words_and_nothing_of_it_is_lost() {
        let cases = [
            (json!("done"), json!([{"type": "text", "text": "done"}])),
            (json!([{"type": "text", "text": "a"}]), json!([{"type": "text", "text": "a"}])),
            (
                json!([{"type": "image", "url": "data:image/png;base64,AA=="}]),
                json!([{"type": "image", "data": "AA==", "mimeType": "image/png"}]),
            ),
            (
                json!([{"type": "image", "url": "https://example.com/a.png"}]),
                json!([{"type": "text", "text": "image: https://example.com/a.png"}]),
            ),
            (json!({"count": 3}), json!([{"type": "text", "text": "{\"count\":3}"}])),
            (json!(null), json!([])),
        ];
        for (content, said) in cases {
            assert_eq!(to_value(blocks(&Json::from(content))).unwrap(), said);
        }
    }
}
