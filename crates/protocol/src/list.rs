//! JSON arrays and maps of views: what has no view is skipped by `iter`, and still there raw.

use std::{
    borrow::Cow,
    fmt,
    iter::{Copied, FilterMap},
    marker::PhantomData,
    slice, vec,
};

use serde_json::value::RawValue;

use crate::{
    object::Object,
    view::{View, says_the_same},
};

/// A JSON array whose elements are read as `T` when asked for.
pub struct List<'a, T> {
    raw: &'a RawValue,
    elements: Vec<&'a RawValue>,
    kind: PhantomData<fn() -> T>,
}

impl<'a, T: View<'a>> List<'a, T> {
    /// The elements that can be read as `T`, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = T> + '_ {
        self.elements.iter().filter_map(|raw| T::view(raw))
    }

    /// The element at `index` (among all of them), if it can be read as `T`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        self.elements.get(index).and_then(|raw| T::view(raw))
    }
}

impl<'a, T> List<'a, T> {
    /// Every element as it stands in the text.
    #[must_use]
    pub fn raws(&self) -> &[&'a RawValue] {
        &self.elements
    }

    /// How many elements there are, with or without a view.
    #[must_use]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The array as it stands in the text.
    #[must_use]
    pub fn as_raw(&self) -> &'a RawValue {
        self.raw
    }
}

impl<'a, T> View<'a> for List<'a, T> {
    fn view(raw: &'a RawValue) -> Option<Self> {
        if !raw.get().starts_with('[') {
            return None;
        }
        let elements = serde_json::from_str(raw.get()).ok()?;
        Some(Self { raw, elements, kind: PhantomData })
    }
}

impl<T> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        Self { raw: self.raw, elements: self.elements.clone(), kind: PhantomData }
    }
}

/// Reads one element, or skips it.
type Read<'a, T> = fn(&'a RawValue) -> Option<T>;

/// The elements that can be read as `T`, in order. They live as long as the text, not only as long as the list.
impl<'a, T: View<'a>> IntoIterator for List<'a, T> {
    type Item = T;
    type IntoIter = FilterMap<vec::IntoIter<&'a RawValue>, Read<'a, T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter().filter_map(T::view)
    }
}

impl<'l, 'a, T: View<'a>> IntoIterator for &'l List<'a, T> {
    type Item = T;
    type IntoIter = FilterMap<Copied<slice::Iter<'l, &'a RawValue>>, Read<'a, T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter().copied().filter_map(T::view)
    }
}

/// Equal if they say the same, element by element, with or without a view.
impl<T> PartialEq for List<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        says_the_same(self.raw, other.raw)
    }
}

impl<T> Eq for List<'_, T> {}

impl<T> fmt::Debug for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.raw.get())
    }
}

/// A JSON object used as a map: any keys, values of one kind.
pub struct Map<'a, T> {
    object: Object<'a>,
    kind: PhantomData<fn() -> T>,
}

impl<'a, T: View<'a>> Map<'a, T> {
    /// The entries whose value can be read as `T`, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = (Cow<'a, str>, T)> + '_ {
        self.object.fields().filter_map(|(key, raw)| Some((key, T::view(raw)?)))
    }

    /// The value of `key`, if it can be read as `T`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<T> {
        self.object.get(key)
    }
}

impl<'a, T> Map<'a, T> {
    /// The map as a plain object: every entry, with or without a view.
    #[must_use]
    pub fn object(&self) -> &Object<'a> {
        &self.object
    }
}

impl<'a, T> View<'a> for Map<'a, T> {
    fn view(raw: &'a RawValue) -> Option<Self> {
        Object::view(raw).map(|object| Self { object, kind: PhantomData })
    }
}

impl<T> Clone for Map<'_, T> {
    fn clone(&self) -> Self {
        Self { object: self.object.clone(), kind: PhantomData }
    }
}

/// Equal if they say the same, entry by entry, with or without a view.
impl<T> PartialEq for Map<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.object == other.object
    }
}

impl<T> Eq for Map<'_, T> {}

impl<T> fmt::Debug for Map<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.object.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> &RawValue {
        serde_json::from_str(text).expect("a JSON value")
    }

    #[test]
    fn a_list_gives_what_can_be_read_and_keeps_the_rest_raw() {
        let list = List::<i64>::view(raw(r#"[1, "two", null, 4]"#)).expect("a list");
        assert_eq!(list.iter().collect::<Vec<_>>(), [1, 4]);
        assert_eq!(list.len(), 4);
        assert_eq!(list.raws()[1].get(), r#""two""#);
        assert_eq!((list.get(3), list.get(1)), (Some(4), None));
        assert!(List::<i64>::view(raw("{}")).is_none());
    }

    #[test]
    fn elements_outlive_their_list() {
        let texts: Vec<Cow<'_, str>> = {
            let object = Object::view(raw(r#"{"texts":["a",1,"b"]}"#)).expect("an object");
            object.get::<List<'_, Cow<'_, str>>>("texts").into_iter().flatten().collect()
        };
        assert_eq!(texts, ["a", "b"]);
        let list = List::<i64>::view(raw("[1,2]")).expect("a list");
        let mut seen = Vec::new();
        for number in &list {
            seen.push(number);
        }
        assert_eq!((seen.as_slice(), list.len()), ([1, 2].as_slice(), 2));
    }

    #[test]
    fn a_map_gives_what_can_be_read_and_keeps_the_rest_raw() {
        let map = Map::<bool>::view(raw(r#"{"a":true,"b":1}"#)).expect("a map");
        assert_eq!(map.iter().collect::<Vec<_>>(), [(Cow::Borrowed("a"), true)]);
        assert_eq!(map.get("a"), Some(true));
        assert_eq!(map.object().len(), 2);
    }
}
