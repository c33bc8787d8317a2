//! The scenario: what a stand-in says and does, as a file a person can read.
//!
//! A scenario is a list of rules. The first rule that matches the *last user text* plays; its steps are the model
//! responses of that turn, in order. Which step is next is the number of tool outputs after that text, so a player
//! keeps no state and survives retry, resume and fork.

use serde::Deserialize;

/// A whole scenario file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Shown where a stand-in introduces itself.
    #[serde(default)]
    pub name: String,
    /// Tried in order; the first that matches plays.
    #[serde(default, rename = "rule")]
    pub rules: Vec<Rule>,
}

/// What to do when the last user text matches.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Matches when the text contains this. A rule with neither `contains` nor `regex` matches everything.
    pub contains: Option<String>,
    /// Matches when this regular expression finds something in the text; `$1`, `$name` may be used in `say`.
    pub regex: Option<String>,
    /// One model response each.
    #[serde(default, rename = "step")]
    pub steps: Vec<Step>,
}

/// One model response: its actions in order. Tool calls stand last; each gives one output, and a step's place is the
/// number of outputs before it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What the response contains.
    #[serde(rename = "do")]
    pub actions: Vec<Action>,
}

/// One thing a model response contains.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// An agent message, streamed: `{ say = { text = "Hello", deltas = 3, pace_ms = 20 } }`.
    Say(Say),
    /// Reasoning, streamed as a summary.
    Think(Think),
    /// A shell command (a tool call).
    Run(Run),
    /// A patch in Codex's own patch format (a tool call).
    Patch(Patch),
    /// A dynamic tool of the client's (a tool call).
    Tool(Tool),
    /// A tool of an MCP server (a tool call).
    Mcp(Mcp),
    /// Questions to the person (a tool call).
    Ask(Ask),
    /// The plan, as a checklist (a tool call).
    Plan(Plan),
    /// A sub-agent (a tool call).
    Spawn(Spawn),
    /// Fills the context, so that Codex compacts next; the compaction request is answered with this summary.
    Compact(Compact),
    /// The usage that this response reports.
    Usage(Usage),
    /// A final message that fits the turn's output schema.
    Answer(Answer),
    /// The response fails.
    Fail(Fail),
    /// The response never ends; `after_ms` makes it end like a disconnect.
    Hang(Hang),
    /// Simulated app-server only: the process ends, without a word.
    Crash(Crash),
    /// Simulated app-server only: a line that is not JSON.
    Garbage(Garbage),
    /// Simulated app-server only: a line of this many bytes.
    HugeLine(HugeLine),
    /// Simulated app-server only: half a line, then silence or the end.
    HalfLine(HalfLine),
    /// Simulated app-server only: deltas as fast as the pipe takes them.
    Flood(Flood),
}

/// An agent message.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Say {
    /// The text; `$1` and `$name` stand for what the rule's regular expression found.
    pub text: String,
    /// How often the text is said (a long answer from a short file).
    pub repeat: Option<usize>,
    /// In how many deltas (default: one a word).
    pub deltas: Option<usize>,
    /// Milliseconds between two deltas.
    #[serde(default)]
    pub pace_ms: u64,
    /// `commentary` or `final_answer`, where the version knows phases.
    pub phase: Option<String>,
}

/// Reasoning.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Think {
    /// The summary's text.
    pub text: String,
    /// In how many deltas (default: one a word).
    pub deltas: Option<usize>,
    /// Milliseconds between two deltas.
    #[serde(default)]
    pub pace_ms: u64,
}

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
    /// What can be chosen.
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
}

/// A compaction.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compact {
    /// The summary. Codex goes on from it as the last user text, so a rule should match it.
    pub summary: String,
}

/// Token counts of one response.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Input tokens, cached ones included.
    #[serde(default)]
    pub input: u64,
    /// Of them from the cache.
    #[serde(default)]
    pub cached: u64,
    /// Output tokens, reasoning included.
    #[serde(default)]
    pub output: u64,
    /// Of them reasoning.
    #[serde(default)]
    pub reasoning: u64,
}

/// A structured answer.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Said as it is; without it a value is made from the turn's schema (first enum value, empty list, 0, "").
    pub json: Option<serde_json::Value>,
}

/// How a response fails.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fail {
    /// The way.
    #[serde(rename = "as")]
    pub kind: FailKind,
    /// Words for it.
    pub message: Option<String>,
}

/// The ways a response can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailKind {
    /// HTTP 500.
    ServerError,
    /// HTTP 503, overloaded.
    Overloaded,
    /// HTTP 429.
    TooManyRequests,
    /// HTTP 429, usage limit reached.
    UsageLimit,
    /// HTTP 401.
    Unauthorized,
    /// HTTP 400.
    BadRequest,
    /// HTTP 404, model not found.
    ModelNotFound,
    /// The stream says that the context window is full.
    ContextWindow,
    /// The stream is cut.
    Disconnect,
}

/// A response that does not come.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hang {
    /// Give up after this long; never, without it.
    pub after_ms: Option<u64>,
}

/// The end of the simulated process.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crash {
    /// Its exit code.
    #[serde(default)]
    pub code: i32,
    /// Said on stderr first.
    pub stderr: Option<String>,
}

/// A line that is not JSON.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Garbage {
    /// The line (default: words); it may hold what is not UTF-8 as `\\xNN`.
    pub text: Option<String>,
}

/// A very long line.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HugeLine {
    /// Its length.
    pub bytes: usize,
}

/// A line that stops in the middle.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HalfLine {
    /// End the process then, instead of going on.
    #[serde(default)]
    pub and_exit: bool,
}

/// Many deltas.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flood {
    /// How many.
    pub deltas: usize,
    /// Bytes of each line, about.
    pub line_bytes: Option<usize>,
}

fn empty_object() -> serde_json::Value {
    serde_json::Value::Object(serde_json::Map::new())
}
