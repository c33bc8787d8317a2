//! JSON of Codex's that we pass on as it is.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON value, kept as its text, on one line: events are lines. Shared, so that a copy costs nothing.
#[derive(Clone)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = serde_json::Value, description = "Any JSON."))]
pub struct Json(Arc<RawValue>);

impl Json {
    /// The text as it is, if it is JSON.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text.to_owned()).map(Self::from)
    }

    /// The raw value.
    #[must_use]
    pub fn raw(&self) -> &RawValue {
        &self.0
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl From<&RawValue> for Json {
    fn from(raw: &RawValue) -> Self {
        raw.to_owned().into()
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        // A value is always JSON.
        RawValue::from_string(value.to_string()).unwrap_or_else(|_| RawValue::NULL.to_owned()).into()
    }
}

impl From<Box<RawValue>> for Json {
    fn from(raw: Box<RawValue>) -> Self {
        let broken_up = raw.get().bytes().any(|byte| byte == b'\n' || byte == b'\r');
        let joined = broken_up.then(|| RawValue::from_string(without_breaks(raw.get())).ok()).flatten();
        Self(joined.unwrap_or(raw).into())
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self::from)
    }
}

/// The same value on one line. In JSON a line break can only stand between tokens, never inside a string.
fn without_breaks(text: &str) -> String {
    text.chars().map(|letter| if matches!(letter, '\n' | '\r') { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_one_line_however_it_was_written() {
        let json = Json::parse("{\r\n  \"a\": \"x\\ny\"\n}").unwrap();
        assert_eq!(json.text(), r#"{    "a": "x\ny" }"#);
        let read: Json = serde_json::from_str("[\n1]").unwrap();
        assert_eq!(read.text(), "[ 1]");
    }
}
