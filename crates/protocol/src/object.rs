//! One JSON object, split into its fields in one pass; each field stays raw until somebody asks for it.

use std::{borrow::Cow, fmt};

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::view::{View, says_the_same};

/// A JSON object whose fields are still raw, in the order of the text.
#[derive(Clone)]
pub struct Object<'a> {
    raw: &'a RawValue,
    /// Keys are kept raw too: decoding them could fail, and hardly any is ever escaped.
    fields: Vec<(&'a RawValue, &'a RawValue)>,
}

/// Most messages have fewer fields than this, so that splitting one costs a single allocation.
const USUAL_FIELDS: usize = 8;

impl<'a> Object<'a> {
    /// The field `key` read as `T`: `None` if it is missing, null, or something else. Of a repeated key the last counts.
    #[inline]
    pub fn get<T: View<'a>>(&self, key: &str) -> Option<T> {
        let raw = self.raw(key)?;
        if raw.get() == "null" { None } else { T::view(raw) }
    }

    /// The field `key` as it stands in the text, also if it is null.
    #[inline]
    #[must_use]
    pub fn raw(&self, key: &str) -> Option<&'a RawValue> {
        self.fields.iter().rev().find(|(name, _)| is_key(name, key)).map(|(_, value)| *value)
    }

    /// Every field, known or not, in the order of the text. A key that is no text (half a surrogate pair) is given raw.
    pub fn fields(&self) -> impl Iterator<Item = (Cow<'a, str>, &'a RawValue)> + '_ {
        self.fields.iter().map(|(key, value)| (Cow::view(key).unwrap_or(Cow::Borrowed(key.get())), *value))
    }

    /// How many fields there are, repeated ones counted each time.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether there is no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The object as it stands in the text.
    #[inline]
    #[must_use]
    pub fn as_raw(&self) -> &'a RawValue {
        self.raw
    }
}

impl<'a> View<'a> for Object<'a> {
    fn view(raw: &'a RawValue) -> Option<Self> {
        if !raw.get().starts_with('{') {
            return None;
        }
        let fields = serde_json::Deserializer::from_str(raw.get()).deserialize_map(Split).ok()?;
        Some(Self { raw, fields })
    }
}

/// Equal if they say the same, however they are written.
impl PartialEq for Object<'_> {
    fn eq(&self, other: &Self) -> bool {
        says_the_same(self.raw, other.raw)
    }
}

impl Eq for Object<'_> {}

impl fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.raw.get())
    }
}

/// Whether the raw key `name` (a JSON string) says `key`.
#[inline]
fn is_key(name: &RawValue, key: &str) -> bool {
    let quoted = name.get().as_bytes();
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    inner == key.as_bytes() || (inner.contains(&b'\\') && Cow::view(name).as_deref() == Some(key))
}

struct Split;

impl<'de> Visitor<'de> for Split {
    type Value = Vec<(&'de RawValue, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::with_capacity(USUAL_FIELDS);
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> Object<'_> {
        Object::view(serde_json::from_str(text).expect("a JSON value")).expect("an object")
    }

    #[test]
    fn a_field_that_is_missing_null_or_re_typed_is_none_and_stays_raw() {
        let it = object(r#"{"a": "x", "b": null, "c": 1}"#);
        assert_eq!(it.get::<Cow<'_, str>>("a").as_deref(), Some("x"));
        assert_eq!(it.get::<Cow<'_, str>>("b"), None);
        assert_eq!(it.get::<Cow<'_, str>>("c"), None);
        assert_eq!(it.get::<Cow<'_, str>>("d"), None);
        assert_eq!(it.raw("b").map(RawValue::get), Some("null"));
        assert_eq!(it.raw("c").map(RawValue::get), Some("1"));
        assert_eq!(it.as_raw().get(), r#"{"a": "x", "b": null, "c": 1}"#);
    }

    #[test]
    fn of_a_repeated_key_the_last_counts_and_both_are_listed() {
        let it = object(r#"{"id":"first","id":"last"}"#);
        assert_eq!(it.get::<Cow<'_, str>>("id").as_deref(), Some("last"));
        assert_eq!(it.fields().count(), 2);
    }

    #[test]
    fn an_escaped_key_is_the_key_it_spells() {
        let it = object(r#"{"thread\u0049d":"t","\ud800":1,"a\\b":2}"#);
        assert_eq!(it.get::<Cow<'_, str>>("threadId").as_deref(), Some("t"));
        assert_eq!(it.get::<i64>(r"a\b"), Some(2));
        let keys: Vec<_> = it.fields().map(|(key, _)| key.into_owned()).collect();
        assert_eq!(keys, ["threadId", r#""\ud800""#, r"a\b"]);
    }

    #[test]
    fn what_is_not_an_object_has_no_view() {
        for text in ["[]", "1", "null", r#""{}""#] {
            assert!(Object::view(serde_json::from_str(text).expect("a JSON value")).is_none(), "{text}");
        }
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = format!(r#"{{"a":{}{},"id":"x"}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(object(&deep).get::<Cow<'_, str>>("id").as_deref(), Some("x"));
    }
}
