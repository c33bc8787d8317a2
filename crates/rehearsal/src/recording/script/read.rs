//! Reads a recording as a script: pairs what was asked with what was answered, and finds what the client did.

use std::collections::{HashMap, HashSet};

use selvedge_recording::{Direction, Entry, Recording};
use serde_json::Value;

use super::{Say, Script, Step, inferred};
use crate::recording::{
    answers::Answers,
    deed::{Answered, Deed, Done},
};

/// A line that was said, read once.
pub(super) struct Line<'a> {
    pub(super) entry: &'a Entry,
    pub(super) message: Value,
}

impl Line<'_> {
    pub(super) fn method(&self) -> Option<&str> {
        self.message["method"].as_str()
    }

    pub(super) fn id(&self) -> Option<String> {
        self.message.get("id").map(Value::to_string)
    }

    pub(super) fn params(&self) -> &Value {
        &self.message["params"]
    }

    fn was_sent(&self) -> bool {
        self.entry.direction == Direction::Sent
    }
}

pub(super) fn script(recording: &Recording) -> Script {
    let lines: Vec<_> = recording
        .entries
        .iter()
        .map(|entry| Line { entry, message: serde_json::from_str(&entry.text).unwrap_or_default() })
        .collect();
    let mut reading = Reading::new(&lines);
    let has_client = lines.iter().any(Line::was_sent);
    for (index, line) in lines.iter().enumerate() {
        if !has_client {
            let before = inferred::before(&lines, index, recording.prompt.as_deref(), &mut reading.inferred);
            reading.steps.extend(before.into_iter().map(Step::Await));
        }
        reading.line(index, line);
    }
    reading.script()
}

struct Reading<'a> {
    /// What Codex answered to each request of the client's: where the request stands, and the answer.
    replies: HashMap<usize, &'a Value>,
    /// What the client answered to each request of Codex's: where the answer stands, and the request.
    asked: HashMap<usize, &'a Line<'a>>,
    steps: Vec<Step>,
    answers: Answers,
    left_out: Vec<String>,
    inferred: inferred::Inferred,
    opened: HashSet<String>,
    /// The turn that runs in each thread.
    running: HashMap<String, String>,
    interrupted: HashSet<String>,
    ended: HashSet<String>,
    parents: HashMap<String, String>,
}

