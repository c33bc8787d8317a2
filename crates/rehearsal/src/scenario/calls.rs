//! What a response calls: commands, patches, tools, questions, plans, sub-agents.

use serde::Deserialize;

/// A shell command.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// What the shell runs.
    pub command: String,
    /// Ask to run it outside the sandbox: under `on-request` that asks a person.
    #[serde(default)]
    pub escalate: bool,
    /// Why, in words for the person who is asked.
    pub justification: Option<String>,
    /// How long Codex waits for its end before the turn goes on without it (Codex: 10 s; 250 ms to 30 s).
    pub wait_ms: Option<u64>,
    /// `$1` and `${name}` in the command stand for what the rule's regular expression found; `$$` is a dollar sign.
    #[serde(default)]
    pub fill: bool,
}

/// A change of files.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// `*** Begin Patch` … `*** End Patch`.
    pub patch: String,
}

/// A dynamic tool call.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The tool's name.
    pub name: String,
    /// The namespace, where the version knows namespaces.
    pub namespace: Option<String>,
    /// What it is called with.
    #[serde(default = "empty_object")]
    pub arguments: serde_json::Value,
    /// As in a `run`, in every text of the arguments.
    #[serde(default)]
    pub fill: bool,
}

/// An MCP tool call.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mcp {
    /// The server's name in the configuration.
    pub server: String,
    /// The tool's name.
    pub tool: String,
    /// What it is called with.
    #[serde(default = "empty_object")]
    pub arguments: serde_json::Value,
    /// As in a `run`, in every text of the arguments.
    #[serde(default)]
    pub fill: bool,
}

/// Questions to the person.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// One or more.
    pub questions: Vec<Question>,
}

/// One question.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// By which the answer is found.
    pub id: String,
    /// A word or two above it.
    pub header: String,
    /// The question.
    pub question: String,
    /// What can be chosen: at least one, Codex refuses a question without.
    #[serde(default)]
    pub options: Vec<String>,
}

/// The plan.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Its steps.
    pub steps: Vec<PlanStep>,
    /// Why it changed.
    pub explanation: Option<String>,
}

/// One step of a plan.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanStep {
    /// What is to be done.
    pub step: String,
    /// `pending`, `in_progress` or `completed`.
    pub status: String,
}

/// A sub-agent.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spawn {
    /// What it is told; a rule of the same scenario answers it.
    pub prompt: String,
    /// Go on at once, instead of waiting for its end.
    #[serde(default)]
    pub detached: bool,
}

fn empty_object() -> serde_json::Value {
    serde_json::Value::Object(serde_json::Map::new())
}
