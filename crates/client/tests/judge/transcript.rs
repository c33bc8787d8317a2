//! A conversation made stable: grouped so that no accident of timing shows, and with names instead of ids.
//!
//! What Codex says on different threads, its answers, and what concerns the whole connection come interleaved by
//! chance. So a transcript is: our calls with their answers; Codex's requests with ours; what was told of each thread,
//! in order; what was told of none, sorted.

mod names;
mod session;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use names::Names;
pub(crate) use session::LEGACY;
use session::Session;

/// What is told depends on the machine, not on Codex: whether bubblewrap is installed.
const OF_THE_MACHINE: &str = "bubblewrap";

/// The processes of one case.
pub(crate) struct Transcript {
    names: Names,
    sessions: Vec<Session>,
}

impl Transcript {
    /// Paths and addresses that differ from run to run, and what stands for them.
    pub(crate) fn new(places: &[(String, &str)]) -> Self {
        Self { names: Names::new(places), sessions: Vec::new() }
    }

    /// One more process, as the tap recorded it.
    pub(crate) fn read(&mut self, tap: &str) {
        self.sessions.push(Session::read(tap));
    }

    /// One JSON object a line.
    pub(crate) fn lines(mut self) -> Vec<Value> {
        let grouped: Vec<_> = self.sessions.drain(..).map(Session::grouped).collect();
        for line in grouped.iter().flat_map(|(of_threads, _)| of_threads) {
            self.names.learn(line);
        }
        let mut lines = Vec::new();
        let last = grouped.len().saturating_sub(1);
        for (index, (of_threads, of_none)) in grouped.iter().enumerate() {
            if grouped.len() > 1 {
                lines.push(json!({ "process": index + 1 }));
            }
            lines.extend(of_threads.iter().map(|line| self.names.rename(line)));
            // All processes but the last were killed: how far they came in the old words is chance.
            lines.extend(
                self.sorted(of_none).into_iter().filter(|line| index == last || line["legacy"].is_null()),
            );
        }
        lines
    }

    fn sorted(&self, of_none: &[Value]) -> Vec<Value> {
        let texts = of_none.iter().map(|line| self.names.rename(line).to_string());
        let texts: BTreeSet<_> = texts.filter(|text| !text.contains(OF_THE_MACHINE)).collect();
        texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }
}

/// What was told of two threads and of none, in the order of `told`.
fn recorded(ids: [&str; 2], told: [usize; 4]) -> Vec<Value> {
    let messages = [
        json!({"method": "item/agentMessage/delta", "params": {"threadId": ids[0], "turnId": "turn-0", "itemId": "item-0", "delta": "a"}}),
        json!({"method": "thread/archived", "params": {"threadId": ids[1]}, "emittedAtMs": told[0]}),
        json!({"method": "skills/changed", "params": {}}),
        json!({"id": 7, "result": {"thread": {"id": ids[0], "createdAt": told[1]}}}),
    ];
    let ours = json!({"dir": "->", "msg": {"method": "thread/start", "id": 7, "params": {"cwd": "/here"}}});
    let theirs = told.map(|index| json!({"dir": "<-", "msg": messages[index]}));
    let tap: String = [ours].iter().chain(&theirs).map(|entry| format!("{entry}\n")).collect();
    let mut transcript = Transcript::new(&[("/here".to_owned(), "<workspace>")]);
    transcript.read(&tap);
    transcript.lines()
}

#[test]
fn neither_ids_nor_timing_show_in_a_transcript() {
    let one = recorded(["first", "second"], [0, 1, 2, 3]);
    let other = recorded(["alpha", "omega"], [3, 2, 1, 0]);
    assert_eq!(one, other);
    assert_eq!(one[0]["params"]["cwd"], "<workspace>");
    assert_eq!(one[0]["result"]["thread"], json!({"id": "<thread-1>", "createdAt": "<time>"}));
    assert_eq!((&one[1]["params"]["threadId"], &one[1]["deltas"]), (&json!("<thread-1>"), &json!("cut")));
    assert_eq!(one[2]["params"]["threadId"], "<thread-2>");
    assert_eq!(one[3]["method"], "skills/changed");
}
