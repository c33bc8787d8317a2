//! Compares a transcript with the one that is kept, or keeps it.

use std::{collections::BTreeSet, env, fs};

use serde_json::{Value, json};

use crate::{
    cases::{purpose, transcripts},
    differences::is_kept,
    version::version,
};

/// Set to anything, the transcripts are written instead of compared.
const REFRESH: &str = "JUDGE_REFRESH";
/// Enough of a line to recognise it.
const SHOWN: usize = 300;

/// Whether the transcripts are to be written.
pub(crate) fn refreshing() -> bool {
    env::var_os(REFRESH).is_some()
}

/// Set to anything, there are no transcripts, and none are needed: the cases' own assertions have to do.
const UNRECORDED: &str = "JUDGE_UNRECORDED";

/// Whether this is a version of which nobody has kept any transcript yet.
pub(crate) fn unrecorded() -> bool {
    env::var_os(UNRECORDED).is_some()
}

/// One transcript a case.
pub(crate) fn compare(case: &str, lines: &[Value]) {
    if !is_kept(case) {
        return;
    }
    let path = transcripts().join(format!("{case}.jsonl"));
    let mut now = vec![json!({"purpose": purpose(case), "codex": version()})];
    now.extend_from_slice(lines);
    if refreshing() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text: String = now.iter().map(|line| format!("{line}\n")).collect();
        return fs::write(&path, text).unwrap();
    }
    if unrecorded() {
        return;
    }
    let Ok(text) = fs::read_to_string(&path) else {
        panic!("there is no transcript {}\n  {REFRESH}=1 writes it", path.display());
    };
    let before: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let changes = changes(&before, &now);
    assert!(
        changes.is_empty(),
        "the conversation is not the one in {}\n{}\n  {REFRESH}=1 writes it anew: read the change before it is kept",
        path.display(),
        changes.join("\n")
    );
}

/// What differs, in words for a person.
fn changes(before: &[Value], now: &[Value]) -> Vec<String> {
    let same_start = before.iter().zip(now).take_while(|(a, b)| a == b).count();
    let (before, now) = (&before[same_start..], &now[same_start..]);
    let same_end = before.iter().rev().zip(now.iter().rev()).take_while(|(a, b)| a == b).count();
    let (before, now) = (&before[..before.len() - same_end], &now[..now.len() - same_end]);
    let mut found = Vec::new();
    if before.len() == now.len() {
        for (line, (before, now)) in before.iter().zip(now).enumerate() {
            let line = same_start + line + 1;
            if before["method"] == now["method"] {
                inside(before, now, &format!("line {line} ({}): ", before["method"]), &mut found);
            } else {
                found.push(format!("line {line}:\n- {}\n+ {}", short(before), short(now)));
            }
        }
        return found;
    }
    found.push(format!("from line {} on:", same_start + 1));
    found.extend(before.iter().map(|line| format!("- {}", short(line))));
    found.extend(now.iter().map(|line| format!("+ {}", short(line))));
    found
}

/// Which fields differ.
fn inside(before: &Value, now: &Value, path: &str, found: &mut Vec<String>) {
    match (before, now) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<_> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let (a, b) = (before.get(key), now.get(key));
                inside(a.unwrap_or(&Value::Null), b.unwrap_or(&Value::Null), &format!("{path}.{key}"), found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                inside(a, b, &format!("{path}[{index}]"), found);
            }
        }
        _ if before == now => {}
        _ => found.push(format!("{path}: {} is now {}", short(before), short(now))),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
