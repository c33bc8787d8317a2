//! What Codex asks a person, in full: nobody can decide about what is not shown.

use selvedge_session::data::ApprovalKind;
use serde_json::Value;

use super::clean::clean;

/// The question, line by line. A file change names its item only, so the item is given with it.
pub(crate) fn question(kind: ApprovalKind, request: &Value, item: Option<&Value>) -> Vec<String> {
    let mut lines = vec![headline(kind, request)];
    if let Some(reason) = request["reason"].as_str() {
        lines.extend(indented("", reason));
    }
    match kind {
        ApprovalKind::Command => command(request, &mut lines),
        ApprovalKind::FileChange => changes(request, item, &mut lines),
        ApprovalKind::Permissions => {
            let wanted = serde_json::to_string_pretty(&request["permissions"]).unwrap_or_default();
            lines.extend(indented("", &wanted));
        }
        ApprovalKind::UserInput => {
            for question in request["questions"].as_array().into_iter().flatten() {
                lines.extend(indented("", question["question"].as_str().unwrap_or_default()));
            }
        }
        ApprovalKind::Elicitation => form(request, &mut lines),
    }
    lines
}

/// The same in a few words, for a list.
pub(crate) fn in_short(kind: ApprovalKind, request: &Value) -> String {
    let text = match kind {
        ApprovalKind::Command => request["command"].as_str(),
        ApprovalKind::FileChange | ApprovalKind::Permissions => request["reason"].as_str(),
        ApprovalKind::UserInput => request["questions"][0]["question"].as_str(),
        ApprovalKind::Elicitation => request["message"].as_str(),
    };
    text.unwrap_or_default().to_owned()
}

fn headline(kind: ApprovalKind, request: &Value) -> String {
    match kind {
        ApprovalKind::Command => "may this command run?".to_owned(),
        ApprovalKind::FileChange => "may these files be changed?".to_owned(),
        ApprovalKind::Permissions => "may it have more permissions?".to_owned(),
        ApprovalKind::UserInput => "the agent asks:".to_owned(),
        ApprovalKind::Elicitation => {
            format!("{} asks:", clean(request["serverName"].as_str().unwrap_or("an MCP server")))
        }
    }
}

fn command(request: &Value, lines: &mut Vec<String>) {
    let command = match &request["command"] {
        // The legacy request has the words apart.
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        other => other.as_str().unwrap_or_default().to_owned(),
    };
    lines.extend(indented("$ ", &command));
    if let Some(directory) = request["cwd"].as_str() {
        lines.extend(indented("in ", directory));
    }
    if let Some(network) = request.get("networkApprovalContext").filter(|context| !context.is_null()) {
        lines.extend(indented("network: ", &network.to_string()));
    }
}

fn changes(request: &Value, item: Option<&Value>, lines: &mut Vec<String>) {
    let changes = item.and_then(|item| item["changes"].as_array()).or_else(|| request["changes"].as_array());
    for change in changes.into_iter().flatten() {
        let kind = change["kind"]["type"].as_str().unwrap_or("update");
        lines.extend(indented(&format!("{kind} "), change["path"].as_str().unwrap_or_default()));
        // Of a new or removed file Codex sends the content, else a diff.
        let mark = match kind {
            "add" => "+",
            "delete" => "-",
            _ => "",
        };
        for line in change["diff"].as_str().unwrap_or_default().lines() {
            lines.push(format!("    {mark}{}", clean(line)));
        }
    }
    if let Some(root) = request["grantRoot"].as_str() {
        lines.extend(indented("and everything below ", root));
    }
}

fn form(request: &Value, lines: &mut Vec<String>) {
    lines.extend(indented("", request["message"].as_str().unwrap_or_default()));
    if let Some(url) = request["url"].as_str() {
        lines.extend(indented("open ", url));
    }
    if let Some(arguments) = request["_meta"].get("tool_params") {
        lines.extend(indented("with ", &arguments.to_string()));
    }
}

fn indented(prefix: &str, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (place, line) in text.lines().enumerate() {
        let prefix = if place == 0 { prefix.to_owned() } else { " ".repeat(prefix.chars().count()) };
        lines.push(format!("  {prefix}{}", clean(line)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_command_is_shown_in_full_and_cannot_hide() {
        let request = json!({"command": "ls\x1b[8m; rm -rf ~\nnext", "cwd": "/work", "reason": "May I?"});
        let shown = question(ApprovalKind::Command, &request, None).join("\n");
        assert_eq!(
            shown,
            "may this command run?\n  May I?\n  $ ls\\u{1b}[8m; rm -rf ~\n    next\n  in /work"
        );
    }

    #[test]
    fn the_whole_diff_is_shown_with_the_question() {
        let item = json!({"changes": [
            {"path": "a.txt", "kind": {"type": "add"}, "diff": "one\ntwo\n"},
            {"path": "b.txt", "kind": {"type": "update"}, "diff": "@@ -1 +1 @@\n-x\n+y\n"},
        ]});
        let shown = question(ApprovalKind::FileChange, &json!({"itemId": "1"}), Some(&item)).join("\n");
        assert_eq!(
            shown,
            "may these files be changed?\n  add a.txt\n    +one\n    +two\n  update b.txt\n    @@ -1 +1 @@\n    -x\n    +y"
        );
    }
}