impl<'a> Reading<'a> {
    fn new(lines: &'a [Line<'a>]) -> Self {
        Self {
            replies: replies(lines),
            asked: asked(lines),
            steps: Vec::new(),
            answers: Answers::default(),
            left_out: Vec::new(),
            inferred: inferred::Inferred::default(),
            opened: HashSet::new(),
            running: HashMap::new(),
            interrupted: HashSet::new(),
            ended: HashSet::new(),
            parents: HashMap::new(),
        }
    }

    fn line(&mut self, index: usize, line: &'a Line<'a>) {
        match (line.was_sent(), line.method()) {
            (true, Some(method)) => self.client_asked(index, line, method),
            (true, None) => self.client_answered(index, line),
            // An answer is given when it is asked for.
            (false, None) if line.message.get("id").is_some() => {}
            (false, _) => self.codex_said(line),
        }
    }

    fn client_asked(&mut self, index: usize, line: &Line<'_>, method: &str) {
        let Some(reply) = self.replies.get(&index).copied() else { return };
        self.answers.add(method, line.params(), reply);
        let Some(result) = reply.get("result") else { return };
        let Some(done) = self.deed(method, line.params(), result) else { return };
        let thread = match &done {
            Done::Started { result, .. } | Done::Resumed { result, .. } => &result["thread"]["id"],
            _ => &line.params()["threadId"],
        };
        let thread = thread.as_str().unwrap_or_default().to_owned();
        let deed = Deed { thread, done, at: line.entry.at };
        if self.can_be_done_again(&deed) {
            if let Some(turn) = deed.turn() {
                self.running.insert(deed.thread.clone(), turn.to_owned());
            }
            self.steps.push(Step::Await(deed));
        }
    }

    fn deed(&self, method: &str, params: &Value, result: &Value) -> Option<Done> {
        let (params, result) = (params.clone(), result.clone());
        Some(match method {
            "thread/start" => Done::Started { params, result },
            "thread/resume" | "thread/fork" => Done::Resumed { params, result },
            "turn/start" => {
                let running = params["threadId"].as_str().and_then(|thread| self.running.get(thread));
                match running {
                    Some(turn) if result["turn"]["id"] == turn.as_str() => Done::Steered { params, result },
                    _ => Done::Turn { params, result },
                }
            }
            "turn/steer" => Done::Steered { params, result },
            "turn/interrupt" => Done::Interrupted,
            "thread/compact/start" | "thread/compact" => Done::Compacted,
            "review/start" => Done::Reviewed { params, result },
            _ => return None,
        })
    }

    /// A session opens a thread once, and only to work in it; and it interrupts a turn once.
    fn can_be_done_again(&mut self, deed: &Deed) -> bool {
        if deed.opens() {
            return self.opened.insert(deed.thread.clone());
        }
        let running = self.running.get(&deed.thread);
        match &deed.done {
            _ if !self.opened.contains(&deed.thread) => false,
            Done::Reviewed { params, .. } if params["delivery"] == "detached" => {
                self.left_out.push(format!("a review of thread {} in a thread of its own", deed.thread));
                false
            }
            Done::Interrupted => running.is_some_and(|turn| self.interrupted.insert(turn.clone())),
            Done::Turn { .. } if running.is_some() => {
                let what = format!("a second turn was started in thread {} while one ran", deed.thread);
                self.left_out.push(what);
                false
            }
            _ => true,
        }
    }

    fn client_answered(&mut self, index: usize, line: &Line<'_>) {
        let Some(asked) = self.asked.get(&index) else { return };
        let answered = Answered {
            id: asked.id().unwrap_or_default(),
            method: asked.method().unwrap_or_default().to_owned(),
            params: asked.params().clone(),
            result: line.message.get("result").cloned(),
        };
        let thread = ["threadId", "conversationId"].iter().find_map(|key| asked.params()[*key].as_str());
        let thread = thread.unwrap_or_default().to_owned();
        let deed = Deed { thread, done: Done::Answered(Box::new(answered)), at: line.entry.at };
        self.steps.push(Step::Await(deed));
    }

    fn codex_said(&mut self, line: &Line<'_>) {
        let params = line.params();
        let thread = params["threadId"].as_str().unwrap_or_default();
        let turn = params["turn"]["id"].as_str().unwrap_or_default();
        match line.method() {
            Some("turn/started") => {
                self.running.insert(thread.to_owned(), turn.to_owned());
            }
            Some("turn/completed") => {
                self.running.remove(thread);
                self.ended.insert(turn.to_owned());
            }
            _ => {}
        }
        self.parents.extend(children(params));
        let (at, text) = (line.entry.at, line.entry.text.clone());
        self.steps.push(Step::Say(Say { at, text, message: line.message.clone() }));
    }

    /// A thread in which nothing was begun is not opened: nobody would know that it is there.
    fn script(mut self) -> Script {
        let used: HashSet<String> = self
            .steps
            .iter()
            .filter_map(|step| match step {
                Step::Await(deed) if deed.begins() => Some(deed.thread.clone()),
                _ => None,
            })
            .collect();
        self.steps.retain(
            |step| !matches!(step, Step::Await(deed) if deed.opens() && !used.contains(&deed.thread)),
        );
        Script {
            steps: self.steps,
            left_out: self.left_out,
            answers: self.answers,
            parents: self.parents,
            ended: self.ended,
            unfinished: self.running.into_keys().collect(),
        }
    }
}

/// The threads that are named as another one's children.
pub(super) fn children(params: &Value) -> Vec<(String, String)> {
    let thread = &params["thread"];
    let spawned = &thread["source"]["subAgent"]["thread_spawn"]["parent_thread_id"];
    let announced = thread["parentThreadId"].as_str().or_else(|| spawned.as_str());
    let own = announced.and_then(|parent| Some((thread["id"].as_str()?.to_owned(), parent.to_owned())));
    let parent = params["threadId"].as_str().unwrap_or_default();
    let received = params["item"]["receiverThreadIds"].as_array();
    let named = received.into_iter().flatten().filter_map(Value::as_str);
    let named = named.chain(params["item"]["agentThreadId"].as_str());
    own.into_iter().chain(named.map(|child| (child.to_owned(), parent.to_owned()))).collect()
}

fn replies<'a>(lines: &'a [Line<'a>]) -> HashMap<usize, &'a Value> {
    let mut open = HashMap::new();
    let mut found = HashMap::new();
    for (index, line) in lines.iter().enumerate() {
        match (line.was_sent(), line.method(), line.id()) {
            (true, Some(_), Some(id)) => drop(open.insert(id, index)),
            (false, None, Some(id)) => {
                if let Some(asked) = open.remove(&id) {
                    found.insert(asked, &line.message);
                }
            }
            _ => {}
        }
    }
    found
}

fn asked<'a>(lines: &'a [Line<'a>]) -> HashMap<usize, &'a Line<'a>> {
    let mut open = HashMap::new();
    let mut found = HashMap::new();
    for (index, line) in lines.iter().enumerate() {
        match (line.was_sent(), line.method(), line.id()) {
            (false, Some(_), Some(id)) => drop(open.insert(id, line)),
            (true, None, Some(id)) => {
                if let Some(asked) = open.remove(&id) {
                    found.insert(index, asked);
                }
            }
            _ => {}
        }
    }
    found
}
