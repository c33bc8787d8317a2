//! What is told shortly says the same as all of it.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// Events as the journal has them, numbered from 1.
fn journal(events: &[(&str, &str, Value)]) -> Vec<Written> {
    let written = |(index, (item, name, data)): (usize, &(&str, &str, Value))| {
        let seq = index as u64 + 1;
        let mut event = json!({"seq": seq, "session_id": uuid::Uuid::nil(), "type": name, "data": data});
        event["at"] = format!("2026-01-01T00:00:{:02}.000Z", seq % 60).into();
        if !item.is_empty() {
            event["turn_id"] = "turn".into();
            event["item_id"] = (*item).into();
        }
        let event: selvedge_session::Event = serde_json::from_value(event).unwrap();
        Written { seq, text: serde_json::to_vec(&event).unwrap().into() }
    };
    events.iter().enumerate().map(written).collect()
}

fn settled(events: &[(&str, &str, Value)]) -> Vec<Value> {
    let (mut settling, mut told) = (Settling::default(), Vec::new());
    for event in journal(events) {
        settling.take(event, &mut told);
    }
    settling.rest(&mut told);
    for event in &told {
        assert_eq!(event.read().unwrap().seq, event.seq, "it is an event like any other");
    }
    told.iter().map(|event| serde_json::from_slice(&event.text).unwrap()).collect()
}

fn began(item: &'static str) -> (&'static str, &'static str, Value) {
    (item, "item.started", json!({"item": {"type": "agentMessage", "text": ""}}))
}

fn piece(item: &'static str, words: &str) -> (&'static str, &'static str, Value) {
    (item, "item.delta", json!({"kind": "text", "delta": words}))
}

fn ended(item: &'static str, words: &str) -> (&'static str, &'static str, Value) {
    (item, "item.completed", json!({"item": {"type": "agentMessage", "text": words}}))
}

fn notice() -> (&'static str, &'static str, Value) {
    ("", "codex.notice", json!({"method": "m", "params": {}}))
}

fn numbers(events: &[Value]) -> Vec<u64> {
    events.iter().map(|event| event["seq"].as_u64().unwrap()).collect()
}

#[test]
fn a_whole_item_is_told_once_with_its_beginning() {
    let told =
        settled(&[notice(), began("a"), piece("a", "Hel"), piece("a", "lo"), ended("a", "Hello"), notice()]);
    assert_eq!(numbers(&told), [1, 5, 6]);
    assert_eq!(told[1]["data"]["item"]["text"], "Hello");
    assert_eq!(told[1]["began"], json!({"seq": 2, "at": "2026-01-01T00:00:02.000Z"}));
}

#[test]
fn what_happened_in_between_keeps_its_place() {
    let told = settled(&[began("a"), piece("a", "x"), notice(), piece("a", "y"), ended("a", "xy")]);
    assert_eq!(numbers(&told), [1, 2, 3, 5]);
    assert_eq!(told[3]["began"]["seq"], 4, "the first of what it stands for: its beginning was told");
    let told = settled(&[began("a"), began("b"), ended("b", "b"), ended("a", "a")]);
    assert_eq!(numbers(&told), [1, 3, 4]);
}

#[test]
fn pieces_that_nothing_holds_are_joined() {
    let closed = json!({"item": {"type": "agentMessage", "text": "as it began"}, "closed": "interrupted"});
    for end in [closed, json!({"item": {"type": "agentMessage", "text": ""}}), json!({"item": {}})] {
        let end = ("a", "item.completed", end);
        let told = settled(&[began("a"), piece("a", "\"Hel\\"), piece("a", "lo\n ü"), end]);
        assert_eq!(numbers(&told), [1, 3, 4]);
        assert_eq!(told[1]["data"], json!({"kind": "text", "delta": "\"Hel\\lo\n ü"}));
        assert_eq!(told[1]["began"]["seq"], 2);
    }
    let told = settled(&[began("a"), piece("a", "still "), piece("a", "going")]);
    assert_eq!((numbers(&told), &told[1]["data"]["delta"]), (vec![1, 3], &json!("still going")));
}

#[test]
fn no_more_is_held_than_a_page_of_words() {
    let much = "x".repeat(MOST_HELD + 1);
    let told =
        settled(&[began("a"), piece("a", &much), piece("a", "more"), ended("a", &format!("{much}more"))]);
    assert_eq!(numbers(&told), [1, 2, 4]);
}

/// What a reader makes of events: each item's first number, and what is known of it.
fn made_of(events: &[Value]) -> BTreeMap<String, (u64, Option<Value>, String)> {
    let mut items = BTreeMap::new();
    for event in events {
        let Some(item) = event["item_id"].as_str() else { continue };
        let seq = event["began"]["seq"].as_u64().or(event["seq"].as_u64()).unwrap();
        let (_, whole, pieces) = items.entry(item.to_owned()).or_insert((seq, None, String::new()));
        match event["type"].as_str() {
            Some("item.delta") => pieces.push_str(event["data"]["delta"].as_str().unwrap()),
            Some("item.completed") => {
                *whole = Some(event["data"].clone());
                if event["data"]["item"]["text"] != "" {
                    pieces.clear();
                }
            }
            _ => {}
        }
    }
    items
}

fn any_event() -> impl Strategy<Value = (&'static str, &'static str, Value)> {
    let item = prop_oneof![3 => Just("a"), 1 => Just("b")];
    let words = prop_oneof![Just(String::new()), Just("\\\"}}".to_owned()), ".{0,4}"];
    (item, 0..12, words).prop_map(|(item, what, words)| match what {
        0..2 => began(item),
        2..9 => piece(item, &words),
        9..11 => ended(item, &words),
        _ => notice(),
    })
}

proptest! {
    #[test]
    fn a_reader_makes_the_same_of_it(events in prop::collection::vec(any_event(), 0..24)) {
        let all: Vec<Value> =
            journal(&events).iter().map(|event| serde_json::from_slice(&event.text).unwrap()).collect();
        let told = settled(&events);
        prop_assert_eq!(made_of(&told), made_of(&all));
        prop_assert!(numbers(&told).is_sorted_by(|one, next| one < next));
        prop_assert_eq!(numbers(&told).last().copied(), numbers(&all).last().copied());
    }
}
