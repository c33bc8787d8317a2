//! A line of Codex's stdout: its raw text and where it stood.

use std::str;

use bytes::Bytes;
use selvedge_protocol::frame::{Frame, Malformed};

use crate::message::Message;

/// One line, as Codex wrote it.
///
/// It is a slice of the chunk it was read in: cloning is cheap, and keeping one keeps its chunk (64 KiB) alive. Copy
/// the bytes of what is to be kept for long.
#[derive(Debug, Clone)]
pub struct Line {
    /// Where its first byte stood in the stream.
    pub offset: u64,
    raw: Bytes,
    flaw: Option<Malformed>,
}

impl Line {
    pub(crate) fn whole(offset: u64, raw: Bytes) -> Self {
        Self { offset, raw, flaw: None }
    }

    /// A line of which the stream itself already knows that it is not a message.
    pub(crate) fn flawed(offset: u64, raw: Bytes, flaw: Malformed) -> Self {
        Self { offset, raw, flaw: Some(flaw) }
    }

    /// The raw bytes, without the line end; of an overlong line only its head.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.raw
    }

    /// The raw text, unless it is not UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        str::from_utf8(&self.raw).ok()
    }

    /// What the line is, with its parameters still raw.
    #[must_use]
    pub fn frame(&self) -> Frame<'_> {
        match (self.flaw, self.text()) {
            (Some(flaw), _) => Frame::Malformed(flaw),
            (None, Some(text)) => Frame::read(text),
            (None, None) => Frame::Malformed(Malformed::NotUtf8),
        }
    }

    /// What the line says: the same, and read by its method.
    ///
    /// ```
    /// use selvedge_client::{Line, Message, protocol::see::{Notification, TurnStatus}};
    ///
    /// fn is_happy_end(line: &Line) -> bool {
    ///     let Message::Notification(Notification::TurnCompleted(it)) = line.message() else { return false };
    ///     it.turn().is_some_and(|turn| turn.status() == Some(TurnStatus::Completed))
    /// }
    /// ```
    #[must_use]
    pub fn message(&self) -> Message<'_> {
        self.frame().into()
    }

    pub(crate) fn flaw(&self) -> Option<Malformed> {
        self.flaw
    }
}
