//! What goes over the wire and nowhere else.

use std::fmt;

use serde::Serialize;

/// A key or token to be sent, or anything that may hold one. It is written as what it is, and never printed.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Secret<T = String>(T);

impl<T> Secret<T> {
    /// The secret itself, for whoever has to redact it elsewhere.
    #[must_use]
    pub fn reveal(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Secret<T> {
    fn from(inner: T) -> Self {
        Self(inner)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}
