//! caic's `caic_diff_stat` line, from what `git diff --numstat` says.

use serde_json::json;

/// The line, with its newline.
pub(super) fn line(numstat: &[u8], at: f64) -> Vec<u8> {
    let files: Vec<String> = String::from_utf8_lossy(numstat).lines().filter_map(file).collect();
    format!("{{\"type\":\"caic_diff_stat\",\"diff_stat\":[{}],\"ts\":{at}}}\n", files.join(",")).into_bytes()
}

/// `added<TAB>deleted<TAB>path`; of a binary file both are `-`.
fn file(line: &str) -> Option<String> {
    let mut parts = line.trim().splitn(3, '\t');
    let (added, deleted, path) = (parts.next()?, parts.next()?, json!(parts.next()?));
    let number = |word: &str| word.parse::<u64>().unwrap_or_default();
    let binary = if (added, deleted) == ("-", "-") { ",\"binary\":true" } else { "" };
    let (added, deleted) = (number(added), number(deleted));
    Some(format!("{{\"path\":{path},\"added\":{added},\"deleted\":{deleted}{binary}}}"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::line;

    /// The cases of caic's own test.
    #[test]
    fn numstat_is_read_as_caic_reads_it() {
        let cases = [
            ("", json!([])),
            ("  \n  \n", json!([])),
            (
                "10\t5\tmain.go\n-\t-\timage.png\n0\t3\ta b/ü\t\"x\".go\n",
                json!([
                    {"path": "main.go", "added": 10, "deleted": 5},
                    {"path": "image.png", "added": 0, "deleted": 0, "binary": true},
                    {"path": "a b/ü\t\"x\".go", "added": 0, "deleted": 3},
                ]),
            ),
            ("nonsense\n1\t2\n x\t-\tf\n", json!([{"path": "f", "added": 0, "deleted": 0}])),
        ];
        for (numstat, expected) in cases {
            let line = line(numstat.as_bytes(), 1_700_000_000.5);
            assert!(line.ends_with(b"\n") && line.starts_with(b"{\"type\":\"caic_diff_stat\","));
            let said: Value = serde_json::from_slice(&line).unwrap();
            assert_eq!(said, json!({"type": "caic_diff_stat", "diff_stat": expected, "ts": 1_700_000_000.5}));
        }
    }
}
