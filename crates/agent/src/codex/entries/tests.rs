//! Events of a journal, and the entries they become.

use selvedge_runtime::session::Event;

use super::*;

const MESSAGE: &str = "0190a8f4-0000-7000-8000-000000000001";

/// An event as the journal has it.
fn event(kind: &str, data: &Value) -> Event {
    let event = json!({"seq": 7, "session_id": "0190a8f4-0000-7000-8000-0000000000ff", "at": "2026-01-02T03:04:05.678Z",
                       "turn_id": "turn", "item_id": "item", "type": kind, "data": data});
    serde_json::from_value(event).unwrap()
}

fn started() -> Event {
    event("message.started", &json!({"message_id": MESSAGE, "attempt": 1}))
}

/// What these are between the start and the end of a message that is asked for.
fn entries(events: impl IntoIterator<Item = Event>) -> Vec<TranscriptEntry> {
    let mut reading = Entries::new(|_| Some("demo".to_owned()));
    reading.hear(&started());
    events.into_iter().for_each(|event| reading.hear(&event));
    reading.done().into_values().flatten().collect()
}

fn completed(item: &Value) -> Event {
    event("item.completed", &json!({"item": item}))
}

fn unknown(method: &str) -> Event {
    let raw = json!({"method": method, "params": {}}).to_string();
    event("codex.unknown", &json!({"direction": "from_codex", "raw": raw}))
}

#[test]
fn each_event_is_what_it_is() {
    let item = |kind: &str| json!({"type": kind, "id": "item"});
    for (event, expected) in [
        (completed(&item("agentMessage")), vec![Type::AssistantMessage]),
        (completed(&item("reasoning")), vec![Type::Thinking]),
        (completed(&item("contextCompaction")), vec![Type::SystemEvent]),
        (completed(&item("webSearch")), vec![Type::ToolUse, Type::ToolResult]),
        (completed(&item("somethingNew")), vec![Type::Unknown]),
        (completed(&item("userMessage")), vec![]),
        (completed(&item("dynamicToolCall")), vec![]),
        (event("item.started", &json!({"item": item("commandExecution")})), vec![Type::ToolUse]),
        (event("item.started", &json!({"item": item("agentMessage")})), vec![]),
        (event("item.delta", &json!({"kind": "text", "delta": "x"})), vec![]),
        (unknown("item/somethingNew"), vec![Type::Unknown]),
        (unknown("codex/event/mcp_startup_complete"), vec![]),
        (event("something.new", &json!({"x": 1})), vec![Type::Unknown]),
        (event("plan.updated", &json!({"steps": []})), vec![]),
        (event("session.warning", &json!({"code": "c", "message": "m"})), vec![Type::SystemEvent]),
    ] {
        let found: Vec<Type> = entries([event.clone()]).iter().map(|it| it.entry_type).collect();
        assert_eq!(found, expected, "{event:?}");
    }
}

#[test]
fn a_call_that_began_is_told_once_and_one_that_was_cut_with_its_end() {
    let begun = json!({"type": "commandExecution", "id": "item", "status": "inProgress"});
    let cut = event("item.completed", &json!({"item": begun, "closed": "interrupted"}));
    let found = entries([event("item.started", &json!({"item": begun})), cut]);
    let kinds: Vec<Type> = found.iter().map(|it| it.entry_type).collect();
    assert_eq!(kinds, [Type::ToolUse, Type::ToolResult]);
    assert_eq!(found[1].detail["closed"], "interrupted");
}

#[test]
fn only_what_is_asked_for_is_read_and_a_sub_agent_is_a_source_of_its_own() {
    let mut reading = Entries::new(|_| None);
    reading.hear(&started());
    reading.hear(&completed(&json!({"type": "agentMessage", "id": "item"})));
    assert!(reading.done().is_empty());
    let mut theirs = completed(&json!({"type": "agentMessage", "id": "item"}));
    theirs.thread_id = Some("child".to_owned());
    let found = entries([theirs]);
    assert_eq!((found[0].source.as_str(), found[0].event), ("child", 7));
    assert_eq!(found[0].timestamp.to_string(), "2026-01-02T03:04:05.678Z");
}
