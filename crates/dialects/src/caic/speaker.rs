//! A session's events in caic's words.

use selvedge_session::Event;

use super::{message::Message, parse::Parser, wire::Wire};
use crate::number::{Numbered, numbered};

/// Which of caic's two kinds of messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Generation {
    /// Of its first specification, shaped like Claude's.
    A,
    /// Of its head.
    #[default]
    B,
}

/// Speaks caic's language. caic reads the wire, so events are told as the wire tells them and those lines are read: a log
/// that is written and read again says what the session said.
#[derive(Debug, Clone, Default)]
pub struct Speaker {
    parser: Parser,
    wire: Wire,
}

impl Speaker {
    /// One that gives messages of this generation.
    #[must_use]
    pub fn of(generation: Generation) -> Self {
        Self { parser: Parser::of(generation), wire: Wire::default() }
    }

    /// Hears an event, and says what caic is told of it.
    pub fn hear(&mut self, event: &Event) -> Vec<Numbered<Message>> {
        let line = self.wire.line(event);
        // A line of ours is JSON.
        let messages = line.and_then(|line| self.parser.line(&line).ok()).unwrap_or_default();
        numbered(event.seq, messages)
    }
}
