//! A browser's answers as answers of ours. Only what was asked for is ever granted.

use selvedge_session::{
    Json, Patch, PermissionMode,
    data::{ApprovalKind, Decision},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    asking::{self, About},
    speaker::Speaker,
};
use crate::wish::Wish;

/// `permission_response`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct PermissionResponse {
    request_id: String,
    behavior: Behavior,
    #[serde(default)]
    updated_input: Value,
    #[serde(default)]
    updated_permissions: Vec<Value>,
    message: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Behavior {
    Allow,
    Deny,
}

impl Speaker {
    /// What an answer of a browser's wants done; nothing if nothing of that name is open.
    pub(super) fn answered(&self, response: PermissionResponse) -> Option<Vec<Wish>> {
        let asked = self.pending.get(&response.request_id)?;
        Some(match &asked.about {
            About::Approval { id, kind, request } => {
                let (decision, content) = response.decision(*kind, request);
                let content = content.map(Json::from);
                vec![Wish::Answer { approval_id: *id, decision, message: response.message, content }]
            }
            About::Tool { id, name } => {
                let (success, content) = response.tool(name);
                let answer = Wish::AnswerTool { tool_call_id: *id, success, content: Json::from(content) };
                let leaves = name == "ExitPlanMode" && success;
                let mode = self.unplanned.unwrap_or(PermissionMode::AcceptEdits);
                let patch = Patch { permission_mode: Some(mode), ..Patch::default() };
                [answer].into_iter().chain(leaves.then(|| Wish::Update(Box::new(patch)))).collect()
            }
        })
    }
}

impl PermissionResponse {
    fn decision(&self, kind: ApprovalKind, request: &Value) -> (Decision, Option<Value>) {
        if self.behavior == Behavior::Deny || self.declines(kind, request) {
            return (Decision::Decline, None);
        }
        match kind {
            ApprovalKind::UserInput => (Decision::Accept, Some(json!({"answers": self.answers(request)}))),
            ApprovalKind::Elicitation if !asking::fields(request).is_empty() => {
                (Decision::Accept, Some(json!({"content": self.form(request)})))
            }
            ApprovalKind::Command if self.allows_for("userSettings") => {
                let words = asking::amendment(request).map(|words| json!({"amendment": words}));
                (Decision::Accept, words)
            }
            _ if self.allows_for("session") => (Decision::AcceptForSession, None),
            _ => (Decision::Accept, None),
        }
    }

    /// Whether a rule for longer was chosen.
    fn allows_for(&self, destination: &str) -> bool {
        let allows = |rule: &Value| rule["destination"] == destination && rule["behavior"] != "deny";
        self.updated_permissions.iter().any(allows)
    }

    /// Whether the answer to a question of yes and no was no.
    fn declines(&self, kind: ApprovalKind, request: &Value) -> bool {
        let yes_or_no = kind == ApprovalKind::Elicitation
            && !request["_meta"]["codex_approval_kind"].is_string()
            && asking::fields(request).is_empty();
        yes_or_no && self.answer(0, "", "").as_deref() == Some("Decline")
    }

    /// Answers by the questions' ids. A browser names a question by its place, its words or its id.
    fn answers(&self, request: &Value) -> Map<String, Value> {
        let questions = request["questions"].as_array().into_iter().flatten().enumerate();
        let answers = questions.filter_map(|(place, question)| {
            let id = question["id"].as_str()?;
            let words = question["question"].as_str().unwrap_or_default();
            Some((id.to_owned(), json!([self.answer(place, words, id)?])))
        });
        answers.collect()
    }

    /// The fields of a form, each as its type wants it.
    fn form(&self, request: &Value) -> Map<String, Value> {
        let fields = asking::fields(request).into_iter().enumerate();
        let filled = fields.filter_map(|(place, (name, field))| {
            let title = field["title"].as_str().or(field["description"].as_str()).unwrap_or(&name);
            let answer = self.answer(place, title, &name)?;
            let typed = match field["type"].as_str() {
                Some("boolean" | "number" | "integer") => serde_json::from_str(&answer).ok(),
                _ => None,
            };
            Some((name, typed.unwrap_or(Value::String(answer))))
        });
        filled.collect()
    }

    fn answer(&self, place: usize, words: &str, id: &str) -> Option<String> {
        let answers = &self.updated_input["answers"];
        let found = [place.to_string().as_str(), words, id].into_iter().find_map(|key| answers.get(key))?;
        Some(found.as_str().map_or_else(|| found.to_string(), str::to_owned))
    }

    /// What a call of the session's own tool came to.
    fn tool(&self, name: &str) -> (bool, Value) {
        let leaves = name == "ExitPlanMode";
        let said = |words: &str| json!([{"type": "text", "text": words}]);
        if self.behavior == Behavior::Deny {
            let why = self.message.as_deref().filter(|why| !why.is_empty());
            let words = if leaves { "Plan denied by user." } else { "The tool call was denied by the user." };
            return (false, said(&why.map_or(words.to_owned(), |why| format!("{words} {why}"))));
        }
        let input = &self.updated_input;
        let success = input["success"].as_bool().unwrap_or(true);
        let text = input["text"].as_str();
        let content = match (&input["contentItems"], text) {
            (Value::Array(items), _) => Value::Array(items.clone()),
            (_, Some(text)) => said(text),
            _ if leaves => said("Plan approved. Exiting plan mode."),
            _ => said("Dynamic tool call completed"),
        };
        (success, content)
    }
}
