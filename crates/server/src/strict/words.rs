//! serde's words about what is wrong, without what was sent: a value that stands in the wrong place may be a secret.

/// What is wrong with a body. Only words that are known to hold no value of it are let through; names of fields may be said.
pub(super) fn of_body(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let (words, place) =
        said.strip_suffix(&place).map_or((said.as_str(), ""), |words| (words, place.as_str()));
    // A body that is no JSON is told by its place alone: no value was read.
    let words = if error.is_data() { without_value(words) } else { Some(words.to_owned()) };
    words.unwrap_or_else(|| "it cannot be read".to_owned()) + place
}

/// What is wrong with a parameter.
pub(super) fn of_query(words: &str) -> String {
    // What a number or a truth lacks is said without it.
    without_value(words).unwrap_or_else(|| words.to_owned())
}

/// The same without the value that was found; nothing, if it cannot be told where that stands.
fn without_value(words: &str) -> Option<String> {
    if ["missing field `", "duplicate field `", "unknown field `"].iter().any(|it| words.starts_with(it)) {
        return Some(words.to_owned());
    }
    if words.starts_with("data did not match any variant") {
        return Some("it has none of the forms that it may have".to_owned());
    }
    if words.starts_with("UUID parsing failed") {
        return Some("it is no id: a UUID is expected".to_owned());
    }
    // What was found may have these words in it too: what is expected stands behind the last of them.
    let (found, expected) = words.rsplit_once(", expected ")?;
    if found.starts_with("unknown variant `") {
        return Some(format!("unknown variant, expected {expected}"));
    }
    if found.starts_with("invalid length ") {
        return Some(words.to_owned());
    }
    let (wrong, found) =
        found.split_once(": ").filter(|(wrong, _)| matches!(*wrong, "invalid type" | "invalid value"))?;
    let kind = found.split(['`', '"']).next().unwrap_or_default().trim_end();
    Some(format!("{wrong}: {kind}, expected {expected}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::{Deserialize, de::DeserializeOwned};
    use uuid::Uuid;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Word {
        Yes,
        No,
    }

    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "it is never read: that is the case")]
    enum Either {
        Word(Word),
        Number(u64),
    }

    fn wrong<T: DeserializeOwned + std::fmt::Debug>(body: &str) -> String {
        of_body(&serde_json::from_str::<T>(body).unwrap_err())
    }

    #[test]
    fn what_is_expected_is_said_and_what_was_found_is_not() {
        type Texts = BTreeMap<String, String>;
        let cases = [
            (wrong::<Texts>(r#""sk-1""#), "invalid type: string, expected a map at line 1 column 6"),
            (wrong::<Texts>(r#"{"a":123}"#), "invalid type: integer, expected a string at line 1 column 8"),
            (
                wrong::<Texts>(r#"{"a":1.5}"#),
                "invalid type: floating point, expected a string at line 1 column 8",
            ),
            (wrong::<Texts>(r#"{"a":true}"#), "invalid type: boolean, expected a string at line 1 column 9"),
            (wrong::<Texts>(r#"{"a":null}"#), "invalid type: null, expected a string at line 1 column 9"),
            (
                wrong::<Texts>(r#"{"a":["sk-1"]}"#),
                "invalid type: sequence, expected a string at line 1 column 5",
            ),
            (wrong::<u8>("-1234"), "invalid value: integer, expected u8 at line 1 column 5"),
            (wrong::<Word>(r#""sk-1""#), "unknown variant, expected `yes` or `no` at line 1 column 6"),
            (wrong::<Either>(r#""sk-1""#), "it has none of the forms that it may have"),
            (wrong::<Uuid>(r#""sk-1""#), "it is no id: a UUID is expected at line 1 column 6"),
            (
                wrong::<Texts>(r#""sk-1\", expected sk-2""#),
                "invalid type: string, expected a map at line 1 column 23",
            ),
            (
                wrong::<Word>(r#""sk-1`, expected sk-2 at line 3 column 4""#),
                "unknown variant, expected `yes` or `no` at line 1 column 41",
            ),
        ];
        for (said, expected) in cases {
            assert_eq!(said, expected);
        }
    }

    #[test]
    fn a_parameter_is_not_repeated_either() {
        assert_eq!(of_query("unknown variant `sk-1`, expected `yes`"), "unknown variant, expected `yes`");
        assert_eq!(of_query("invalid digit found in string"), "invalid digit found in string");
    }
}
