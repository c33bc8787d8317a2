//! The language of faults that the stand-ins share: words with commas, each a name or `name=value`.

/// A fault nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown fault `{word}`\n  hint: known are {known}")]
pub struct BadFault {
    /// The word as written.
    pub word: String,
    /// What could have been written.
    pub known: &'static str,
}

/// One word of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    /// As written, for an error.
    pub(crate) whole: &'a str,
    pub(crate) name: &'a str,
    pub(crate) value: Option<&'a str>,
}

/// The words of a list; empty ones are none.
pub(crate) fn words(spec: &str) -> impl Iterator<Item = Word<'_>> {
    spec.split(',').map(str::trim).filter(|word| !word.is_empty()).map(|whole| match whole.split_once('=') {
        None => Word { whole, name: whole, value: None },
        Some((name, value)) => Word { whole, name: name.trim(), value: Some(value.trim()) },
    })
}

impl Word<'_> {
    pub(crate) fn unknown(&self, known: &'static str) -> BadFault {
        BadFault { word: self.whole.to_owned(), known }
    }
}
