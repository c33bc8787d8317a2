//! What an agent does, in a few words: what the status of a task that is worked on says.

use selvedge_session::Json;
use serde_json::Value;

/// Longer commands are cut.
const LONGEST: usize = 200;

/// What an item that begins says of itself; nothing of those that say nothing to others.
pub(crate) fn words(item: &Json) -> Option<String> {
    let item: Value = serde_json::from_str(item.text()).ok()?;
    let text = |name: &str| item[name].as_str().unwrap_or_default();
    match text("type") {
        "commandExecution" => Some(format!("runs `{}`", shortened(text("command")))),
        "fileChange" => Some(format!("changes {}", files(&item))),
        "mcpToolCall" => Some(format!("calls {} of {}", text("tool"), text("server"))),
        "dynamicToolCall" => Some(format!("calls {}", text("tool"))),
        "webSearch" => Some("searches the web".to_owned()),
        "collabAgentToolCall" => Some("works with another agent".to_owned()),
        "contextCompaction" => Some("sums the conversation up".to_owned()),
        _ => None,
    }
}

fn files(item: &Value) -> String {
    let changes = item["changes"].as_array().into_iter().flatten();
    let paths: Vec<&str> = changes.filter_map(|change| change["path"].as_str()).collect();
    match paths.as_slice() {
        [] => "files".to_owned(),
        [one] => (*one).to_owned(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= LONGEST && line.len() == text.len() {
        return line.to_owned();
    }
    format!("{}…", line.chars().take(LONGEST).collect::<String>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_others_can_see_is_told_shortly() {
        for (item, said) in [
            (json!({"type": "commandExecution", "command": "cargo test\nls"}), Some("runs `cargo test…`")),
            (
                json!({"type": "fileChange", "changes": [{"path": "a"}, {"path": "b"}]}),
                Some("changes a and 1 more"),
            ),
            (json!({"type": "dynamicToolCall", "tool": "lookup"}), Some("calls lookup")),
            (json!({"type": "reasoning"}), None),
            (json!({"type": "userMessage"}), None),
        ] {
            assert_eq!(words(&Json::from(item)).as_deref(), said);
        }
    }
}
