//! What Codex asks, as a browser's dialog.

use selvedge_session::{
    ApprovalId, ToolCallId,
    data::{self, ApprovalKind, Decision},
};
use serde_json::{Value, json};

use super::{
    message::{Message, PermissionRequest, Rule, Suggestion},
    speaker::{Place, Speaker},
    tools,
};
use crate::item::{changes, words};

/// A question that is open, and what its answer needs.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) request: PermissionRequest,
    pub(super) about: About,
}

/// What was asked.
#[derive(Debug, Clone)]
pub(super) enum About {
    Approval { id: ApprovalId, kind: ApprovalKind, request: Value },
    Tool { id: ToolCallId, name: String },
}

/// How a question is shown.
struct Shown {
    prefix: &'static str,
    tool: String,
    input: Value,
    description: String,
    suggestions: Vec<Suggestion>,
}

impl Speaker {
    pub(super) fn approval_requested(
        &mut self,
        place: Place,
        it: &data::ApprovalRequested,
        said: &mut Vec<Message>,
    ) {
        let request: Value = serde_json::from_str(it.request.text()).unwrap_or_default();
        let item = self.open.get(&place.key).map_or(&Value::Null, |open| &open.input);
        let shown = match it.kind {
            ApprovalKind::Command => command(&request, item),
            ApprovalKind::FileChange => file_change(&request, item),
            ApprovalKind::Permissions => permissions(&request),
            ApprovalKind::UserInput => user_input(&request),
            ApprovalKind::Elicitation => elicitation(&request),
        };
        let about = About::Approval { id: it.approval_id, kind: it.kind, request };
        said.push(self.asks(place, shown, about));
    }

    pub(super) fn tool_requested(&mut self, place: Place, it: &data::ToolRequested, said: &mut Vec<Message>) {
        let mut input: Value = serde_json::from_str(it.arguments.text()).unwrap_or_default();
        let leaves_planning = it.tool == "ExitPlanMode";
        if let Some(fields) = input.as_object_mut().filter(|_| !leaves_planning) {
            fields.insert("call_id".to_owned(), json!(place.key.2));
        }
        let shown = Shown {
            prefix: if leaves_planning { "codex-exitplan-" } else { "codex-dynamic-" },
            tool: tools::dynamic(&it.tool),
            input,
            description: format!("Codex calls {}", it.tool),
            suggestions: Vec::new(),
        };
        let about = About::Tool { id: it.tool_call_id, name: it.tool.clone() };
        said.push(self.asks(place, shown, about));
    }

    fn asks(&mut self, place: Place, shown: Shown, about: About) -> Message {
        let id = match &about {
            About::Approval { id, .. } => id.to_string(),
            About::Tool { id, .. } => id.to_string(),
        };
        let tool_use_id = self.open.get(&place.key).map_or(place.key.2, |open| open.id.clone());
        let request = PermissionRequest {
            request_id: format!("{}{id}", shown.prefix),
            tool_name: shown.tool,
            input: shown.input,
            permission_suggestions: shown.suggestions,
            description: shown.description,
            tool_use_id,
            agent_id: place.key.0,
            timestamp: place.at.0,
        };
        let message = Message::PermissionRequest { request: Box::new(request.clone()) };
        self.pending.insert(request.request_id.clone(), Asked { request, about });
        message
    }

    pub(super) fn approval_resolved(&mut self, it: &data::ApprovalResolved, said: &mut Vec<Message>) {
        let Some(asked) = self.settled(&it.approval_id.to_string(), said) else { return };
        if it.by == "policy" {
            let allowed = matches!(it.decision, Decision::Accept | Decision::AcceptForSession);
            said.push(Message::PermissionAutoResolved {
                request: Box::new(asked.request),
                behavior: if allowed { "allow" } else { "deny" },
                reason: "the session's policy".to_owned(),
            });
        }
    }

    pub(super) fn tool_resolved(&mut self, it: &data::ToolResolved, said: &mut Vec<Message>) {
        self.settled(&it.tool_call_id.to_string(), said);
    }

    fn settled(&mut self, id: &str, said: &mut Vec<Message>) -> Option<Asked> {
        let request_id = self.pending.keys().find(|request_id| request_id.ends_with(id))?.clone();
        let asked = self.pending.remove(&request_id);
        said.push(Message::PermissionCancelled { request_id });
        asked
    }
}

/// A command, in today's words or in those of the older request. What it lacks stands in the item that waits.
fn command(request: &Value, item: &Value) -> Shown {
    let command = match words(&request["command"]) {
        none if none.is_empty() => item["command"].as_str().unwrap_or_default().to_owned(),
        command => command,
    };
    let mut input = json!({"command": command});
    for (name, key) in [("cwd", "cwd"), ("network", "networkApprovalContext")] {
        if !request[key].is_null() {
            input[name] = request[key].clone();
        }
    }
    let mut suggestions = vec![for_session("Bash", Some(command.clone()))];
    if let Some(amendment) = amendment(request) {
        suggestions.push(Suggestion {
            destination: "userSettings",
            ..for_session("Bash", Some(amendment.join(" ")))
        });
    }
    let reason = text(&request["reason"]);
    Shown {
        prefix: "codex-approval-",
        tool: "Bash".to_owned(),
        description: if reason.is_empty() { format!("Execute: {command}") } else { reason },
        input,
        suggestions,
    }
}

