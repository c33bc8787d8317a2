//! What is read from each form, and what is refused.

use std::{fs, path::Path, time::Duration};

use super::*;

fn read(text: &str) -> Result<Recording, ReadError> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("recording");
    fs::write(&path, text).unwrap();
    Recording::open(&path)
}

fn said(recording: &Recording) -> Vec<(Direction, Value)> {
    recording.entries.iter().map(|entry| (entry.direction, value(&entry.text).unwrap_or_default())).collect()
}

#[test]
fn a_tap_is_read_with_its_times_and_without_what_nobody_said_on_the_wire() {
    let recording = read(concat!(
        r#"{"t": 0.5, "dir": "meta", "msg": {"spawn": []}}"#,
        "\n",
        r#"{"t": 1.5, "dir": "->", "msg": {"id": 1, "method": "initialize"}}"#,
        "\n",
        r#"{"t": 2.0, "dir": "<-", "raw": "no json"}"#,
        "\n",
        r#"{"t": 2.0, "dir": "<-", "ms"#,
    ))
    .unwrap();
    assert_eq!((recording.form, recording.cut), (Form::Tap, true));
    assert_eq!(recording.entries.len(), 2);
    assert_eq!(recording.entries[0].at, Some(Duration::from_millis(1500)));
    assert_eq!(recording.entries[1].text, "no json");
    assert_eq!(recording.left_out.len(), 1, "{:?}", recording.left_out);
}

#[test]
fn in_a_log_without_sides_every_line_finds_its_own() {
    let lines = [
        (Direction::Sent, r#"{"id":1,"method":"thread/start","params":{}}"#),
        (Direction::Received, r#"{"id":1,"result":{"thread":{"id":"t"}}}"#),
        (Direction::Received, r#"{"method":"item/started","params":{}}"#),
        (Direction::Sent, r#"{"id":0,"method":"turn/start","params":{}}"#),
        (Direction::Received, r#"{"id":0,"method":"item/commandExecution/requestApproval","params":{}}"#),
        (Direction::Sent, r#"{"id":0,"result":{"decision":"accept"}}"#),
        (Direction::Received, r#"{"id":0,"result":{"turn":{}}}"#),
        (Direction::Sent, r#"{"method":"initialized"}"#),
    ];
    let text: Vec<_> = lines.iter().map(|(_, line)| *line).collect();
    let recording = read(&(text.join("\n") + "\n")).unwrap();
    assert_eq!(recording.form, Form::Relay);
    let directions: Vec<_> = recording.entries.iter().map(|entry| entry.direction).collect();
    assert_eq!(directions, lines.map(|(direction, _)| direction));
}

#[test]
fn caics_early_words_become_codexs_and_what_has_none_is_said() {
    let recording = read(include_str!("tests/caic-early.jsonl")).unwrap();
    assert_eq!(recording.form, Form::Caic);
    assert_eq!(recording.prompt.as_deref(), Some("fix the bug"));
    let said = said(&recording);
    assert!(said.iter().all(|(_, message)| message["method"] == "thread/started"
        || message.get("id").is_some()
        || message["params"]["threadId"] == "thread-1"));
    let methods: Vec<_> = said.iter().filter_map(|(_, message)| message["method"].as_str()).collect();
    assert_eq!(methods.last(), Some(&"turn/completed"));
    let find = |kind: &str| {
        said.iter().map(|(_, message)| &message["params"]["item"]).rfind(|item| item["type"] == kind).cloned()
    };
    assert_eq!(find("commandExecution").unwrap()["aggregatedOutput"], "docs\nsrc\n");
    assert_eq!(find("fileChange").unwrap()["changes"][0]["kind"]["type"], "add");
    let usage = said.iter().find(|(_, message)| message["method"] == "thread/tokenUsage/updated").unwrap();
    assert_eq!(usage.1["params"]["tokenUsage"]["last"]["outputTokens"], 122);
    let left: Vec<_> = recording.left_out.iter().map(|(_, why)| why.as_str()).collect();
    assert_eq!(left, ["an item `todo_list` has no words in Codex", "`caic_diff_stat` was put in between"]);
}

#[test]
fn what_is_no_recording_or_newer_or_damaged_is_refused_and_says_why() {
    for text in ["", "hello\n", "{\"name\": \"package\"}\n", "[1, 2]\n"] {
        assert!(matches!(read(text), Err(ReadError::NotOne { .. })), "{text}");
    }
    let newer = read("{\"selvedge_recording\":2,\"anything\":true}\n");
    assert!(matches!(newer, Err(ReadError::Newer { version: 2, .. })), "{newer:?}");
    assert!(matches!(Recording::open(Path::new("/nonexistent")), Err(ReadError::Unreadable { .. })));
}

#[test]
fn an_export_is_known_by_its_first_event() {
    let event =
        r#"{"seq":1,"session_id":"s","at":"2026-11-16T00:00:00.000Z","type":"session.created","data":{}}"#;
    let recording = read(&format!("{event}\n")).unwrap();
    assert_eq!((recording.form, recording.entries.len()), (Form::Events, 1));
}
