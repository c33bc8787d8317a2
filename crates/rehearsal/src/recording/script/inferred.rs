//! What a client did, where only Codex's side was kept: a thread that is there was opened, a turn that starts was started.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::read::Line;
use crate::recording::deed::{Deed, Done};

/// What is said where the log does not say what was asked.
const UNKNOWN: &str = "(the log does not say what was asked)";

/// What has been inferred already.
#[derive(Default)]
pub(super) struct Inferred {
    opened: HashSet<String>,
    /// Threads that Codex opened by itself.
    children: HashSet<String>,
    prompt_used: bool,
}

/// What was done right before this line.
pub(super) fn before(
    lines: &[Line<'_>],
    index: usize,
    prompt: Option<&str>,
    inferred: &mut Inferred,
) -> Vec<Deed> {
    let line = &lines[index];
    if line.method() != Some("turn/started") {
        return Vec::new();
    }
    let thread = line.params()["threadId"].as_str().unwrap_or_default().to_owned();
    if inferred.is_child(lines, &thread) {
        return Vec::new();
    }
    let mut deeds = Vec::new();
    if inferred.opened.insert(thread.clone()) {
        deeds.push(opening(lines, &thread));
    }
    let input = input(&lines[index..], line.params()).unwrap_or_else(|| inferred.first(prompt));
    let params = json!({ "threadId": thread, "input": input });
    let result = json!({ "turn": line.params()["turn"] });
    deeds.push(Deed { thread, done: Done::Turn { params, result }, at: line.entry.at });
    deeds
}

impl Inferred {
    fn is_child(&mut self, lines: &[Line<'_>], thread: &str) -> bool {
        if self.children.is_empty() {
            let all = lines.iter().flat_map(|line| super::read::children(line.params()));
            self.children = all.map(|(child, _)| child).collect();
        }
        self.children.contains(thread)
    }

    /// What caic's first line says was asked, once.
    fn first(&mut self, prompt: Option<&str>) -> Value {
        let known = prompt.filter(|_| !self.prompt_used);
        self.prompt_used = true;
        json!([{ "type": "text", "text": known.unwrap_or(UNKNOWN) }])
    }
}

/// How the thread was opened: the answer says so, else what was announced.
fn opening(lines: &[Line<'_>], thread: &str) -> Deed {
    let answered =
        lines.iter().map(|line| &line.message["result"]).find(|result| result["thread"]["id"] == thread);
    let announced = lines.iter().map(Line::params).find(|params| params["thread"]["id"] == thread);
    let about = announced.map(|params| params["thread"].clone()).unwrap_or_else(|| json!({ "id": thread }));
    let result = answered.cloned().unwrap_or_else(|| json!({ "thread": about }));
    let params = json!({ "cwd": result["cwd"].as_str().or(result["thread"]["cwd"].as_str()) });
    // A thread that has turns when it is opened was there before.
    let resumed = result["thread"]["turns"].as_array().is_some_and(|turns| !turns.is_empty());
    let done = if resumed { Done::Resumed { params, result } } else { Done::Started { params, result } };
    Deed { thread: thread.to_owned(), done, at: None }
}

/// What was said to begin the turn: its first user message.
fn input(after: &[Line<'_>], started: &Value) -> Option<Value> {
    let turn = started["turn"]["id"].as_str()?;
    let items = after
        .iter()
        .map(Line::params)
        .filter(|params| params["turnId"] == turn)
        .map(|params| &params["item"]);
    let message = items.into_iter().find(|item| item["type"] == "userMessage")?;
    Some(message["content"].clone())
}
