//! The same events, shown to a person and in a pipe.

use std::time::Duration;

use selvedge_session::Event;
use serde_json::{Value, json};

use super::{plain::Plain, screen::Screen, style::Style, terminal::Terminal};

fn events(list: &[(&str, Option<&str>, Value)]) -> Vec<Event> {
    let made = list.iter().enumerate().map(|(place, (name, item, data))| {
        let event = json!({"seq": place + 1, "session_id": "01a1dddb-fa23-7cc1-8503-c51f86ab23ab",
            "at": "2026-11-15T06:19:03.070Z", "turn_id": "t", "item_id": item, "type": name, "data": data});
        serde_json::from_value(event).unwrap()
    });
    made.collect()
}

fn a_turn() -> Vec<Event> {
    let command = |status: &str, exit: Value| {
        json!({"item": {"type": "commandExecution", "id": "c", "command": "make", "status": status, "exitCode": exit,
            "durationMs": 1200, "aggregatedOutput": "one\ntwo\n"}})
    };
    let message = |text: &str, phase: &str| json!({"item": {"type": "agentMessage", "id": "m", "text": text, "phase": phase}});
    events(&[
        ("item.delta", Some("r"), json!({"kind": "reasoning_summary", "delta": "Hmm."})),
        ("item.completed", Some("r"), json!({"item": {"type": "reasoning", "id": "r", "summary": ["Hmm."]}})),
        ("item.delta", Some("a"), json!({"kind": "text", "delta": "I'll "})),
        ("item.delta", Some("a"), json!({"kind": "text", "delta": "build."})),
        ("item.completed", Some("a"), message("I'll build.", "commentary")),
        ("item.started", Some("c"), command("inProgress", Value::Null)),
        ("item.delta", Some("c"), json!({"kind": "output", "delta": "one\n"})),
        ("item.completed", Some("c"), command("failed", json!(2))),
        ("usage.updated", None, json!({"turn": {"total": 4200}, "session": {}, "cost_usd": 0.01})),
        ("item.completed", Some("m"), message("It failed.", "final_answer")),
    ])
}

#[test]
fn a_person_sees_text_as_it_comes_and_deeds_with_their_end() {
    let mut terminal = Terminal::new(Screen::new(Vec::new(), Style::PLAIN, false));
    for event in a_turn() {
        terminal.event(&event).unwrap();
    }
    terminal.ended().unwrap();
    let shown = String::from_utf8(terminal.screen.written().clone()).unwrap();
    assert_eq!(shown, "Hmm.\nI'll build.\n✗ $ make  exit 2, 1.2s\n  one\n  two\nIt failed.\n");
}

#[test]
fn the_progress_line_says_what_runs_and_what_it_used() {
    let mut terminal = Terminal::new(Screen::new(Vec::new(), Style::COLOURS, true));
    for event in &a_turn()[..6] {
        terminal.event(event).unwrap();
    }
    terminal.progress(Duration::from_millis(2500)).unwrap();
    let shown = String::from_utf8(terminal.screen.written().clone()).unwrap();
    assert!(shown.contains("\x1b[2mHmm.\x1b[0m\n"), "{shown:?}");
    assert!(shown.ends_with("\r\x1b[2K\x1b[2m2s · $ make\x1b[0m"), "{shown:?}");
    for event in &a_turn()[6..9] {
        terminal.event(event).unwrap();
    }
    terminal.progress(Duration::from_secs(12)).unwrap();
    let shown = String::from_utf8(terminal.screen.written().clone()).unwrap();
    assert!(shown.ends_with("12s · 4.2k tokens · $0.0100 · working\x1b[0m"), "{shown:?}");
}

#[test]
fn in_a_pipe_everything_but_the_answer_is_aside() {
    let mut aside = Vec::new();
    let mut plain = Plain::new(&mut aside);
    for event in a_turn() {
        plain.event(&event).unwrap();
    }
    plain.ended("It failed.").unwrap();
    let aside = String::from_utf8(aside).unwrap();
    assert_eq!(aside, "(thinking) Hmm.\nI'll build.\n✗ $ make  exit 2, 1.2s\n  one\n  two\n");
}

#[test]
fn the_question_about_files_shows_what_would_change() {
    let change = json!({"item": {"type": "fileChange", "id": "f", "status": "inProgress",
        "changes": [{"path": "a.txt", "kind": {"type": "add"}, "diff": "hello\n"}]}});
    let asked = json!({"approval_id": "01a1dddb-fa23-7cc1-8503-c51f86ab23ab", "kind": "file_change",
        "request": {"itemId": "f", "reason": "May I?"}});
    let list = events(&[("item.started", Some("f"), change), ("approval.requested", Some("f"), asked)]);
    let mut terminal = Terminal::new(Screen::new(Vec::new(), Style::PLAIN, false));
    let mut aside = Vec::new();
    let mut plain = Plain::new(&mut aside);
    for event in &list {
        terminal.event(event).unwrap();
        plain.event(event).unwrap();
    }
    let expected = "may these files be changed?\n  May I?\n  add a.txt\n    +hello\n";
    assert_eq!(String::from_utf8(terminal.screen.written().clone()).unwrap(), expected);
    assert_eq!(String::from_utf8(aside).unwrap(), expected);
}
