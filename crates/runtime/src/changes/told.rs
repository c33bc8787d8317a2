//! The diff in a file change of Codex's: of a new or deleted file it tells the content, of a changed one the hunks.

use std::{fmt::Write as _, path::Path};

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct FileChange {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    changes: Vec<Change>,
}

#[derive(Deserialize)]
struct Change {
    path: String,
    #[serde(default)]
    kind: Value,
    #[serde(default)]
    diff: String,
}

/// What an item changed; nothing if it is no file change, or one that was not made.
pub(super) fn diff_of(item: &str, cwd: &Path) -> String {
    let Ok(item) = serde_json::from_str::<FileChange>(item) else { return String::new() };
    if item.kind != "fileChange" || item.status.is_some_and(|status| status != "completed") {
        return String::new();
    }
    item.changes.iter().map(|change| of_change(change, cwd)).collect()
}

fn of_change(change: &Change, cwd: &Path) -> String {
    let name = relative(&change.path, cwd);
    let kind = change.kind["type"].as_str().or(change.kind.as_str()).unwrap_or("update");
    let moved = change.kind["move_path"].as_str().or(change.kind["movePath"].as_str());
    let new_name = moved.map_or_else(|| name.clone(), |path| relative(path, cwd));
    let mut diff = format!("diff --git a/{name} b/{new_name}\n");
    match kind {
        "add" => {
            let _infallible = writeln!(diff, "new file mode 100644\n--- /dev/null\n+++ b/{name}");
            whole(&mut diff, '+', &change.diff);
        }
        "delete" => {
            let _infallible = writeln!(diff, "deleted file mode 100644\n--- a/{name}\n+++ /dev/null");
            whole(&mut diff, '-', &change.diff);
        }
        _ => {
            let _infallible = writeln!(diff, "--- a/{name}\n+++ b/{new_name}");
            diff.push_str(&change.diff);
            if !diff.ends_with('\n') {
                diff.push('\n');
            }
        }
    }
    diff
}

/// A whole file as one hunk.
fn whole(diff: &mut String, sign: char, content: &str) {
    let lines = content.lines().count();
    let range = if lines == 1 { "1".to_owned() } else { format!("1,{lines}") };
    if lines > 0 {
        let _infallible = match sign {
            '+' => writeln!(diff, "@@ -0,0 +{range} @@"),
            _ => writeln!(diff, "@@ -{range} +0,0 @@"),
        };
    }
    for line in content.lines() {
        let _infallible = writeln!(diff, "{sign}{line}");
    }
    if lines > 0 && !content.ends_with('\n') {
        diff.push_str("\\ No newline at end of file\n");
    }
}

fn relative(path: &str, cwd: &Path) -> String {
    Path::new(path)
        .strip_prefix(cwd)
        .map_or(path.trim_start_matches('/').to_owned(), |inside| inside.display().to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn diff(status: &str, changes: &Value) -> String {
        let item = json!({"type": "fileChange", "id": "i", "status": status, "changes": changes});
        diff_of(&item.to_string(), Path::new("/w"))
    }

    #[test]
    fn new_changed_and_deleted_files_become_one_diff() {
        let changes = json!([
            {"path": "/w/new.txt", "kind": {"type": "add"}, "diff": "one\ntwo\n"},
            {"path": "/w/sub/old.txt", "kind": {"type": "update", "move_path": null}, "diff": "@@ -1 +1 @@\n-a\n+b"},
            {"path": "/w/gone.txt", "kind": {"type": "delete"}, "diff": "last"},
        ]);
        let wanted = "diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n\
            diff --git a/sub/old.txt b/sub/old.txt\n--- a/sub/old.txt\n+++ b/sub/old.txt\n@@ -1 +1 @@\n-a\n+b\n\
            diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-last\n\\ No newline at end of file\n";
        assert_eq!(diff("completed", &changes), wanted);
        assert_eq!(diff("declined", &changes), "", "what was not made is no change");
    }

    #[test]
    fn other_items_change_nothing() {
        assert_eq!(
            diff_of(r#"{"type":"agentMessage","id":"m","text":"\"fileChange\""}"#, Path::new("/")),
            ""
        );
        assert_eq!(diff_of("[]", Path::new("/")), "");
    }
}
