//! Which form a file has: its first line says so.

use std::path::Path;

use serde_json::Value;

use super::{ReadError, Recording, caic, lines, ours, sides, value};
use crate::entry::VERSION;

/// What a recording was written by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `--record`.
    Ours,
    /// A tap: the same lines without the first.
    Tap,
    /// A relay's log: lines as they were said, without times and without who said them.
    Relay,
    /// caic's log of a task: Codex's lines between caic's own.
    Caic,
    /// `selvedge export`: events, not the wire.
    Events,
}

pub(super) fn read(path: &Path, text: &str) -> Result<Recording, ReadError> {
    let not_one = || ReadError::NotOne { path: path.to_owned() };
    let first = lines(text).next().and_then(|(_, line)| value(line)).ok_or_else(not_one)?;
    if let Some(version) = first["selvedge_recording"].as_u64() {
        if version > u64::from(VERSION) {
            return Err(ReadError::Newer { path: path.to_owned(), version });
        }
        return Ok(ours::read(Form::Ours, text));
    }
    match form(&first).ok_or_else(not_one)? {
        Form::Events => Ok(events(text)),
        Form::Caic => Ok(caic::read(text)),
        Form::Relay => Ok(sides::read(text)),
        form => Ok(ours::read(form, text)),
    }
}

fn form(first: &Value) -> Option<Form> {
    let has = |key: &str| first.get(key).is_some();
    if has("dir") && (has("msg") || has("raw")) {
        return Some(Form::Tap);
    }
    if has("seq") && has("session_id") && has("type") {
        return Some(Form::Events);
    }
    if first["type"].as_str().is_some_and(|kind| kind.starts_with("caic_")) {
        return Some(Form::Caic);
    }
    let wire = has("method") || (has("id") && (has("result") || has("error")));
    wire.then_some(Form::Relay)
}

fn events(text: &str) -> Recording {
    let mut recording = Recording::new(Form::Events);
    let last = lines(text).last().map_or(0, |(number, _)| number);
    for (number, line) in lines(text) {
        match value(line) {
            Some(event) if event["seq"].is_u64() => recording.entries.push(sides::received(line)),
            Some(_) => recording.left_out.push((number, "it is no event".into())),
            None => recording.unreadable(number, number == last),
        }
    }
    recording
}
