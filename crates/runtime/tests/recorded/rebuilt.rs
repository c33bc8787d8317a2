//! Every recording in `transcripts/` is a test: turns, items and usage are rebuilt from it alone, and compared with what
//! stands beside it.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use selvedge_recording::{Form, Recording};
use selvedge_session::{Event, What};
use serde_json::{Value, json};

use crate::replay::Replay;

/// Writes what was rebuilt, instead of comparing it.
const REFRESH: &str = "RECORDED_REFRESH";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../transcripts")
}

/// The recordings, with what is expected of each.
fn recordings() -> Vec<(PathBuf, PathBuf)> {
    let named = |path: PathBuf| {
        let name = path.file_name()?.to_str()?.to_owned();
        let stem = name.strip_suffix(".jsonl.zst").or(name.strip_suffix(".jsonl"))?;
        Some((path.clone(), path.with_file_name(format!("{stem}.expected.json"))))
    };
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries.filter(|path| path.is_file()).filter_map(named).collect();
    found.sort();
    found
}

#[test]
fn from_a_recording_alone_turns_items_and_usage_are_rebuilt() {
    let all = recordings();
    assert!(all.len() >= 7, "{all:?}");
    for (recording, expected) in all {
        let rebuilt = rebuilt(&recording);
        if env::var_os(REFRESH).is_some() {
            fs::write(&expected, format!("{rebuilt:#}\n")).unwrap();
            continue;
        }
        let text = fs::read_to_string(&expected).unwrap_or_else(|_| {
            panic!(
                "{} is missing\n  {REFRESH}=1 cargo test -p selvedge-runtime --test recorded rebuilt\n  makes it; look at it before you keep it",
                expected.display()
            )
        });
        let expected: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(rebuilt, expected, "{}", recording.display());
    }
}

#[test]
fn the_recordings_are_of_the_real_codex_and_whole() {
    for (path, _) in recordings() {
        let recording = Recording::open(&path).unwrap();
        assert!(!recording.cut && recording.missing == 0, "{}", path.display());
        if recording.form == Form::Ours {
            let header = recording.header.unwrap();
            assert_eq!(header.backend, "codex", "{}", path.display());
            assert!(header.codex.is_some(), "{}", path.display());
        }
    }
}

fn rebuilt(recording: &Path) -> Value {
    let replay = Replay::of(recording);
    assert_eq!(replay.unknown, Vec::<String>::new(), "{}", recording.display());
    let sessions = replay.sessions.iter().map(|(thread, session)| {
        let events = replay.events.get(thread).map(Vec::as_slice).unwrap_or_default();
        json!({ "thread": thread, "usage": session.usage(), "turns": turns(thread, events) })
    });
    json!({ "sessions": sessions.collect::<Vec<_>>() })
}

/// Each turn in the order in which it began, with its items in the order in which they ended.
fn turns(own: &str, events: &[Event]) -> Vec<Value> {
    let mut order = Vec::new();
    let mut turns: BTreeMap<(String, String), Value> = BTreeMap::new();
    for event in events {
        let Some(turn) = &event.turn_id else { continue };
        let thread = event.thread_id.as_deref().unwrap_or(own);
        let key = (thread.to_owned(), turn.clone());
        let entry = turns.entry(key.clone()).or_insert_with(|| {
            order.push(key.clone());
            json!({ "thread": thread, "turn": turn, "items": [] })
        });
        match &event.what {
            What::TurnCompleted(it) => {
                entry["status"] = json!(it.status);
                entry["error"] = json!(it.error.as_ref().map(|error| &error.code));
            }
            What::UsageUpdated(it) => entry["usage"] = json!(it.turn),
            What::MessageFinished(it) => {
                let messages = entry["messages"].as_array().cloned().unwrap_or_default();
                let one = json!({ "status": it.status, "text": it.text, "usage": it.usage });
                entry["messages"] = messages.into_iter().chain([one]).collect();
            }
            What::ItemCompleted(it) => {
                if let Some(items) = entry["items"].as_array_mut() {
                    items.push(serde_json::from_str(it.item.text()).unwrap());
                }
            }
            _ => {}
        }
    }
    order.iter().filter_map(|key| turns.remove(key)).collect()
}
