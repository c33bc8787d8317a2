//! How a tool action is to be spoken in a request: as a call of its own, in a script, or not at all.

use serde_json::{Value, json};

use super::{
    ids::{CallMark, content_hash},
    request::Request,
};
use crate::scenario::{Action, Ask, Mcp, Mode, Patch, Plan, Run, Spawn, Tool};

/// A tool action in the words of this request.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Speech {
    /// A call item of its own.
    Call(Call),
    /// A line of the response's script, in code mode.
    Line(Line),
    /// It cannot be played here, and why.
    Impossible(String),
}

/// A tool call item.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) mark: CallMark,
    pub(super) namespace: Option<String>,
    pub(super) name: String,
    pub(super) input: Input,
}

/// What a call is given: JSON, or text as it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Input {
    Arguments(Value),
    Text(String),
}

/// One call of a script.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) tool: String,
    pub(super) input: Value,
}

impl Call {
    pub(super) fn function(name: &str, arguments: Value) -> Self {
        Self { mark: CallMark::Call, namespace: None, name: name.into(), input: Input::Arguments(arguments) }
    }

    pub(super) fn custom(name: &str, text: &str) -> Self {
        Self { mark: CallMark::Call, namespace: None, name: name.into(), input: Input::Text(text.into()) }
    }

    pub(super) fn within(self, namespace: &str) -> Self {
        Self { namespace: Some(namespace.into()), ..self }
    }

    pub(super) fn marked(self, mark: CallMark) -> Self {
        Self { mark, ..self }
    }
}

/// How this action is spoken; `None` if it is no tool call.
pub(super) fn speech(action: &Action, request: &Request) -> Option<Speech> {
    Some(match action {
        Action::Run(run) => command(run, request),
        Action::Patch(patch) => change(patch, request),
        Action::Tool(tool) => dynamic(tool, request),
        Action::Mcp(mcp) => remote(mcp, request),
        Action::Ask(ask) => question(ask, request),
        Action::Plan(plan) => checklist(plan, request),
        Action::Spawn(spawn) => sub_agent(spawn, request),
        _ => return None,
    })
}

/// A command by whichever tool there is: `exec_command`, or before it `shell_command`, or before that `shell`.
fn command(run: &Run, request: &Request) -> Speech {
    let offered = &request.offered;
    let what = json!(run.command);
    if offered.code_mode() {
        line("exec_command", arguments_of(run, ["cmd", "yield_time_ms"], &what))
    } else if offered.has("exec_command") {
        let arguments = arguments_of(run, ["cmd", "yield_time_ms"], &what);
        Speech::Call(Call::function("exec_command", arguments))
    } else if offered.has("shell_command") {
        // These two wait for the command's end, or end it.
        Speech::Call(Call::function("shell_command", arguments_of(run, ["command", "timeout_ms"], &what)))
    } else if offered.has("shell") {
        let words = json!(["bash", "-lc", run.command]);
        Speech::Call(Call::function("shell", arguments_of(run, ["command", "timeout_ms"], &words)))
    } else {
        impossible("no `exec_command` is offered")
    }
}

fn arguments_of(run: &Run, [command, patience]: [&str; 2], what: &Value) -> Value {
    let mut arguments = json!({ command: what });
    if run.escalate {
        arguments["sandbox_permissions"] = json!("require_escalated");
        let why = run.justification.as_deref().unwrap_or("May this command run outside the sandbox?");
        arguments["justification"] = json!(why);
    }
    if let Some(wait) = run.wait_ms {
        arguments[patience] = json!(wait);
    }
    arguments
}

fn change(patch: &Patch, request: &Request) -> Speech {
    let offered = &request.offered;
    if offered.in_script("apply_patch") && offered.code_mode() {
        line("apply_patch", json!(patch.patch))
    } else if offered.has("apply_patch") {
        Speech::Call(Call::custom("apply_patch", &patch.patch))
    } else {
        // Codex reads `apply_patch` out of a command too, and shows the same file change.
        let shell = format!("apply_patch <<'END_OF_PATCH'\n{}\nEND_OF_PATCH\n", patch.patch.trim_end());
        command(&Run { command: shell, ..Run::default() }, request)
    }
}

