//! Colours, where they are wanted.

use std::{borrow::Cow, env};

/// How to emphasise; not at all in a pipe, and not when the person has said so.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    colours: bool,
}

/// The codes that begin each emphasis.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Look {
    Dim,
    Bold,
    Good,
    Bad,
    Careful,
}

/// What ends each of them.
pub(crate) const END: &str = "\x1b[0m";

impl Look {
    fn begin(self) -> &'static str {
        match self {
            Self::Dim => "\x1b[2m",
            Self::Bold => "\x1b[1m",
            Self::Good => "\x1b[32m",
            Self::Bad => "\x1b[31m",
            Self::Careful => "\x1b[33m",
        }
    }
}

impl Style {
    /// No emphasis.
    pub(crate) const PLAIN: Self = Self { colours: false };

    /// What this terminal can show, and its person wants: `NO_COLOR` (no-color.org) says no.
    pub(crate) fn of_terminal() -> Self {
        let no = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { colours: !no && !is_dumb() }
    }

    #[cfg(test)]
    pub(crate) const COLOURS: Self = Self { colours: true };

    pub(crate) fn paint(self, look: Look, text: &str) -> Cow<'_, str> {
        if !self.colours || text.is_empty() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(format!("{}{text}{END}", look.begin()))
    }
}

/// A terminal that cannot move its cursor.
pub(crate) fn is_dumb() -> bool {
    env::var_os("TERM").is_none_or(|term| term == "dumb")
}
