//! One difference between what two Codexes can say.

use super::surface::Kind;

/// What differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    /// A method.
    Method(Kind, String),
    /// The whole form of a type.
    Form(String),
    /// A field of a type.
    Field(String, String),
    /// A value of an enum, or a kind of a union: an item type, for example.
    Value(String, String),
}

/// How it is, on one side.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    /// In words.
    pub(super) text: String,
    /// Of a field: whether it has to be there.
    pub(super) required: bool,
}

/// How something was, and how it is. Without the one it was added, without the other removed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Difference {
    pub(super) subject: Subject,
    pub(super) was: Option<Form>,
    pub(super) is: Option<Form>,
}

impl Form {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), required: false }
    }
}

impl Difference {
    /// `+` for added, `-` for removed, `~` for changed.
    pub(super) fn sign(&self) -> char {
        match (&self.was, &self.is) {
            (None, _) => '+',
            (_, None) => '-',
            _ => '~',
        }
    }
}