fn dynamic(tool: &Tool, request: &Request) -> Speech {
    let offered = &request.offered;
    let call = Call::function(&tool.name, tool.arguments.clone());
    match &tool.namespace {
        _ if offered.code_mode() => {
            line(&script_name(tool.namespace.as_deref(), &tool.name), tool.arguments.clone())
        }
        None if offered.has(&tool.name) || offered.hides_some() => Speech::Call(call),
        Some(space) if offered.has_in(space, &tool.name) || offered.hides_some() => {
            Speech::Call(call.within(space))
        }
        _ => impossible(&format!("the thread has no dynamic tool `{}`", tool.name)),
    }
}

fn remote(mcp: &Mcp, request: &Request) -> Speech {
    let offered = &request.offered;
    let space = format!("mcp__{}", mcp.server);
    let flat = format!("{space}__{}", mcp.tool);
    if offered.code_mode() {
        line(&script_name(Some(&space), &mcp.tool), mcp.arguments.clone())
    } else if offered.has(&flat) {
        Speech::Call(Call::function(&flat, mcp.arguments.clone()))
    } else if offered.has_in(&space, &mcp.tool) || offered.hides_some() {
        Speech::Call(Call::function(&mcp.tool, mcp.arguments.clone()).within(&space))
    } else {
        impossible(&format!("no MCP server `{}` offers `{}`", mcp.server, mcp.tool))
    }
}

fn question(ask: &Ask, request: &Request) -> Speech {
    if !request.offered.has("request_user_input") {
        return impossible("no `request_user_input` is offered");
    }
    if request.offered.asks_in_plan_mode_only() && request.mode != Some(Mode::Plan) {
        return impossible("Codex asks questions only in plan mode");
    }
    let questions = ask.questions.iter().map(|question| {
        let options = question.options.iter().map(|label| json!({"label": label, "description": label}));
        let options: Vec<Value> = options.collect();
        json!({"id": question.id, "header": question.header, "question": question.question, "options": options})
    });
    let questions: Vec<Value> = questions.collect();
    Speech::Call(Call::function("request_user_input", json!({ "questions": questions })))
}

fn checklist(plan: &Plan, request: &Request) -> Speech {
    if request.mode == Some(Mode::Plan) {
        return impossible("Codex keeps no checklist in plan mode");
    }
    let steps = plan.steps.iter().map(|step| json!({"step": step.step, "status": step.status}));
    let mut arguments = json!({ "plan": steps.collect::<Vec<_>>() });
    if let Some(explanation) = &plan.explanation {
        arguments["explanation"] = json!(explanation);
    }
    if request.offered.code_mode() && request.offered.in_script("update_plan") {
        line("update_plan", arguments)
    } else if request.offered.has("update_plan") {
        Speech::Call(Call::function("update_plan", arguments))
    } else {
        impossible("no `update_plan` is offered; set `tools.update_plan.enabled = true`")
    }
}

fn sub_agent(spawn: &Spawn, request: &Request) -> Speech {
    let offered = &request.offered;
    let simple = Call::function("spawn_agent", json!({ "message": spawn.prompt }));
    let call = if offered.has_in("collaboration", "spawn_agent") {
        // Without history the child is told only its task, as in the other kinds.
        let name = format!("agent_{:08x}", content_hash(&spawn.prompt, request.user_text.as_bytes()) >> 32);
        let arguments = json!({"task_name": name, "message": spawn.prompt, "fork_turns": "none"});
        Call::function("spawn_agent", arguments).within("collaboration")
    } else if offered.has("spawn_agent") {
        simple
    } else if offered.has_in("multi_agent_v1", "spawn_agent") || offered.hides_some() {
        simple.within("multi_agent_v1")
    } else {
        return impossible("no `spawn_agent` is offered");
    };
    Speech::Call(if spawn.detached { call } else { call.marked(CallMark::Spawn) })
}

/// A tool's name in a script: what is no JavaScript identifier becomes `_`.
fn script_name(namespace: Option<&str>, name: &str) -> String {
    let full = namespace.map_or_else(|| name.to_owned(), |space| format!("{space}__{name}"));
    full.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}

fn line(tool: &str, input: Value) -> Speech {
    Speech::Line(Line { tool: tool.into(), input })
}

fn impossible(why: &str) -> Speech {
    Speech::Impossible(why.into())
}
