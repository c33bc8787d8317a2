//! Reading one JSON value as something: `None` when it is something else, never an error.

use std::borrow::Cow;

use serde_json::{Value, value::RawValue};

use crate::frame::RequestId;

/// A reading of a raw JSON value. It borrows, and fails quietly: the raw text is still there.
pub trait View<'a>: Sized {
    /// Reads `raw`, or `None` if it is not of this kind.
    fn view(raw: &'a RawValue) -> Option<Self>;
}

impl<'a> View<'a> for &'a RawValue {
    #[inline]
    fn view(raw: &'a RawValue) -> Option<Self> {
        Some(raw)
    }
}

impl<'a> View<'a> for Cow<'a, str> {
    #[inline]
    fn view(raw: &'a RawValue) -> Option<Self> {
        let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
        if !inner.as_bytes().contains(&b'\\') {
            return Some(Cow::Borrowed(inner));
        }
        // Only here can it fail: a raw value may hold half of a surrogate pair, which is no text.
        serde_json::from_str(raw.get()).ok().map(Cow::Owned)
    }
}

impl<'a> View<'a> for bool {
    #[inline]
    fn view(raw: &'a RawValue) -> Option<Self> {
        match raw.get() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }
}

impl<'a> View<'a> for i64 {
    #[inline]
    fn view(raw: &'a RawValue) -> Option<Self> {
        raw.get().parse().ok()
    }
}

impl<'a> View<'a> for u64 {
    #[inline]
    fn view(raw: &'a RawValue) -> Option<Self> {
        raw.get().parse().ok()
    }
}

impl<'a> View<'a> for f64 {
    #[inline]
    fn view(raw: &'a RawValue) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }
}

impl<'a> View<'a> for RequestId<'a> {
    #[inline]
    fn view(raw: &'a RawValue) -> Option<Self> {
        match Cow::view(raw) {
            Some(text) => Some(Self::Text(text)),
            None => i64::view(raw).map(Self::Int),
        }
    }
}

/// `null` in a list or a map is a value of its own; of a field it is the same as no field.
impl<'a, T: View<'a>> View<'a> for Option<T> {
    #[inline]
    fn view(raw: &'a RawValue) -> Option<Self> {
        if raw.get() == "null" { Some(None) } else { T::view(raw).map(Some) }
    }
}

/// Whether two raw values say the same, however they are written. What no parser takes (deep nesting) is compared as text.
pub(crate) fn says_the_same(one: &RawValue, other: &RawValue) -> bool {
    let value = |raw: &RawValue| serde_json::from_str::<Value>(raw.get()).ok();
    one.get() == other.get() || value(one).is_some_and(|one| value(other) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> &RawValue {
        serde_json::from_str(text).expect("a JSON value")
    }

    #[test]
    fn a_value_is_read_as_what_it_is_and_as_nothing_else() {
        assert_eq!(Cow::view(raw(r#""plain""#)).as_deref(), Some("plain"));
        assert_eq!(Cow::view(raw(r#""a\"\u00e9\n""#)).as_deref(), Some("a\"é\n"));
        assert_eq!(Cow::view(raw(r#""\ud800""#)), None, "half a surrogate pair is no text");
        assert_eq!(Cow::view(raw("1")), None);
        assert_eq!(bool::view(raw("true")), Some(true));
        assert_eq!(bool::view(raw("1")), None);
        assert_eq!(i64::view(raw("-7")), Some(-7));
        assert_eq!(i64::view(raw("7.5")), None);
        assert_eq!(u64::view(raw("18446744073709551615")), Some(u64::MAX));
        assert_eq!(u64::view(raw("-1")), None);
        assert_eq!(f64::view(raw("1e3")), Some(1000.0));
        assert_eq!(f64::view(raw(r#""1""#)), None);
        assert_eq!(RequestId::view(raw("0")), Some(RequestId::Int(0)));
        assert_eq!(RequestId::view(raw(r#""a""#)), Some(RequestId::Text("a".into())));
        assert_eq!(RequestId::view(raw("{}")), None);
        assert_eq!(Option::<bool>::view(raw("null")), Some(None));
    }

    #[test]
    fn the_same_value_may_be_written_in_two_ways() {
        let same = |one, other| says_the_same(raw(one), raw(other));
        assert!(same(r#"{"a": 1, "b": "\u00e9"}"#, r#"{"b":"é","a":1}"#));
        assert!(!same("1", r#""1""#));
        assert!(!same(r#"{"a":1}"#, r#"{"a":1,"b":null}"#));
        let deep = [&*"[".repeat(1000), &*"]".repeat(1000)].concat();
        assert!(same(&deep, &deep) && !same(&deep, "[]"));
    }

    #[test]
    fn text_without_escapes_is_not_copied() {
        assert!(matches!(Cow::view(raw(r#""plain""#)), Some(Cow::Borrowed("plain"))));
    }
}
