//! The type of an event, found in its text without reading the rest of it.

use std::borrow::Cow;

use memchr::{memchr, memmem};
use serde::Deserialize;

/// How the type begins, as [`selvedge_session::Event`] is written.
const KEY: &[u8] = b",\"type\":\"";

/// The type of an event; empty if the text is none.
pub(crate) fn of(text: &[u8]) -> Cow<'_, str> {
    match at_its_place(text) {
        Some((_, name)) => Cow::Borrowed(name),
        None => Cow::Owned(read(text)),
    }
}

/// Where its key begins, and the type. Before the type stand numbers and strings alone. Inside a string every quote has a backslash before it, so a comma and
/// a quote are never part of one: the first key of that name is the event's own. Where an object begins before it,
/// somebody else wrote the text, and it is read.
pub(super) fn at_its_place(text: &[u8]) -> Option<(usize, &str)> {
    let at = memmem::find(text, KEY)?;
    if memchr(b'{', text.get(1..at)?).is_some() {
        return None;
    }
    let name = text.get(at + KEY.len()..)?;
    let name = name.get(..memchr(b'"', name)?)?;
    let plain = name.iter().all(|letter| letter.is_ascii_graphic() && *letter != b'\\');
    let name = std::str::from_utf8(name).ok().filter(|name| plain && !name.is_empty())?;
    Some((at, name))
}

fn read(text: &[u8]) -> String {
    #[derive(Deserialize)]
    struct Typed {
        #[serde(rename = "type")]
        name: String,
    }
    serde_json::from_slice(text).map(|Typed { name }| name).unwrap_or_default()
}

#[cfg(test)]
mod tests;
