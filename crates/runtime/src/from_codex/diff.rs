//! Counts the lines of a unified diff, file by file: what an event carries instead of the diff.

use selvedge_session::data::FileDiff;

/// Lines added and removed in each file.
pub(super) fn count(diff: &str) -> Vec<FileDiff> {
    let mut files: Vec<FileDiff> = Vec::new();
    let mut in_hunk = false;
    for line in diff.lines() {
        if let Some(header) = line.strip_prefix("diff --git ") {
            files.push(FileDiff { path: path_of(header), added: 0, removed: 0 });
            in_hunk = false;
        } else if line.starts_with("@@") {
            in_hunk = true;
        } else if let Some(file) = files.last_mut().filter(|_| in_hunk) {
            file.added += u64::from(line.starts_with('+'));
            file.removed += u64::from(line.starts_with('-'));
        }
    }
    files
}

/// `a/x b/x` names the same file twice; of a renamed one the new name counts.
fn path_of(header: &str) -> String {
    header.rsplit_once(" b/").map_or(header, |(_, path)| path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_by_file_and_headers_are_not_lines() {
        let diff = "diff --git a/one b/one\n--- a/one\n+++ b/one\n@@ -1,2 +1,2 @@\n-old\n+new\n+--- more\n same\n\
                    diff --git a/two words b/two words\nnew file mode 100644\n--- /dev/null\n+++ b/two words\n@@ -0,0 +1 @@\n+x\n";
        let counted: Vec<_> =
            count(diff).into_iter().map(|file| (file.path, file.added, file.removed)).collect();
        assert_eq!(counted, [("one".to_owned(), 2, 1), ("two words".to_owned(), 1, 0)]);
        assert_eq!(count(""), []);
    }
}
