//! The dialects by name, for whoever tells a session in any of them.

use std::{fmt, str::FromStr};

use selvedge_session::Event;
use serde::Serialize;

use crate::{caic, companion, number::Numbered, yaar};

/// A language that a session can be told in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The Companion's browser protocol.
    Companion,
    /// YAAR's `StreamMessage`, as at its head.
    Yaar,
    /// The same as in its first guide.
    YaarSeed,
    /// caic's messages, as at its head.
    Caic,
    /// The same as in its first specification.
    CaicSeed,
}

impl Dialect {
    /// Each, under the name it is asked for by.
    pub const ALL: [(&'static str, Self); 5] = [
        ("companion", Self::Companion),
        ("yaar", Self::Yaar),
        ("yaar-seed", Self::YaarSeed),
        ("caic", Self::Caic),
        ("caic-seed", Self::CaicSeed),
    ];
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, dialect)| dialect).ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}

/// A language that nobody here speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownDialect(pub String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = Dialect::ALL.iter().map(|(name, _)| format!("`{name}`")).collect();
        write!(f, "there is no dialect {:?}; there are {}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownDialect {}

/// A message in some dialect, written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// Its number.
    pub number: u64,
    /// What kind of message it is.
    pub name: String,
    /// The message as JSON, on one line.
    pub text: String,
}

impl Spoken {
    /// The same with its number as a field, if it is an object; else inside of one.
    #[must_use]
    pub fn numbered(&self) -> String {
        let Self { number, text, .. } = self;
        match text.strip_prefix('{') {
            Some("}") => format!("{{\"seq\":{number}}}"),
            Some(rest) => format!("{{\"seq\":{number},{rest}"),
            None => format!("{{\"seq\":{number},\"message\":{text}}}"),
        }
    }
}

/// Speaks any of the dialects.
#[derive(Debug, Clone)]
pub enum Speaker {
    /// The Companion's.
    Companion(Box<companion::Speaker>),
    /// YAAR's.
    Yaar(Box<yaar::Speaker>),
    /// caic's.
    Caic(Box<caic::Speaker>),
}

impl Speaker {
    /// One that has heard nothing yet.
    #[must_use]
    pub fn of(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Companion => Self::Companion(Box::default()),
            Dialect::Yaar => Self::Yaar(Box::default()),
            Dialect::YaarSeed => Self::Yaar(Box::new(yaar::Speaker::telling(yaar::Telling::Seed))),
            Dialect::Caic => Self::Caic(Box::default()),
            Dialect::CaicSeed => Self::Caic(Box::new(caic::Speaker::of(caic::Generation::A))),
        }
    }

    /// Hears an event, and says what is told of it.
    pub fn hear(&mut self, event: &Event) -> Vec<Spoken> {
        match self {
            Self::Companion(speaker) => written(speaker.hear(event), |message| message.name().to_owned()),
            Self::Yaar(speaker) => written(speaker.hear(event), |message| message.kind.to_owned()),
            Self::Caic(speaker) => written(speaker.hear(event), |message| message.kind.to_string()),
        }
    }
}

fn written<M: Serialize>(said: Vec<Numbered<M>>, name: impl Fn(&M) -> String) -> Vec<Spoken> {
    let spoken = said.into_iter().map(|Numbered { seq, message }| Spoken {
        number: seq,
        name: name(&message),
        // What is said is made of strings and numbers: it can be written.
        text: serde_json::to_string(&message).unwrap_or_default(),
    });
    spoken.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dialect_is_found_by_its_name_and_others_are_told_which_there_are() {
        for (name, dialect) in Dialect::ALL {
            assert_eq!(name.parse(), Ok(dialect));
        }
        let error = "klingon".parse::<Dialect>().unwrap_err().to_string();
        assert!(error.contains("`companion`") && error.contains("`caic-seed`"), "{error}");
    }

    #[test]
    fn a_number_is_a_field_of_whatever_is_said() {
        let spoken = |text: &str| Spoken { number: 7, name: String::new(), text: text.to_owned() }.numbered();
        assert_eq!(spoken(r#"{"type":"x"}"#), r#"{"seq":7,"type":"x"}"#);
        assert_eq!(spoken("{}"), r#"{"seq":7}"#);
        assert_eq!(spoken("[1]"), r#"{"seq":7,"message":[1]}"#);
    }
}
