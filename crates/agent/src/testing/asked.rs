//! What Codex was asked, read from what was said to it.

use std::collections::HashMap;

use serde_json::Value;

use super::ear::Line;

/// One message to Codex, as it reached it.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Session, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let rehearsal = Rehearsal::saying("Hello.");
/// let codex = rehearsal.codex().model("gpt-5.5").build().await?;
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Say hello.")).build()?;
/// codex.evaluate(&prompt, &Session::new()).await?;
///
/// let asked = rehearsal.asked().remove(0);
/// assert_eq!(asked.text, "## 1. Task (task)\n\nSay hello.");
/// assert!(asked.tools.is_empty() && asked.output_schema.is_none());
/// assert_eq!(asked.thread["model"], "gpt-5.5");
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// The rendered prompt.
    pub text: String,
    /// The names of the tools that its thread was made with.
    pub tools: Vec<String>,
    /// What the answer has to be.
    pub output_schema: Option<Value>,
    /// The thread it was said in.
    pub thread_id: String,
    /// Everything of it, in Codex's words: the parameters of `turn/start`.
    pub turn: Value,
    /// Everything its thread was made with: the parameters of `thread/start`. Null, if the thread was made elsewhere.
    pub thread: Value,
}

/// A request, and what was answered.
pub(super) struct Taken<'a> {
    pub(super) method: &'a str,
    pub(super) params: &'a Value,
    result: &'a Value,
}

/// Every request that was not refused, in its order. What a Codex can do is found out by asking for the impossible, and that says nothing to
/// a test.
pub(super) fn taken(lines: &[Line]) -> impl Iterator<Item = Taken<'_>> {
    let key = |line: &Line| (line.conversation, line.message["id"].to_string());
    let answers = lines.iter().filter(|line| !line.sent && line.message.get("method").is_none());
    let answers: HashMap<_, _> = answers.map(|line| (key(line), &line.message)).collect();
    lines.iter().filter(|line| line.sent).filter_map(move |line| {
        let answer = answers.get(&key(line)).copied().unwrap_or(&Value::Null);
        let (method, params) = (line.message["method"].as_str()?, &line.message["params"]);
        answer.get("error").is_none().then_some(Taken { method, params, result: &answer["result"] })
    })
}

/// All messages, oldest first.
pub(super) fn read(lines: &[Line]) -> Vec<Asked> {
    let mut threads: HashMap<&str, &Value> = HashMap::new();
    let mut asked = Vec::new();
    for Taken { method, params, result } in taken(lines) {
        match (method, result["thread"]["id"].as_str()) {
            ("thread/start", Some(thread)) => {
                threads.insert(thread, params);
            }
            ("turn/start", _) => asked.push(one(params, &threads)),
            _ => {}
        }
    }
    asked
}

fn one(turn: &Value, threads: &HashMap<&str, &Value>) -> Asked {
    let thread_id = turn["threadId"].as_str().unwrap_or_default();
    let thread = threads.get(thread_id).map_or(Value::Null, |params| (*params).clone());
    let parts = turn["input"].as_array().map(Vec::as_slice).unwrap_or_default();
    let tools = thread["dynamicTools"].as_array().map(Vec::as_slice).unwrap_or_default();
    Asked {
        text: parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        tools: tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect(),
        output_schema: Some(turn["outputSchema"].clone()).filter(|schema| !schema.is_null()),
        thread_id: thread_id.to_owned(),
        turn: turn.clone(),
        thread,
    }
}
