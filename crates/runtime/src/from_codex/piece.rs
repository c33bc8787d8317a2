//! The fast path of a flood: a piece of an item, read in one pass and without a copy.

use std::borrow::Cow;

use selvedge_protocol::frame::leading_method;
use selvedge_session::{Heard, Place, data::DeltaKind};
use serde::Deserialize;

/// A delta as it stands in its line. Whoever joins it to the one before needs nothing of it but its text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) thread: Cow<'a, str>,
    pub(crate) turn: Cow<'a, str>,
    pub(crate) item: Cow<'a, str>,
    pub(crate) kind: DeltaKind,
    pub(crate) text: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    #[serde(borrow)]
    thread_id: Cow<'a, str>,
    #[serde(borrow)]
    turn_id: Cow<'a, str>,
    #[serde(borrow)]
    item_id: Cow<'a, str>,
    #[serde(borrow)]
    delta: Cow<'a, str>,
}

impl<'a> Piece<'a> {
    /// Reads a line that begins as deltas do. `None` says nothing about it: it has to be read as any other.
    pub(crate) fn read(line: &'a str) -> Option<Self> {
        let kind = kind_of(leading_method(line.as_bytes())?)?;
        let Params { thread_id, turn_id, item_id, delta } =
            serde_json::from_str::<Envelope<'a>>(line).ok()?.params;
        Some(Self { thread: thread_id, turn: turn_id, item: item_id, kind, text: delta })
    }

    /// What a session hears of it.
    pub(crate) fn into_heard(self) -> Heard {
        Heard::Delta {
            place: Place { thread: self.thread.into_owned(), turn: self.turn.into_owned() },
            item_id: self.item.into_owned(),
            kind: self.kind,
            delta: self.text.into_owned(),
        }
    }
}

fn kind_of(method: &[u8]) -> Option<DeltaKind> {
    Some(match method {
        b"item/agentMessage/delta" => DeltaKind::Text,
        b"item/commandExecution/outputDelta" => DeltaKind::Output,
        b"item/reasoning/summaryTextDelta" => DeltaKind::ReasoningSummary,
        b"item/reasoning/textDelta" => DeltaKind::Reasoning,
        b"item/fileChange/outputDelta" => DeltaKind::Patch,
        b"item/plan/delta" => DeltaKind::Plan,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::from_codex::{Meaning, Reader};

    /// Whatever the fast path reads, the other one reads the same; so no method here can be a wrong one.
    #[test]
    fn both_paths_read_the_same() {
        let methods = [
            "item/agentMessage/delta",
            "item/commandExecution/outputDelta",
            "item/reasoning/summaryTextDelta",
            "item/reasoning/textDelta",
            "item/fileChange/outputDelta",
            "item/plan/delta",
        ];
        let mut reader = Reader { fresh: Uuid::now_v7, process: Uuid::nil() };
        for method in methods {
            let line = format!(
                r#"{{"method":"{method}","params":{{"new":1,"threadId":"t","turnId":"u","itemId":"i","delta":"a\n\"ü"}}}}"#
            );
            let piece = Piece::read(&line).expect(method);
            assert_eq!((piece.thread.as_ref(), piece.text.as_ref()), ("t", "a\n\"ü"));
            assert!(matches!(piece.thread, Cow::Borrowed(_)), "no copy of what needs none");
            let Meaning::Thread { thread, heard, .. } = reader.read(&line) else { panic!("{line}") };
            assert_eq!(thread, "t");
            assert_eq!(format!("{heard:?}"), format!("{:?}", piece.into_heard()));
        }
    }

    #[test]
    fn what_is_otherwise_is_left_to_the_other_path() {
        for line in [
            r#"{"method":"turn/started","params":{"threadId":"t"}}"#,
            r#"{"method":"item/agentMessage/delta","params":{"threadId":"t","turnId":"u","itemId":"i","delta":7}}"#,
            r#"{"method":"item/agentMessage/delta","params":{"threadId":"t""#,
        ] {
            assert_eq!(Piece::read(line), None, "{line}");
        }
    }
}
