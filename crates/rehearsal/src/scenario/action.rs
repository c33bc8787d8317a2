//! One thing a model response contains.

use serde::Deserialize;

use super::{
    Answer, Ask, Compact, Crash, Fail, Flood, Garbage, HalfLine, Hang, HugeLine, Mcp, Patch, Plan, Run, Say,
    Search, Spawn, Think, Tool, Usage,
};

/// One thing a model response contains.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// An agent message, streamed: `{ say = { text = "Hello", deltas = 3, pace_ms = 20 } }`.
    Say(Say),
    /// Reasoning, streamed as a summary.
    Think(Think),
    /// A search of the web, which the model's own side makes: it brings no tool output.
    Search(Search),
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

impl Action {
    /// The word that stands for it in a file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Say(_) => "say",
            Self::Think(_) => "think",
            Self::Search(_) => "search",
            Self::Run(_) => "run",
            Self::Patch(_) => "patch",
            Self::Tool(_) => "tool",
            Self::Mcp(_) => "mcp",
            Self::Ask(_) => "ask",
            Self::Plan(_) => "plan",
            Self::Spawn(_) => "spawn",
            Self::Compact(_) => "compact",
            Self::Usage(_) => "usage",
            Self::Answer(_) => "answer",
            Self::Fail(_) => "fail",
            Self::Hang(_) => "hang",
            Self::Crash(_) => "crash",
            Self::Garbage(_) => "garbage",
            Self::HugeLine(_) => "huge_line",
            Self::HalfLine(_) => "half_line",
            Self::Flood(_) => "flood",
        }
    }

    /// Whether it is a tool call, and so is answered by a tool output.
    pub fn is_call(&self) -> bool {
        matches!(
            self,
            Self::Run(_)
                | Self::Patch(_)
                | Self::Tool(_)
                | Self::Mcp(_)
                | Self::Ask(_)
                | Self::Plan(_)
                | Self::Spawn(_)
        )
    }

    /// Whether nothing can follow it in its response.
    pub fn ends_response(&self) -> bool {
        matches!(self, Self::Fail(_) | Self::Hang(_) | Self::Crash(_))
    }
}
