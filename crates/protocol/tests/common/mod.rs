//! The recorded conversations, and a walk through every view of one message.
#![expect(clippy::expect_used, clippy::panic, reason = "a recording that cannot be read is a failed test")]

use std::{collections::HashMap, fs, path::Path};

use selvedge_protocol::{
    calls,
    frame::{Frame, Outcome},
    see::{Notification, ServerRequest},
    touch::{Seen, Touch},
};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

/// A message that Codex said.
#[derive(Clone)]
pub(crate) struct Received {
    /// The recording and line it is from.
    pub(crate) origin: String,
    /// The message as it was recorded.
    pub(crate) text: String,
    /// If it is a response: the method it answers.
    pub(crate) answers: Option<String>,
}

#[derive(Deserialize)]
struct Recorded<'a> {
    dir: &'a str,
    #[serde(borrow)]
    msg: &'a RawValue,
}

/// Everything that Codex said in the recordings whose name `wanted` accepts.
pub(crate) fn received(wanted: fn(&str) -> bool) -> Vec<Received> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../transcripts/recorded");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("recordings").map(|entry| entry.expect("entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
    files.sort();
    let mut all = Vec::new();
    for path in files {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if wanted(&name) {
            all.extend(one_file(&name, &fs::read_to_string(path).expect("a recording")));
        }
    }
    assert!(!all.is_empty());
    all
}

fn one_file(name: &str, text: &str) -> Vec<Received> {
    let mut asked: HashMap<String, String> = HashMap::new();
    let mut received = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Ok(Recorded { dir, msg }) = serde_json::from_str(line) else { panic!("{name}:{}", number + 1) };
        let message: Value = serde_json::from_str(msg.get()).expect("JSON");
        if message.get("_truncated").is_some() {
            continue; // The recorder kept only the head of very long lines.
        }
        let (id, method) = (message["id"].to_string(), message["method"].as_str());
        match (dir, method) {
            ("->", Some(method)) => drop(asked.insert(id, method.to_owned())),
            ("<-", _) => {
                let answers = asked.get(&id).filter(|_| method.is_none()).cloned();
                received.push(Received {
                    origin: format!("{name}:{}", number + 1),
                    text: msg.get().to_owned(),
                    answers,
                });
            }
            _ => {}
        }
    }
    received
}

/// Reads a message, calls every accessor of its view, and says whether it has one.
pub(crate) fn walk(text: &str, answers: Option<&str>, witness: &mut dyn FnMut(Seen<'_>)) -> bool {
    match Frame::read(text) {
        Frame::Notification { method, params } => {
            let message = Notification::read(method, params);
            message.touch(witness);
            !matches!(message, Notification::Unknown { .. })
        }
        Frame::Request { method, params, .. } => {
            let message = ServerRequest::read(method, params);
            message.touch(witness);
            !matches!(message, ServerRequest::Unknown { .. })
        }
        Frame::Response { outcome: Outcome::Result(raw), .. } => {
            calls::touch(answers.unwrap_or_default(), raw, witness)
        }
        Frame::Response { outcome: Outcome::Error(_), .. } => true,
        Frame::Malformed(_) => false,
    }
}
