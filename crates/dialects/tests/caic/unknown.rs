//! Fields that nobody knows are reported once, with all that they said.

use selvedge_dialects::caic::{Generation, Parser};
use serde_json::json;

#[test]
fn each_unknown_field_is_reported_once_and_kept() {
    let mut parser = Parser::of(Generation::B);
    let line = json!({"method": "item/completed", "params": {"threadId": "t", "turnId": "u", "completedAtMs": 5,
        "item": {"type": "agentMessage", "id": "i", "text": "x", "mood": "y".repeat(200)}}});
    for _ in 0..3 {
        parser.line(&line.to_string()).unwrap();
    }
    let found: Vec<_> = parser.unknown().iter().map(|it| (it.context.as_str(), it.field.as_str())).collect();
    assert_eq!(found, [("ItemNotification", "completedAtMs"), ("agentMessage", "mood")]);
    let mood = &parser.unknown()[1];
    assert_eq!(mood.value.as_str().unwrap().len(), 200, "all of it");
    assert!(mood.to_string().ends_with('…') && mood.to_string().len() < 200, "{mood}");
}

#[test]
fn what_is_known_is_not_reported_in_either_spelling() {
    let mut parser = Parser::of(Generation::A);
    for line in [
        json!({"method": "thread/started", "params": {"thread": {"id": "x", "cwd": "/w"}}}),
        json!({"method": "item/completed", "params": {"item": {"type": "command_execution", "id": "i", "command": "x", "aggregated_output": "", "exit_code": 0, "status": "completed"}}}),
        json!({"method": "turn/completed", "params": {"turn": {"status": "completed", "usage": {}}}}),
    ] {
        parser.line(&line.to_string()).unwrap();
    }
    assert_eq!(parser.unknown(), []);
}
