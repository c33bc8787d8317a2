//! An event's type is found in its bytes, whatever the event.

use proptest::prelude::*;
use selvedge_session::{Event, Json, SessionId, Timestamp, What};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;

/// What each kind of event carries, at its least.
fn kinds() -> Vec<(&'static str, Value)> {
    let id = Uuid::from_u128(7);
    let usage = json!({"input": 1});
    vec![
        ("session.created", json!({"cwd": "/", "labels": {"type": "session.state"}})),
        ("session.updated", json!({"cwd": "/"})),
        ("session.state", json!({"state": "idle", "previous": "starting"})),
        ("session.warning", json!({"code": "quiet", "message": "m"})),
        ("session.removed", json!({})),
        (
            "message.accepted",
            json!({"message_id": id, "input": [{"type": "text", "text": "t"}], "busy_policy": "queue", "position": 0}),
        ),
        ("message.started", json!({"message_id": id, "attempt": 1})),
        ("message.finished", json!({"message_id": id, "status": "completed", "text": "", "usage": usage})),
        ("turn.started", json!({"message_ids": [id]})),
        ("turn.completed", json!({"message_ids": [id], "status": "failed", "duration_ms": 1})),
        ("item.started", json!({"item": {"id": "i", "type": "agentMessage"}})),
        ("item.completed", json!({"item": {"id": "i", "type": "agentMessage"}})),
        ("item.delta", json!({"kind": "text", "delta": "\",\"type\":\"x\""})),
        ("approval.requested", json!({"approval_id": id, "kind": "command", "request": {"type": "x"}})),
        ("approval.resolved", json!({"approval_id": id, "decision": "accept", "by": "policy"})),
        ("tool.requested", json!({"tool_call_id": id, "tool": "t", "arguments": {"type": 1}})),
        ("tool.resolved", json!({"tool_call_id": id, "success": true, "content": []})),
        ("usage.updated", json!({"turn": usage, "session": usage})),
        ("plan.updated", json!({"steps": [{"step": "s", "status": "pending"}]})),
        ("diff.updated", json!({"files": [{"path": "p", "added": 1, "removed": 0}]})),
        ("codex.exited", json!({"reason": "r", "stderr_tail": ""})),
        ("codex.restarted", json!({"attempt": 1})),
        ("codex.notice", json!({"method": "m", "params": {"type": "x"}})),
        ("codex.unknown", json!({"direction": "from_codex", "raw": "{\"a\":1,\"type\":\"x\"}"})),
    ]
}

fn what(name: &str, data: &Value) -> What {
    let event = json!({"seq": 1, "session_id": Uuid::nil(), "at": "2026-01-01T00:00:00.000Z", "type": name, "data": data});
    serde_json::from_value::<Event>(event).unwrap().what
}

/// Text with everything in it that could be taken for the key.
fn treacherous() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just(",\"type\":\"".to_owned()),
        Just("\\".to_owned()),
        Just("\"".to_owned()),
        Just("{".to_owned()),
        Just("\n".to_owned()),
        ".{0,8}",
    ];
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn each_kind_is_found_whatever_stands_around_it(
        kind in 0..kinds().len(),
        ids in prop::collection::vec(prop::option::of(treacherous()), 3),
        seq in 1..u64::MAX,
    ) {
        let (name, data) = &kinds()[kind];
        let what = what(name, data);
        prop_assert!(!matches!(what, What::Other(..)), "{name} is a kind of its own");
        let [thread_id, turn_id, item_id] = <[_; 3]>::try_from(ids).unwrap();
        let at = Timestamp(1_700_000_000_123);
        let event = Event { seq, session_id: SessionId(Uuid::nil()), at, thread_id, turn_id, item_id, what };
        let text = serde_json::to_vec(&event).unwrap();
        prop_assert_eq!(of(&text), *name);
        prop_assert!(!text.contains(&b'\n') && !text.contains(&b'\r'), "an event is one line");
    }

    #[test]
    fn so_is_a_kind_that_nobody_knows_yet(name in treacherous(), id in prop::option::of(treacherous())) {
        let data = Json::from(json!({"type": "wrong"}));
        let event = Event {
            seq: 1,
            session_id: SessionId(Uuid::nil()),
            at: Timestamp(0),
            thread_id: id.clone(),
            turn_id: None,
            item_id: id,
            what: What::Other(name.clone(), data),
        };
        let text = serde_json::to_vec(&event).unwrap();
        prop_assert_eq!(of(&text), name);
    }
}

#[test]
fn text_in_another_order_is_read() {
    assert_eq!(of(br#"{"data":{"a":1,"type":"wrong"},"type":"right"}"#), "right");
    assert_eq!(of(b"no JSON"), "");
}
