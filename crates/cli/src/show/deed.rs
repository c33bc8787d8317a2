//! What the agent does, as one line a person reads: commands, changed files, tool calls, searches.

use std::time::Duration;

use selvedge_session::Json;
use serde_json::Value;

use super::{
    amounts,
    clean::{clean_output, one_line},
    style::{Look, Style},
};

/// Something the agent does or did.
#[derive(Debug, PartialEq)]
pub(crate) struct Deed {
    /// For example `$ cargo test`.
    pub(crate) what: String,
    pub(crate) state: State,
    /// Exit code, duration, counts.
    pub(crate) notes: Vec<String>,
    /// What a command wrote.
    pub(crate) output: String,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    Done,
    Failed,
    Declined,
    /// Codex did not say how it ended.
    Cut,
}

impl Deed {
    /// Reads an item; nothing of what is said or thought. `closed` is why we closed it, if Codex did not.
    pub(crate) fn read(item: &Json, closed: Option<&str>) -> Option<Self> {
        let item: Value = serde_json::from_str(item.text()).ok()?;
        let what = what(&item)?;
        let state = if closed.is_some() { State::Cut } else { state(&item) };
        let mut notes = Vec::new();
        if let Some(changes) = item["changes"].as_array() {
            notes.extend(changes.iter().map(change_note));
        }
        if let Some(code) = item["exitCode"].as_i64().filter(|code| *code != 0) {
            notes.push(format!("exit {code}"));
        }
        if let Some(error) = item["error"]["message"].as_str() {
            notes.push(one_line(error, 120));
        }
        if let Some(took) = item["durationMs"].as_u64().filter(|_| state != State::Running) {
            notes.push(amounts::duration(Duration::from_millis(took)));
        }
        notes.extend(closed.map(str::to_owned));
        let output = clean_output(item["aggregatedOutput"].as_str().unwrap_or_default());
        Some(Self { what, state, notes, output })
    }

    /// The line, at most so wide.
    pub(crate) fn line(&self, style: Style, width: usize) -> String {
        let (mark, look) = match self.state {
            State::Running => ("…", Look::Dim),
            State::Done => ("✓", Look::Good),
            State::Failed => ("✗", Look::Bad),
            State::Declined => ("⊘", Look::Careful),
            State::Cut => ("–", Look::Careful),
        };
        let mut notes = self.notes.clone();
        match self.state {
            State::Declined => notes.insert(0, "declined".to_owned()),
            State::Failed if !notes.iter().any(|note| note.starts_with("exit ")) => {
                notes.insert(0, "failed".to_owned());
            }
            _ => {}
        }
        let notes = notes.join(", ");
        let room = width.saturating_sub(notes.chars().count() + 5).max(20);
        let what = one_line(&self.what, room);
        let notes = if notes.is_empty() { notes } else { format!("  {}", style.paint(Look::Dim, &notes)) };
        format!("{} {what}{notes}", style.paint(look, mark))
    }
}

fn what(item: &Value) -> Option<String> {
    let text = |key: &str| item[key].as_str().unwrap_or_default();
    Some(match text("type") {
        "userMessage" | "agentMessage" | "reasoning" | "plan" | "" => return None,
        "commandExecution" => format!("$ {}", command(item)),
        "fileChange" => "edit".to_owned(),
        "mcpToolCall" => format!("{}.{} {}", text("server"), text("tool"), arguments(item)),
        "dynamicToolCall" => format!("{} {}", text("tool"), arguments(item)),
        "webSearch" => format!("search: {}", text("query")),
        "imageView" => format!("look at {}", text("path")),
        "collabAgentToolCall" => format!("agents: {} {}", text("tool"), text("prompt")),
        "subAgentActivity" => format!("agent {}: {}", text("agentPath"), text("kind")),
        "contextCompaction" => "the history was compacted".to_owned(),
        other => other.to_owned(),
    })
}

