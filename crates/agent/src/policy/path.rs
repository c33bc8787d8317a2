//! Which file a call is about.

use serde_json::Value;

/// The path that the arguments name, as they do.
pub(super) fn named(arguments: &Value) -> Option<&str> {
    let field = |name: &str| arguments.get(name).and_then(Value::as_str);
    field("path").or_else(|| field("file_path"))
}

/// The same path relative to where the tools work: without the mount point, and without detours, so that one file has one name.
pub(super) fn relative(path: &str, mount_point: Option<&str>) -> String {
    let path = straight(path);
    let mount = mount_point.map(straight).unwrap_or_default();
    match path.strip_prefix(mount.as_slice()) {
        Some(inner) => inner.join("/"),
        None => path.join("/"),
    }
}

/// The parts of a path, `.` and `..` worked out as far as they can be without looking.
fn straight(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_path_is_in_one_of_two_fields() {
        assert_eq!(named(&json!({"path": "a"})), Some("a"));
        assert_eq!(named(&json!({"file_path": "b"})), Some("b"));
        for without in [json!({"name": "a"}), json!({"path": 1}), json!(null)] {
            assert_eq!(named(&without), None);
        }
    }

    #[test]
    fn slashes_and_the_mount_point_are_left_out() {
        let cases = [
            ("/a/b", None, "a/b"),
            ("///a", None, "a"),
            ("a/b", None, "a/b"),
            ("/workspace/a", None, "workspace/a"),
            ("/workspace/a", Some("/workspace"), "a"),
            ("/workspace/a/b", Some("/workspace"), "a/b"),
            ("workspace/a", Some("workspace/"), "a"),
            ("/workspace", Some("/workspace"), ""),
            ("/workspaces/a", Some("/workspace"), "workspaces/a"),
            ("/other/a", Some("/workspace"), "other/a"),
            ("./a", None, "a"),
            ("b/../a", None, "a"),
            ("../a", None, "../a"),
            ("/workspace/b/../a", Some("/workspace"), "a"),
        ];
        for (path, mount, expected) in cases {
            assert_eq!(relative(path, mount), expected, "{path} {mount:?}");
        }
    }
}
