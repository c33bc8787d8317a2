//! Our own lines, with the first one or without.

use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Entry, Form, Recording, lines};
use crate::entry::{Direction, Header};

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(default)]
    t: f64,
    dir: Option<String>,
    #[serde(borrow)]
    msg: Option<&'a RawValue>,
    raw: Option<String>,
    missing: Option<u64>,
}

pub(super) fn read(form: Form, text: &str) -> Recording {
    let mut recording = Recording::new(form);
    let mut lines = lines(text).peekable();
    if form == Form::Ours {
        recording.header = lines.next().and_then(|(_, line)| serde_json::from_str::<Header>(line).ok());
    }
    while let Some((number, line)) = lines.next() {
        match serde_json::from_str::<Line<'_>>(line) {
            Ok(line) => take(&mut recording, number, line),
            Err(_) => recording.unreadable(number, lines.peek().is_none()),
        }
    }
    recording
}

fn take(recording: &mut Recording, number: usize, line: Line<'_>) {
    recording.missing += line.missing.unwrap_or(0);
    let direction = match line.dir.as_deref() {
        Some("->") => Direction::Sent,
        Some("<-") => Direction::Received,
        None if line.missing.is_some() => return,
        // What was said beside the conversation: on stderr, or by whoever recorded.
        other => {
            let what = other.unwrap_or("nobody");
            return recording.left_out.push((number, format!("`{what}` is no side of the conversation")));
        }
    };
    let Some(text) = line.msg.map(|msg| msg.get().to_owned()).or(line.raw) else {
        return recording.left_out.push((number, "it says nothing".into()));
    };
    let at = Duration::try_from_secs_f64(line.t).unwrap_or_default();
    recording.entries.push(Entry { at: Some(at), direction, text });
}
