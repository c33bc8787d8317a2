//! What a record is: the events and facts of one step of one session.

use std::{fmt, sync::Arc};

use bytes::Bytes;

pub(crate) mod blob;

/// The name of a session; what it is made of is the caller's.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(Arc<str>);

impl SessionId {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for SessionId {
    fn from(name: &str) -> Self {
        Self(name.into())
    }
}

impl From<String> for SessionId {
    fn from(name: String) -> Self {
        Self(name.into())
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl fmt::Debug for SessionId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// What readers get: a number, and the finished text, serialised once by the session's owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Counts from 1 per session, without gaps.
    pub seq: u64,
    /// The text, as a reader will get it.
    pub body: Bytes,
}

/// What a fact is about; the numbers are the caller's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(u8);

impl Kind {
    /// A kind by its number; there can be 63.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 63 { Some(Self(number)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The first of the kinds that are marks: a feed of a mark reads nothing but the records that have one, while a feed
    /// of another kind passes over the whole log. A record with a mark costs a little more to append.
    pub const FIRST_MARK: u8 = 48;

    /// Whether it is a mark.
    pub(crate) fn is_mark(self) -> bool {
        self.0 >= Self::FIRST_MARK
    }

    /// One bit a kind, so that the newest fact of a kind is found without reading records.
    pub(crate) fn bit(self) -> i64 {
        1 << self.0
    }
}

/// What the owner needs after a crash; never shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub kind: Kind,
    /// What it says; only the owner reads it.
    pub body: Bytes,
}

/// One step of a session: all of it is durable, or nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// When, in milliseconds since 1970, by the owner's clock.
    pub at: i64,
    /// For readers, numbered without a gap from the last record's last one.
    pub events: Vec<Event>,
    /// For the owner.
    pub facts: Vec<Fact>,
}

impl Record {
    /// An empty record of that time.
    #[must_use]
    pub fn at(milliseconds: i64) -> Self {
        Self { at: milliseconds, ..Self::default() }
    }

    /// With one more event.
    #[must_use]
    pub fn event(mut self, seq: u64, body: impl Into<Bytes>) -> Self {
        self.events.push(Event { seq, body: body.into() });
        self
    }

    /// With one more fact.
    #[must_use]
    pub fn fact(mut self, kind: Kind, body: impl Into<Bytes>) -> Self {
        self.facts.push(Fact { kind, body: body.into() });
        self
    }

    /// The kinds of its facts, one bit each.
    pub(crate) fn kinds(&self) -> i64 {
        self.facts.iter().fold(0, |bits, fact| bits | fact.kind.bit())
    }
}

/// A record at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRecord {
    /// Its place in the session: 1, 2, 3 …
    pub n: u64,
    /// The record.
    pub record: Record,
}
