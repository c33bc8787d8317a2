//! What stands before an event's data, found in its text without reading the rest of it.

use memchr::{memchr, memmem};

use super::name;

/// Where an event belongs and what it says, as it is written. In another order it has none, and is left as it is.
pub(super) struct Head<'a> {
    /// When, without its quotes.
    pub(super) at: &'a [u8],
    /// Its thread, turn and item as they are written: two events of one item have the same. Empty if it is of no item.
    pub(super) item: &'a [u8],
    /// Its type.
    pub(super) name: &'a str,
    /// Its `data`.
    pub(super) data: &'a [u8],
}

/// Before the type every quote inside of a string has a backslash before it, so no key is found in one.
pub(super) fn of(text: &[u8]) -> Option<Head<'_>> {
    let (place, name) = name::at_its_place(text)?;
    let before = text.get(..place)?;
    let at = after(before, b",\"at\":\"")?;
    let length = memchr(b'"', at)?;
    let (at, ids) = (at.get(..length)?, at.get(length + 1..)?);
    let item = if memmem::find(ids, b",\"item_id\":\"").is_some() { ids } else { &[] };
    let data =
        after(text.get(place..)?, name.as_bytes())?.strip_prefix(b"\",\"data\":")?.strip_suffix(b"}")?;
    Some(Head { at, item, name, data })
}

/// What follows the first place of these letters.
fn after<'a>(text: &'a [u8], letters: &[u8]) -> Option<&'a [u8]> {
    text.get(memmem::find(text, letters)? + letters.len()..)
}

/// A piece of an item: its kind, and its words as they are written, without their quotes.
pub(super) fn piece(data: &[u8]) -> Option<(&str, &[u8])> {
    let rest = data.strip_prefix(b"{\"kind\":\"")?;
    let (kind, rest) = rest.split_at_checked(memchr(b'"', rest)?)?;
    Some((str::from_utf8(kind).ok()?, rest.strip_prefix(b"\",\"delta\":\"")?.strip_suffix(b"\"}")?))
}
