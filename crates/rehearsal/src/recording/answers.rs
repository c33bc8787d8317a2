//! What Codex answered to what was asked, to be given again.

use std::collections::{HashMap, VecDeque};

use serde_json::{Value, json};

/// The answers of a recording.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// By what was asked, word for word: what a client asks to learn what Codex can do is refused, and so again.
    exact: HashMap<String, VecDeque<Value>>,
    /// By method and thread; the last one is given again and again.
    like: HashMap<(String, Option<String>), VecDeque<Value>>,
}

impl Answers {
    pub(super) fn add(&mut self, method: &str, params: &Value, reply: &Value) {
        let answer = match (reply.get("result"), reply.get("error")) {
            (Some(result), _) => json!({ "result": result }),
            (None, error) => json!({ "error": error }),
        };
        if answer.get("error").is_some() {
            self.exact.entry(exactly(method, params)).or_default().push_back(answer);
        } else {
            self.like.entry(likely(method, params)).or_default().push_back(answer);
        }
    }

    /// How the very same request was refused.
    pub(super) fn refusal(&mut self, method: &str, params: &Value) -> Option<Value> {
        self.exact.get_mut(&exactly(method, params)).and_then(next)
    }

    /// What was answered to a request like this.
    pub(super) fn answer(&mut self, method: &str, params: &Value) -> Option<Value> {
        self.like.get_mut(&likely(method, params)).and_then(next)
    }
}

fn next(answers: &mut VecDeque<Value>) -> Option<Value> {
    if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() }
}

fn exactly(method: &str, params: &Value) -> String {
    format!("{method} {params}")
}

fn likely(method: &str, params: &Value) -> (String, Option<String>) {
    (method.to_owned(), params["threadId"].as_str().map(str::to_owned))
}
