//! Whether a message says more than what becomes of it: fields, words and types that nobody knows.
//!
//! What is passed on as it is, items, approvals and notices, loses nothing. What becomes news of our own has only the fields
//! that those have; then the line is kept beside them. Not of pieces: there are too many of them.

use selvedge_protocol::{
    see::Notification,
    touch::{Seen, Touch},
};
use serde_json::value::RawValue;

/// Whether a notification that becomes news of our own has anything that nobody knows.
pub(super) fn says_more(notification: &Notification<'_>) -> bool {
    let item = match notification {
        Notification::ItemStarted(it) => it.object().raw("item"),
        Notification::ItemCompleted(it) => it.object().raw("item"),
        _ => None,
    };
    // The item itself is passed on as it is.
    has_unknown(notification, |part| item.is_none_or(|item| !stands_in(part, item)))
}

/// Whether anything in it, however deep, has no view; only such parts count as `counts` says.
pub(super) fn has_unknown(message: &impl Touch, counts: impl Fn(&RawValue) -> bool) -> bool {
    let mut found = false;
    message.touch(&mut |seen| {
        found |= match seen {
            Seen::Id { .. } => false,
            Seen::Unknown { raw, .. } | Seen::Unread { raw, .. } => counts(raw),
            Seen::Extra { object, .. } => counts(object),
        }
    });
    found
}

/// Whether this is a part of that text.
fn stands_in(part: &RawValue, whole: &RawValue) -> bool {
    whole.get().as_bytes().as_ptr_range().contains(&part.get().as_ptr())
}

#[cfg(test)]
mod tests {
    use selvedge_session::Heard;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use crate::from_codex::{Meaning, Reader};

    fn more_in(method: &str, params: &Value) -> (Heard, bool) {
        let line = json!({"method": method, "params": params, "emittedAtMs": 7}).to_string();
        match (Reader { fresh: Uuid::now_v7, process: Uuid::nil() }).read(&line) {
            Meaning::Thread { heard, more, .. } => {
                assert!(more.as_ref().is_none_or(|more| *more == line), "as it was said");
                (*heard, more.is_some())
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_an_event_of_ours_cannot_hold_is_kept_beside_it() {
        let ended = |turn: Value| more_in("turn/completed", &json!({"threadId": "t", "turn": turn}));
        let plain = json!({"id": "u", "status": "completed", "items": [], "durationMs": 5});
        assert!(!ended(plain).1);
        let others = [
            json!({"id": "u", "status": "completed", "items": [], "mood": "good"}),
            json!({"id": "u", "status": "wandering", "items": []}),
            json!({"id": "u", "status": "completed", "items": [], "durationMs": "long"}),
            json!({"id": "u", "status": "completed", "items": [{"type": "hologram", "id": "h"}]}),
        ];
        for other in others {
            let (heard, more) = ended(other.clone());
            assert!(matches!(heard, Heard::TurnEnded(..)) && more, "{other}");
        }
    }

    #[test]
    fn an_item_is_passed_on_as_it_is_and_only_what_stands_beside_it_is_more() {
        let item = json!({"type": "hologram", "id": "h", "depth": 3});
        let params = json!({"threadId": "t", "turnId": "u", "item": item, "startedAtMs": 1});
        assert!(!more_in("item/started", &params).1);
        let beside =
            json!({"threadId": "t", "turnId": "u", "item": item, "startedAtMs": 1, "seat": "window"});
        assert!(more_in("item/started", &beside).1);
        let otherwise = json!({"threadId": "t", "turnId": "u", "item": item, "startedAtMs": "soon"});
        assert!(more_in("item/started", &otherwise).1);
    }

    #[test]
    fn pieces_and_notices_are_left_alone() {
        let piece = json!({"threadId": "t", "turnId": "u", "itemId": "i", "delta": "x", "mood": "good"});
        assert!(!more_in("item/agentMessage/delta", &piece).1);
        let notice = json!({"threadId": "t", "threadName": "n", "mood": "good"});
        assert!(!more_in("thread/name/updated", &notice).1);
    }
}
