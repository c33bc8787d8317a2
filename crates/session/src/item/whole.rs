//! Where a whole item has what came in pieces.

use serde::Deserialize;
use serde_json::value::RawValue;

/// What can come in pieces, of an item that is over; still raw, and the rest is passed over.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Whole<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    aggregated_output: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow)]
    changes: Option<&'a RawValue>,
}

impl Whole<'_> {
    /// Whether it has what came as pieces of this kind, by the kind's name.
    #[must_use]
    pub fn holds(&self, kind: &str) -> bool {
        let (field, opening) = match kind {
            "text" | "plan" => (self.text, "\""),
            "output" => (self.aggregated_output, "\""),
            "reasoning" => (self.content, "[\""),
            "reasoning_summary" => (self.summary, "[\""),
            "patch" => (self.changes, "[{"),
            _ => return false,
        };
        field.is_some_and(|field| field.get().starts_with(opening) && field.get() != "\"\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_piece_has_its_own_place() {
        let all = ["text", "plan", "output", "reasoning", "reasoning_summary", "patch", "later"];
        for (item, held) in [
            (r#"{"type":"agentMessage","text":"x"}"#, &["text", "plan"][..]),
            (r#"{"command":"x","aggregatedOutput":"x"}"#, &["output"]),
            (r#"{"content":["x"],"summary":[]}"#, &["reasoning"]),
            (r#"{"content":[],"summary":["x"]}"#, &["reasoning_summary"]),
            (r#"{"changes":[{"path":"x"}]}"#, &["patch"]),
            (
                r#"{"text":"","aggregatedOutput":null,"content":[],"summary":[],"changes":[],"later":"x"}"#,
                &[],
            ),
        ] {
            let whole: Whole<'_> = serde_json::from_str(item).unwrap();
            let found: Vec<_> = all.into_iter().filter(|kind| whole.holds(kind)).collect();
            assert_eq!(found, held, "{item}");
        }
    }
}