/// The words that Codex would let every command begin with from then on.
pub(super) fn amendment(request: &Value) -> Option<Vec<String>> {
    let words = request["proposedExecpolicyAmendment"].as_array().filter(|words| !words.is_empty())?;
    words.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

/// Which files stands in the item that waits; in the older request, in the request.
fn file_change(request: &Value, item: &Value) -> Shown {
    let older = request["fileChanges"].as_object().into_iter().flat_map(|files| files.keys().cloned());
    let changes = changes(&item["changes"]);
    let paths: Vec<_> = changes.iter().map(|change| change.path.clone()).chain(older).collect();
    let mut description = match paths.as_slice() {
        [] => "Codex wants to modify files".to_owned(),
        paths => format!("Codex wants to modify: {}", paths.join(", ")),
    };
    let reason = text(&request["reason"]);
    if !reason.is_empty() {
        description = format!("{description} ({reason})");
    }
    let mut input = json!({"description": description});
    if !paths.is_empty() {
        input["file_paths"] = json!(paths);
    }
    if !changes.is_empty() {
        input["changes"] = json!(changes);
    }
    let suggestions = vec![for_session("Edit", None)];
    Shown { prefix: "codex-approval-", tool: "Edit".to_owned(), input, description, suggestions }
}

fn permissions(request: &Value) -> Shown {
    let reason = text(&request["reason"]);
    Shown {
        prefix: "codex-permissions-",
        tool: "RequestPermissions".to_owned(),
        input: json!({"reason": reason, "permissions": request["permissions"]}),
        description: if reason.is_empty() { "Codex asks for more permissions".to_owned() } else { reason },
        suggestions: vec![for_session("RequestPermissions", None)],
    }
}

fn user_input(request: &Value) -> Shown {
    let questions = request["questions"].as_array().into_iter().flatten();
    let questions = questions.map(|question| {
        let options = question["options"].as_array().into_iter().flatten();
        let options =
            options.map(|option| json!({"label": option["label"], "description": option["description"]}));
        json!({
            "header": question["header"],
            "question": question["question"],
            "options": options.collect::<Vec<_>>(),
        })
    });
    ask("codex-userinput-", &questions.collect::<Vec<_>>(), "Codex has questions".to_owned())
}

/// "May this MCP tool be called?" comes as an empty form; other forms ask field by field, and what has no field yes or no.
fn elicitation(request: &Value) -> Shown {
    let server = text(&request["serverName"]);
    let message = text(&request["message"]);
    if request["_meta"]["codex_approval_kind"].is_string() {
        let tool = format!("mcp:{server}:{}", quoted(&message));
        let persists = words(&request["_meta"]["persist"]).contains("session");
        return Shown {
            prefix: "codex-mcp-elicitation-",
            input: request["_meta"]["tool_params"].clone(),
            suggestions: if persists { vec![for_session(&tool, None)] } else { Vec::new() },
            tool,
            description: message,
        };
    }
    let fields = fields(request);
    let question = |(name, field): &(String, Value)| {
        let title = field["title"].as_str().or(field["description"].as_str()).unwrap_or(name);
        let options = choices(field).into_iter().map(|choice| json!({"label": choice, "description": ""}));
        json!({"header": name, "question": title, "options": options.collect::<Vec<_>>()})
    };
    let mut questions: Vec<_> = fields.iter().map(question).collect();
    if questions.is_empty() {
        let link = text(&request["url"]);
        let option = |label: &str| json!({"label": label, "description": link});
        let options = ["Accept", "Decline"].map(option);
        questions.push(json!({"header": server, "question": message, "options": options}));
    }
    ask("codex-mcp-elicitation-", &questions, message)
}

/// The fields of a form, in their order.
pub(super) fn fields(request: &Value) -> Vec<(String, Value)> {
    let fields = request["requestedSchema"]["properties"].as_object().into_iter().flatten();
    fields.map(|(name, field)| (name.clone(), field.clone())).collect()
}

fn choices(field: &Value) -> Vec<String> {
    if field["type"] == "boolean" {
        return vec!["true".to_owned(), "false".to_owned()];
    }
    let listed = field["enum"].as_array().into_iter().flatten();
    listed.map(|choice| choice.as_str().map_or_else(|| choice.to_string(), str::to_owned)).collect()
}

fn ask(prefix: &'static str, questions: &[Value], description: String) -> Shown {
    let (tool, input) = ("AskUserQuestion".to_owned(), json!({ "questions": questions }));
    Shown { prefix, tool, input, description, suggestions: Vec::new() }
}

fn for_session(tool: &str, content: Option<String>) -> Suggestion {
    let rules = vec![Rule { tool_name: tool.to_owned(), rule_content: content }];
    Suggestion { kind: "addRules", rules, behavior: "allow", destination: "session" }
}

/// What stands between the first quotes: Codex names the tool only there.
fn quoted(message: &str) -> &str {
    message.split('"').nth(1).unwrap_or("tool")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
