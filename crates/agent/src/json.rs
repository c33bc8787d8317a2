//! JSON in one line: with a space after each comma and colon, as it is shown in prompts, and in the forms that hashes are taken of.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// For people and models: every character as it is.
pub(crate) fn spaced(value: &impl Serialize) -> serde_json::Result<String> {
    written(value, Form { ascii: false, spaced: true })
}

/// For hashes: characters beyond ASCII escaped, as WINK has them.
pub(crate) fn spaced_ascii(value: &impl Serialize) -> serde_json::Result<String> {
    written(value, Form { ascii: true, spaced: true })
}

/// The same without spaces.
pub(crate) fn compact_ascii(value: &impl Serialize) -> serde_json::Result<String> {
    written(value, Form { ascii: true, spaced: false })
}

fn written(value: &impl Serialize, form: Form) -> serde_json::Result<String> {
    let mut out = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut out, form))?;
    String::from_utf8(out).map_err(serde::ser::Error::custom)
}

struct Form {
    ascii: bool,
    spaced: bool,
}

impl Form {
    fn separate<W: ?Sized + io::Write>(&self, out: &mut W, sign: &[u8]) -> io::Result<()> {
        out.write_all(sign)?;
        if self.spaced { out.write_all(b" ") } else { Ok(()) }
    }
}

impl Formatter for Form {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { self.separate(out, b",") }
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { self.separate(out, b",") }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.separate(out, b":")
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
        assert_eq!(compact_ascii(&json!({"a": [1, "ä"]})).unwrap(), r#"{"a":[1,"\u00e4"]}"#);
    }
}
