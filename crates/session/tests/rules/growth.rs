//! What grows does not stand in events: they name it, or count it.

use selvedge_session::{
    Heard, Input, Session, SessionId, Settings, Status, Timestamp, TurnEnd, data::FileDiff,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::play::{agent_message, place};

/// What is written of the last event of each type after these were heard.
fn written(heard: Vec<Heard>) -> Vec<Value> {
    let mut session = Session::new(SessionId(Uuid::nil()));
    session.create(Settings::default(), Timestamp(0));
    let mut written = Vec::new();
    for heard in heard {
        let output = session.apply(Input::Heard(heard), Timestamp(0)).unwrap();
        written.extend(output.events.iter().map(|event| serde_json::to_value(event).unwrap()));
    }
    written
}

fn data_of<'e>(events: &'e [Value], kind: &str) -> &'e Value {
    &events.iter().find(|event| event["type"] == kind).unwrap()["data"]
}

#[test]
fn a_turns_end_has_no_items_and_a_diff_only_counts() {
    let files = vec![FileDiff { path: "a.txt".into(), added: 3, removed: 1 }];
    let end = TurnEnd { status: Status::Completed, error: None, text: None };
    let events = written(vec![
        Heard::ThreadReady { thread_id: "thread".into() },
        Heard::TurnStarted(place("t1")),
        Heard::ItemCompleted(place("t1"), agent_message("a", "said", None)),
        Heard::Diff(place("t1"), files),
        Heard::TurnEnded(place("t1"), end),
    ]);
    let completed = data_of(&events, "turn.completed");
    assert_eq!(completed, &json!({"message_ids": [], "status": "completed", "duration_ms": 0}));
    let diff = data_of(&events, "diff.updated");
    assert_eq!(diff, &json!({"files": [{"path": "a.txt", "added": 3, "removed": 1}]}));
}