/// Without the shell that Codex puts around it, if it says what is inside.
fn command(item: &Value) -> &str {
    match item["commandActions"].as_array().map(Vec::as_slice) {
        Some([only]) if only["command"].is_string() => only["command"].as_str().unwrap_or_default(),
        _ => item["command"].as_str().unwrap_or_default(),
    }
}

fn arguments(item: &Value) -> String {
    if item["arguments"].is_null() { String::new() } else { item["arguments"].to_string() }
}

fn state(item: &Value) -> State {
    let failed = item["exitCode"].as_i64().is_some_and(|code| code != 0) || item["success"] == false;
    match item["status"].as_str() {
        Some("inProgress") => State::Running,
        Some("declined") => State::Declined,
        Some("failed" | "interrupted") => State::Failed,
        _ if failed => State::Failed,
        _ => State::Done,
    }
}

fn change_note(change: &Value) -> String {
    let (path, diff) =
        (change["path"].as_str().unwrap_or_default(), change["diff"].as_str().unwrap_or_default());
    let (added, removed) = lines(change["kind"]["type"].as_str().unwrap_or_default(), diff);
    let path = one_line(path, 100);
    match change["kind"]["type"].as_str() {
        Some("add") => format!("new {path} +{added}"),
        Some("delete") => format!("gone {path} -{removed}"),
        _ => format!("{path} +{added} -{removed}"),
    }
}

/// Lines added and removed: of a new or removed file Codex sends its content, else a diff.
fn lines(kind: &str, diff: &str) -> (usize, usize) {
    let starting = |mark: char| {
        let hunks = diff.lines().skip_while(|line| !line.starts_with("@@"));
        hunks.filter(|line| line.starts_with(mark)).count()
    };
    match kind {
        "add" => (diff.lines().count(), 0),
        "delete" => (0, diff.lines().count()),
        _ => (starting('+'), starting('-')),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(item: Value) -> Option<String> {
        Deed::read(&item.into(), None).map(|deed| deed.line(Style::PLAIN, 80))
    }

    #[test]
    fn each_deed_is_one_line_with_how_it_ended() {
        let command = |status: &str, exit: Option<i64>| {
            json!({"type": "commandExecution", "command": "/bin/bash -lc 'cargo test'", "status": status,
                "commandActions": [{"type": "unknown", "command": "cargo test"}], "exitCode": exit, "durationMs": 2300})
        };
        let changes = json!([
            {"path": "new.rs", "kind": {"type": "add"}, "diff": "a\nb\n"},
            {"path": "old.rs", "kind": {"type": "update"}, "diff": "--- a\n+++ b\n@@ -1,2 +1 @@\n-x\n-y\n+z\n"},
        ]);
        let cases = [
            (command("inProgress", None), "… $ cargo test"),
            (command("completed", Some(0)), "✓ $ cargo test  2.3s"),
            (command("failed", Some(101)), "✗ $ cargo test  exit 101, 2.3s"),
            (command("declined", None), "⊘ $ cargo test  declined, 2.3s"),
            (
                json!({"type": "fileChange", "status": "completed", "changes": changes}),
                "✓ edit  new new.rs +2, old.rs +1 -2",
            ),
            (
                json!({"type": "mcpToolCall", "server": "docs", "tool": "find", "arguments": {"q": 1}, "status": "failed",
                    "error": {"message": "no such page"}}),
                "✗ docs.find {\"q\":1}  failed, no such page",
            ),
            (json!({"type": "webSearch", "query": "selvedge"}), "✓ search: selvedge"),
            (json!({"type": "somethingNew", "id": "1"}), "✓ somethingNew"),
        ];
        for (item, shown) in cases {
            assert_eq!(line(item).as_deref(), Some(shown));
        }
        assert_eq!(line(json!({"type": "agentMessage", "text": "hello"})), None);
    }

    #[test]
    fn a_long_command_is_cut_and_its_result_is_not() {
        let item = json!({"type": "commandExecution", "command": "x".repeat(200), "status": "completed", "exitCode": 0, "durationMs": 10});
        let shown = line(item).unwrap();
        assert!(shown.chars().count() <= 80 && shown.ends_with("…  0.0s"), "{shown}");
    }
}
