//! JSON in one line with a space after each comma and colon: as it is shown in prompts, and as fingerprints are taken of it.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// For people and models: every character as it is.
pub(crate) fn spaced(value: &impl Serialize) -> serde_json::Result<String> {
    written(value, Spaced { ascii: false })
}

/// For hashes: characters beyond ASCII escaped, as WINK has them.
pub(crate) fn spaced_ascii(value: &impl Serialize) -> serde_json::Result<String> {
    written(value, Spaced { ascii: true })
}

fn written(value: &impl Serialize, form: Spaced) -> serde_json::Result<String> {
    let mut out = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut out, form))?;
    String::from_utf8(out).map_err(serde::ser::Error::custom)
}

struct Spaced {
    ascii: bool,
}

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if !self.ascii {
            return out.write_all(fragment.as_bytes());
        }
        for character in fragment.chars() {
            if character.is_ascii() {
                write!(out, "{character}")?;
            } else {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn commas_and_colons_are_followed_by_a_space() {
        let value = json!({"a": [1, {"b": null}], "c": "ä, 🧵: \"x\""});
        assert_eq!(spaced(&value).unwrap(), r#"{"a": [1, {"b": null}], "c": "ä, 🧵: \"x\""}"#);
        assert_eq!(spaced_ascii(&json!("ä🧵")).unwrap(), r#""\u00e4\ud83e\uddf5""#);
    }
}
